import JSON
import ServerModel
import ServerSimulator
import Testing

/// A server that lets the node in and does not know where it stands.
@Suite struct PostlessProfileTests {
  /// What is wrong is told once, passages wait for it without an attempt, and go when somebody has put it
  /// right and says so.
  @Test(.timeLimit(.minutes(15))) func passagesWaitForAPostWithoutAnAttempt() throws {
    let world = try ServerWorld(sync: "spread: 0s, retry: fleet, pull: false", offlineFor: "1h")
    defer { world.end() }
    func assign(_ post: String?, isActive: Bool = true) {
      _ = world.server.withModel {
        $0.change(
          ServerModel.Pilot.eastRanger, of: "user_profiles",
          to: [
            "assigned_checkpost_id": post.map { .text($0) } ?? .null, "is_active": .flag(isActive),
          ])
      }
    }
    assign(nil)
    let service = try ServiceProcess(world.configuration)
    let client = try world.record(6_000)
    func expectFault(_ words: String) throws {
      let log = try service.read(until: "\"directory_fault\"")
      #expect(log.contains(words), "\(log)")
      let sync = try world.status()["sync"] as? [String: Any]
      #expect(sync?["state"] as? String == "error")
      #expect((sync?["reason"] as? String)?.contains(words) == true, "\(sync ?? [:])")
      let item = try world.show(client)
      #expect(item["status"] as? String == "pending")
      #expect(item["upload_attempts"] as? Int == 0)
      #expect(try world.outage() == nil, "the server is there")
    }
    func lookAgain() throws {
      let run = try Program.run(["sync", "now", "--config", world.configuration])
      #expect(run.status == 0, "\(run.errors)")
    }
    try expectFault("assigned to no post on the server")
    assign(ServerModel.Pilot.west)
    try lookAgain()
    try expectFault("assigned to post BNP-B on the server, and node.checkpost is BNP-A")
    assign(ServerModel.Pilot.east, isActive: false)
    try lookAgain()
    try expectFault("not active on the server")
    assign(ServerModel.Pilot.east)
    try lookAgain()
    try service.read(until: "\"uploaded\"")
    #expect(try world.isComplete([client]))
    service.end()
    #expect(world.modem.unread().filter { $0.contains("\"submitted\"") }.isEmpty, "no text")
  }
}
