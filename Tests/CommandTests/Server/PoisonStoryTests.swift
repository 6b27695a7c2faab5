import Foundation
import JSON
import ServerModel
import ServerSimulator
import TestSupport
import Testing

/// What becomes of all others where the server, or what stands before it, never lets one passage through.
@Suite(.ownThreads) struct PoisonStoryTests {
  /// What happens to the one, each time that it is handed over.
  static let faults: [ModelFault] = [.firewall, .resetBefore, .badGateway, .statementTimeout]

  @Test(.timeLimit(.minutes(15)), arguments: faults)
  func theOthersArriveAndTheOneIsTexted(_ fault: ModelFault) throws {
    let world = try ServerWorld("text_when_server_down: true", offlineFor: "4s")
    defer { world.end() }
    let service = try ServiceProcess(world.configuration)
    try service.read(untilEach: "\"directory_learned\"", "\"modem_ready\"")
    world.server.inject(
      InjectedFault(
        fault, times: nil, areas: [.tables], methods: ["POST"], body: "\"BA1PA7000\""))
    let poison = try world.record(7_000)
    try service.read(until: "\"upload_missed\"")
    var others: [String] = []
    for number in 1...8 { others.append(try world.record(7_000 + number)) }
    for _ in others { try service.read(until: "\"uploaded\"") }
    #expect(Set(world.rows.compactMap { $0["client_id"]?.text }) == Set(others))
    // The server takes others, so that the line is there; and this one it does not take.
    let submitted = try #require(
      try world.modem.read(until: "\"submitted\"").last { $0.contains("\"submitted\"") })
    #expect(submitted.contains("BA1PA7000"))
    let pushes = world.server.withModel { $0.fired[fault] ?? 0 }
    #expect(pushes <= 5, "\(pushes)")

    // Its attempts are its own, also over a restart.
    let before = try #require(try world.queue().first { $0["client_id"] as? String == poison })
    let attempts = try #require(before["attempts"] as? Int)
    #expect(attempts >= 1)
    service.kill()
    let again = try ServiceProcess(world.configuration)
    try again.read(until: "\"modem_ready\"")
    others.append(try world.record(7_009))
    try again.read(until: "\"uploaded\"")
    let after = try #require(try world.queue().first { $0["client_id"] as? String == poison })
    #expect(try #require(after["attempts"] as? Int) >= attempts)
    #expect(after["texted"] as? Bool == true)
    // What kept it is mended.
    world.server.withModel { $0.heal() }
    #expect(try Program.run(["sync", "now", "--config", world.configuration]).status == 0)
    try again.read(until: "\"uploaded\"")
    #expect(try world.isComplete(others + [poison]))
    again.end()
    #expect(world.modem.unread().filter { $0.contains("\"submitted\"") }.isEmpty, "one text, once")
  }

  @Test(.timeLimit(.minutes(15))) func aPostWhoseSegmentMovedGoesOnUnderItsNewName() throws {
    let world = try ServerWorld(offlineFor: "1h")
    defer { world.end() }
    let service = try ServiceProcess(world.configuration)
    try service.read(untilEach: "\"directory_learned\"", "\"modem_ready\"")
    let moved = "0b000000-0000-4000-8000-000000000002"
    world.server.withModel { model in
      model.put(
        [
          "id": .text(moved), "park_id": .text(ServerModel.Pilot.park), "name": "New road",
          "distance_km": 30, "max_speed_kmh": 40, "min_speed_kmh": 10,
        ], into: "highway_segments")
      for post in [ServerModel.Pilot.east, ServerModel.Pilot.west] {
        model.change(post, of: "checkposts", to: ["segment_id": .text(moved)])
      }
    }
    var recorded: [String] = []
    for number in 0..<3 { recorded.append(try world.record(7_100 + number)) }
    for _ in recorded { try service.read(until: "\"uploaded\"") }
    #expect(try world.isComplete(recorded))
    #expect(world.rows.allSatisfy { $0["segment_id"]?.text == moved })
  }

  @Test(.timeLimit(.minutes(15))) func aUserWhoIsReassignedHoldsWhatIsRecordedAndLosesNothing()
    throws
  {
    let world = try ServerWorld(offlineFor: "1h")
    defer { world.end() }
    let service = try ServiceProcess(world.configuration)
    try service.read(untilEach: "\"directory_learned\"", "\"modem_ready\"")
    func assign(_ post: String) {
      world.server.withModel { model in
        _ = model.change(
          ServerModel.Pilot.eastRanger, of: "user_profiles",
          to: ["assigned_checkpost_id": .text(post)])
      }
    }
    assign(ServerModel.Pilot.west)
    var recorded: [String] = []
    for number in 0..<3 { recorded.append(try world.record(7_200 + number)) }
    let log = try service.read(until: "\"directory_fault\"")
    #expect(!log.contains("\"upload_failed\""))
    #expect(
      try world.queue().allSatisfy { $0["status"] as? String != "failed" }, "nothing is final")
    let problems = try world.status()["problems"] as? [[String: Any]] ?? []
    #expect(problems.contains { $0["name"] as? String == "place_fault" }, "\(problems)")
    assign(ServerModel.Pilot.east)
    #expect(try Program.run(["sync", "now", "--config", world.configuration]).status == 0)
    for _ in recorded { try service.read(until: "\"uploaded\"") }
    #expect(try world.isComplete(recorded))
  }
}
