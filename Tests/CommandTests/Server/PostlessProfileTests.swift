import Foundation
import JSON
import ServerModel
import ServerSimulator
import Testing

/// A server that lets the node in and does not know where it stands: its rules would refuse every passage.
@Suite(.ownThreads) struct PostlessProfileTests {
  /// What the server says of the node's user from now on.
  private func assign(_ post: String?, isActive: Bool = true, in world: ServerWorld) {
    let isChanged = world.server.withModel {
      $0.change(
        ServerModel.Pilot.eastRanger, of: "user_profiles",
        to: [
          "assigned_checkpost_id": post.map { .text($0) } ?? .null, "is_active": .flag(isActive),
        ])
    }
    #expect(isChanged)
  }

  private func lookAgain(_ world: ServerWorld) throws {
    let run = try Program.run(["sync", "now", "--config", world.configuration])
    #expect(run.status == 0, "\(run.errors)")
  }

  /// What is wrong is told with what helps, and no attempt is spent on it.
  private func expectFault(
    _ words: String, _ remedy: String, _ client: String, _ service: ServiceProcess,
    _ world: ServerWorld
  ) throws {
    let log = try service.read(untilEach: "\"impaired\"", "\"directory_fault\"")
    #expect(log.contains("\"impairment\":\"place\""), "\(log)")
    #expect(log.contains("no passage can go to the server: \(words)"), "\(log)")
    #expect(log.contains(remedy), "\(log)")
    let status = try world.status()
    let connectivity = try #require(status["connectivity"] as? [String: Any])
    #expect(connectivity["state"] as? String == "impaired")
    #expect(connectivity["reason"] as? String == "place")
    #expect((connectivity["words"] as? String)?.contains(words) == true, "\(connectivity)")
    #expect(connectivity["since"] is String)
    let problem = (status["problems"] as? [[String: Any]])?
      .first { $0["name"] as? String == "place_fault" }
    #expect((problem?["remedy"] as? String)?.contains(remedy) == true, "\(status)")
    let page = try Program.run(["status", "--config", world.configuration]).output
    #expect(page.contains(words) && page.contains(remedy), "\(page)")
    let sync = try #require(status["sync"] as? [String: Any])
    #expect(sync["state"] as? String == "error")
    #expect((sync["reason"] as? String)?.contains(words) == true, "\(sync)")
    let item = try world.show(client)
    #expect(item["status"] as? String == "pending")
    #expect(item["upload_attempts"] as? Int == 0)
  }

  /// Each way to be wrong is told once; passages wait without an attempt, and go when somebody has put it
  /// right and says so.
  @Test(.timeLimit(.minutes(15))) func passagesWaitForAPostWithoutAnAttempt() throws {
    let world = try ServerWorld(sync: "spread: 0s, retry: fleet, pull: false", offlineFor: "1h")
    defer { world.end() }
    assign(nil, in: world)
    let service = try ServiceProcess(world.configuration)
    let client = try world.record(6_000)
    try expectFault(
      "the user of this node is assigned to no post on the server", "assign the user to this post",
      client, service, world)
    assign(ServerModel.Pilot.west, in: world)
    try lookAgain(world)
    try expectFault(
      "the user of this node is assigned to post BNP-B on the server, and node.checkpost is BNP-A",
      "set node.checkpost right", client, service, world)
    assign(ServerModel.Pilot.east, isActive: false, in: world)
    try lookAgain(world)
    try expectFault(
      "the user of this node is not active on the server", "set the user active", client, service,
      world)
    assign(ServerModel.Pilot.east, in: world)
    try lookAgain(world)
    try service.read(untilEach: "\"online\"", "\"uploaded\"")
    #expect(try world.outage() == nil)
    #expect(try world.isComplete([client]))
    service.end()
    #expect(world.modem.unread().filter { $0.contains("\"submitted\"") }.isEmpty, "no text")
  }

  /// A server that fails when it is asked who the node is has said nothing of its post.
  @Test(.timeLimit(.minutes(15))) func aServerThatFailsWhenAskedIsNotOneThatDoesNotKnowThePost()
    throws
  {
    let world = try ServerWorld(sync: "spread: 0s, retry: fleet, pull: false", offlineFor: "1h")
    defer { world.end() }
    world.server.inject(InjectedFault(.internalError, path: "/rest/v1/user_profiles"))
    let service = try ServiceProcess(world.configuration)
    let client = try world.record(6_100)
    try service.read(untilEach: "\"impaired\"", "\"directory_fault\"")
    #expect(try world.outage()?.name == "failing")
    try lookAgain(world)
    try service.read(untilEach: "\"online\"", "\"uploaded\"")
    #expect(try world.isComplete([client]))
  }

  /// Texts leave after `server_down_after`, whichever of it is wrong meanwhile, or as soon as for a server
  /// that is away where the settings say so; and all of it is on the server once in the end.
  @Test(
    .timeLimit(.minutes(15)),
    arguments: ["server_down_after: 1m", "text_when_server_down: true"])
  func textsLeaveLater(_ setting: String) throws {
    let isAtOnce = setting.hasPrefix("text_when")
    let world = try ServerWorld(
      setting, sync: "spread: 0s, retry: fleet, pull: false", offlineFor: isAtOnce ? "1s" : "1h")
    defer { world.end() }
    assign(nil, in: world)
    let service = try ServiceProcess(world.configuration)
    let client = try world.record(6_200)
    let log = try service.read(untilEach: "\"impaired\"", "\"text_accepted\"")
    #expect(log.contains("\"impairment\":\"place\""), "\(log)")
    if !isAtOnce { #expect(log.contains("are texted if that lasts 1 min"), "\(log)") }
    let submitted = try #require(
      try world.modem.read(until: "\"submitted\"").last { $0.contains("\"submitted\"") })
    let event = try #require(
      try JSONSerialization.jsonObject(with: Data(submitted.utf8)) as? [String: Any])
    try world.arrive(text: try #require(event["text"] as? String))
    #expect(world.rows.count == 1)
    #expect(try world.outage()?.name == "place")

    assign(ServerModel.Pilot.east, in: world)
    try lookAgain(world)
    try service.read(until: "\"uploaded\"")
    let next = try world.record(6_201)
    try service.read(until: "\"uploaded\"")
    #expect(try world.isComplete([client, next]))
    service.end()
    #expect(world.modem.unread().filter { $0.contains("\"submitted\"") }.isEmpty, "one text, once")
  }
}
