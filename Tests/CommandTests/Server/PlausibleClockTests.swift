import EventLoop
import Foundation
import TestSupport
import Testing
import Time

/// A board without a battery starts with the time at which it was switched off: an hour or eleven behind, and nothing
/// odd about it. The vehicle took an hour and a half, as it may, whatever that clock says.
@Suite(.ownThreads, .enabled(if: MovedClock.isPossible, "needs a C compiler"))
struct PlausibleClockTests {
  /// Who mends it, and when.
  enum Mending: String, CaseIterable {
    /// A time service arrives before the line does.
    case timeService
    /// It does while the service is down, and another has begun by the time the line returns.
    case whileDown
    /// Nobody sets it: the server's clock is all there is.
    case server
  }

  @Test(.timeLimit(.minutes(15)), arguments: [3_600, 39_600], Mending.allCases)
  func aLawfulTravelIsJudgedAsOne(behind: Int, mending: Mending) throws {
    let world = try CentralWorld("offline_for: 1h")
    let central = try world.startCentral()
    let east = try world.start(.east)
    let passed = SystemClocks().wall()
    let entered = try world.record(.east, "BA 1 PA 1234", at: passed.epochSeconds - 5_400)
    try east.read(until: "\"uploaded\"")

    // The post at the other end, with a clock of its own and no line.
    world.line.cut()
    let clock = try MovedClock(in: world.files.directory, ahead: -behind)
    let settings = try world.settings(.west)
    var west = try ServiceProcess(settings, environment: clock.environment)
    try west.read(until: "\"modem_ready\"")
    let run = try Program.run(
      [
        "record", "--config", settings, "--plate", "BA 1 PA 1234", "--type", "car", "--phone",
        CentralWorld.Post.west.suffix,
      ], environment: clock.environment)
    #expect(run.status == 0, "\(run.errors)")
    func log() throws -> [String: Any]? {
      try Program.run(
        ["queue", "show", "1", "--json", "--config", settings], environment: clock.environment
      ).objects().first
    }
    #expect(try log()?["clock_source"] as? String == "none")

    switch mending {
    case .timeService:
      try clock.move(by: 0, isKept: true)
      let set = try west.read(until: "\"clock_set\"")
      #expect(set.contains("\"mended\":1"), "\(set)")
      world.line.mend()
    case .whileDown:
      west.kill()
      try clock.move(by: 0, isKept: true)
      west = try ServiceProcess(settings, environment: clock.environment)
      let set = try west.read(until: "\"clock_set\"")
      #expect(set.contains("\"mended\":1"), "\(set)")
      world.line.mend()
    case .server:
      world.line.mend()
      try west.read(until: "\"times_mended\"")
    }
    try west.read(until: "\"uploaded\"")

    let standing = try world.standing()
    #expect(standing.rows.count == 2)
    let exit = try #require(standing.rows.first { $0.client != entered })
    let at = try #require(WallTime(rfc3339: "\(exit.second)Z"))
    #expect(max(at - passed, passed - at) < .seconds(600), "\(exit.second)")
    #expect(exit.partner != nil, "they are one travel")
    #expect(standing.violations.isEmpty, "\(standing.violations)")
    for service in [east, west, central] { service.end() }
  }
}
