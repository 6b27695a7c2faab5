import EventLoop
import Foundation
import JSON
import ServerModel
import ServerSimulator
import TestSupport
import Testing
import Time

/// What `record` tells a ranger, beside a service that knows what passed at the other post.
@Suite(.ownThreads) struct RecordAnswerTests {
  /// Puts a passage of the other post on the server, so many seconds ago.
  private func enter(_ number: Int, ago seconds: Int64, _ world: ServerWorld) {
    let entry = WallTime(epochSeconds: SystemClocks().wall().epochSeconds - seconds)
    _ = world.server.withModel { model in
      model.put(
        [
          "client_id": .text("6f1a2b3c-0000-4000-8000-00000000\(number)"),
          "plate_number": .text("BA1PA\(number)"),
          "vehicle_type": "car", "checkpost_id": .text(ServerModel.Pilot.west),
          "segment_id": .text(ServerModel.Pilot.segment),
          "ranger_id": .text(ServerModel.Pilot.westRanger), "recorded_at": .text(entry.rfc3339),
        ], into: "vehicle_passages")
    }
  }

  /// Runs a command on a terminal of 40 columns; what it shows there.
  private func onATerminal(_ arguments: [String]) throws -> String {
    let terminal = try SizedTerminal(columns: 40)
    let process = try terminal.start(
      Program.path, arguments, environment: ["TERM": "xterm"], errors: true)
    let said = terminal.rest(of: process)
    #expect(process.terminationStatus == 0, "\(said)")
    return said
  }

  @Test(.timeLimit(.minutes(15))) func theWarningIsInTheAnswer() throws {
    let world = try ServerWorld()
    defer { world.end() }
    // As of most rangers, the server knows the number: its last digits become a part of the passage's identity.
    _ = world.server.withModel { model in
      model.change(
        ServerModel.Pilot.eastRanger, of: "user_profiles",
        to: ["phone_number": "+9779841114567"])
    }
    for (number, ago) in [(1_111, 1_200), (2_222, 1_200), (3_333, 17_000), (4_444, 16_900)] {
      enter(number, ago: Int64(ago), world)
    }
    let service = try ServiceProcess(world.configuration)
    defer { service.end() }
    try service.read(until: "\"directory_learned\"")
    #expect(try world.hasPulled())
    for _ in 0..<2 { try service.read(until: "\"vehicle_overdue\"") }

    let record = ["record", "--config", world.configuration, "--type", "car", "--plate"]
    let fast = try #require(try Program.run(record + ["BA 1 PA 1111", "--json"]).objects().first)
    let alert = try #require((fast["alerts"] as? [[String: Any]])?.first)
    #expect(alert["kind"] as? String == "speeding")
    #expect(alert["plate_number"] as? String == "BA1PA1111")
    #expect((alert["speed_kmh"] as? Double).map { $0 > 130 && $0 < 136 } == true)
    #expect((alert["limit_kmh"] as? Double).map { $0 > 39 && $0 < 41 } == true)
    // The server may have it before the answer is made.
    #expect(["server", "done"].contains(fast["next"] as? String))
    #expect(fast["queue_id"] as? Int == 1)
    #expect(fast["warnings"] == nil, "a passage is not its own twin: \(fast)")

    let shown = try onATerminal(record + ["BA 1 PA 2222"])
    #expect(shown.contains("\u{07}"), "the bell")
    #expect(shown.contains("\u{1B}[1;37;41m"), "red")
    #expect(shown.contains("TOO FAST: BA 1 PA 2222"), "\(shown)")
    #expect(shown.contains("20 min (13"), "\(shown)")
    #expect(shown.contains("(40 km/h)"), "\(shown)")
    #expect(shown.contains("number 2"), "\(shown)")
    #expect(
      shown.contains("It goes to the server now.") || shown.contains("It is delivered."),
      "\(shown)")
    #expect(!shown.contains(/[0-9a-f]{8}-[0-9a-f]{4}/), "no UUID: \(shown)")
    for line in shown.split(whereSeparator: \.isNewline) {
      let plain = line.replacing("\u{07}", with: "").replacing(
        /\u{1B}\[[0-9;]*m/, with: "")
      #expect(plain.count <= 40, "\(plain)")
    }
    // Whatever else reads it gets the identity alone, and what to look at as JSON.
    let again = try Program.run(record + ["BA 1 PA 2222", "--phone", "1234"])
    #expect(again.lines.count == 1 && again.lines[0].count == 36)
    let twice = try Program.run(record + ["BA 1 PA 2222", "--phone", "5678", "--json"]).objects()
    let warnings = twice.first?["warnings"] as? [[String: Any]]
    #expect(warnings?.contains { $0["name"] as? String == "same_vehicle" } == true, "\(twice)")

    // Who should be out by now, with the plates, for everybody who may use the socket.
    let overdue = try Program.run(["overdue", "--json", "--config", world.configuration])
    #expect(
      try overdue.objects().compactMap { $0["plate_number"] as? String }
        == ["BA1PA3333", "BA1PA4444"])
    let words = try Program.run(["overdue", "--config", world.configuration])
    #expect(words.output.contains("BA 1 PA 3333, car: in at"), "\(words.output)")
    #expect(words.output.contains("13 min late"), "\(words.output)")
    let status = try Program.run(["status", "--config", world.configuration])
    #expect(status.output.contains("BA 1 PA 3333, car: in at"), "\(status.output)")

    // Seen here, it is overdue no more, and took too long.
    let slow = try Program.run(record + ["BA 1 PA 3333"])
    #expect(slow.errors.contains("TOO SLOW: BA 1 PA 3333"), "\(slow.errors)")
    #expect(
      try Program.run(["overdue", "--json", "--config", world.configuration]).objects().count == 1)
    #expect(
      try Program.run(["overdue", "--all", "--json", "--config", world.configuration]).objects()
        .contains { $0["ending"] as? String == "seen" })
  }
}
