import EventLoop
import Foundation
import JSON
import ServerModel
import ServerSimulator
import TestSupport
import Testing
import Time

/// The program on a machine whose clock is half a century off, with everything else as it is.
@Suite(.ownThreads, .enabled(if: MovedClock.isPossible, "needs a C compiler"))
struct YearsOffTests {
  /// It is recorded at once, nothing waits for decades or is thought to have, the clock is told of, and the
  /// passage arrives.
  @Test(.timeLimit(.minutes(15)), arguments: [(-50, false), (50, false), (50, true)])
  func aPassageIsRecordedAndArrives(years: Int, isKept: Bool) throws {
    let world = try ServerWorld(
      sync: "spread: 0s, retry: fleet, pull: false", offlineFor: "1s", probeEvery: "5s")
    defer { world.end() }
    let seconds = (years * 365 + years / 4) * 86_400
    let clock = try MovedClock(in: world.files.directory, ahead: seconds)
    try clock.move(by: seconds, isKept: isKept)
    func record(_ number: Int) throws -> String {
      let run = try Program.run(
        [
          "record", "--config", world.configuration, "--plate", "BA 1 PA \(number)", "--type",
          "car",
        ], environment: clock.environment)
      #expect(run.status == 0, "\(run.errors)")
      return try #require(run.lines.first)
    }
    var recorded = [try record(8_000)]
    let begun = SystemClocks().wall()
    let service = try ServiceProcess(world.configuration, environment: clock.environment)
    try service.read(untilEach: "\"modem_ready\"", "\"uploaded\"", "\"clock_off\"")
    recorded.append(try record(8_001))
    try service.read(until: "\"uploaded\"")
    let status = try Program.run(
      ["status", "--json", "--config", world.configuration], environment: clock.environment
    ).objects().first
    let alarms = status?["alarms"] as? [String] ?? []
    #expect(
      alarms.contains { $0.contains("clock") && $0.contains(years < 0 ? "behind" : "ahead") },
      "\(alarms)")

    // The line goes and comes: by the boot clock a text leaves, and the upload goes on.
    world.server.behave { $0.isAway = true }
    try service.read(until: "\"offline\"")
    let texted = try record(8_002)
    world.server.behave { $0.isAway = false }
    try service.read(until: "\"uploaded\"")
    recorded.append(texted)
    let queue = try world.queue()
    #expect(queue.count == recorded.count)
    #expect(queue.allSatisfy { $0["status"] as? String == "synced" })
    let rows = world.rows
    #expect(rows.count == recorded.count, "each is there once")
    for row in rows {
      let at = try #require(row["recorded_at"]?.text.flatMap { WallTime(rfc3339: $0) })
      // The server's time dates what a clock recorded that nobody keeps; of another that is told with it.
      let off = at - (isKept ? begun + .seconds(seconds) : begun)
      #expect(max(off, .zero - off) < .seconds(3_600), "\(at.rfc3339)")
    }
    if years > 0 {
      #expect(
        queue.contains { ($0["clock_skew_seconds"] as? Int ?? 0) > 49 * 365 * 86_400 }, "\(queue)")
    }
  }
}
