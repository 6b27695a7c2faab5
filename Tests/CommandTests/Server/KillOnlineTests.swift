import EventLoop
import Foundation
import JSON
import ServerModel
import ServerSimulator
import TestSupport
import Testing
import Time

/// A node with a real server and a real store that is killed at random moments.
@Suite(.ownThreads) struct KillOnlineTests {
  /// How often it is killed. `CHECKPOST_TEST_KILLS` sets another number.
  static let kills =
    ProcessInfo.processInfo.environment["CHECKPOST_TEST_KILLS"].flatMap { Int($0) } ?? 60

  @Test(.timeLimit(.minutes(30))) func whatWasRecordedIsOnTheServerOnce() async throws {
    try await onThread { try KillOnlineTests.live() }
  }

  private static func live() throws {
    let world = try ServerWorld(sync: "spread: 0s", latency: 50)
    defer { world.end() }
    var random = UInt64(99)
    func draw(_ limit: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % limit
    }
    world.server.behave { $0.latency = .milliseconds(15) }
    var recorded: Set<String> = []
    var service: ChildProcess?
    for kill in 0..<kills {
      if service?.isRunning != true {
        service = try ChildProcess(
          Program.path, ["run", "--config", world.configuration], hearing: .nothing)
      }
      // Some of the time there is no line, so that passages leave as texts too.
      world.server.behave { [isAway = draw(4) == 0] in $0.isAway = isAway }
      for number in 0..<3 { recorded.insert(try world.record(2_000 + kill * 3 + number)) }
      pause(milliseconds: draw(400))
      service?.kill()
    }
    world.server.behave { $0.isAway = false }
    let last = try ChildProcess(
      Program.path, ["run", "--config", world.configuration], hearing: .nothing)
    defer { last.kill() }
    // Until the node says that nothing is left.
    var left = recorded.count
    for _ in 0..<600 where left > 0 {
      pause(milliseconds: 200)
      left = try world.queue().count { $0["status"] as? String != "synced" }
    }
    #expect(left == 0, "\(left) of \(recorded.count) never reached the server")
    let rows = world.rows.compactMap { $0["client_id"]?.text }
    #expect(Set(rows) == recorded)
    #expect(rows.count == recorded.count, "a passage is there twice")
    print("\(kills) kills with a server: \(recorded.count) recorded, \(rows.count) rows")
  }

  /// Time passes: what is killed is to be in the middle of something.
  private static func pause(milliseconds: UInt64) {
    let clocks = SystemClocks()
    _ = PollLoop.wait(
      [], until: clocks.boot() + .milliseconds(Int64(milliseconds)), clocks: clocks)
  }
}
