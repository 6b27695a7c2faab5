import CentralCore
import CentralSQLite
import JSON
import Passages
import ServerModel
import ServerSimulator
import Testing
import Time

/// A central that hands passages on to another server, as it is run.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct CentralForwardTests {
  private func configuration(_ files: ProgramFiles, server: String?, store: String = "") throws
    -> String
  {
    let key = try files.write("key", "\(ServerModel.Settings().serviceKey)\n", permissions: 0o600)
    return try files.write(
      "checkpost.yaml",
      """
      roles: {central: true}
      central:
        database: \(files.path("central.db"))
        http: {enabled: false}
        ingress: {mode: open}
        forward: {key_file: \(key)}
        clock_window: {past: 90d}
      \(store)
      server: {url: \(server.map { "\"\($0)\"" } ?? "null")}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
  }

  /// Two texts, of which the second is of a post that the server does not know.
  private func keepTexts(_ files: ProgramFiles) throws {
    let store = try SQLiteCentralStore(path: files.path("central.db"))
    let now = WallTime(epochSeconds: 1_790_000_000)
    for code in ["BNP-A", "XYZ-1"] {
      _ = try store.put([.post(Post(code: try CheckpostCode(code), name: code))])
    }
    _ = try store.keep(
      ["BNP-A", "XYZ-1"].enumerated().map { index, post in
        InboundMessage(
          provider: "twilio", providerID: "SM\(index)", from: "+9779841114567",
          text: "V1|\(post)|BA1PA123\(index)|CAR|\(now.epochSeconds - 60)|4567", receivedAt: now)
      })
    try store.close()
  }

  @Test func whatComesByTextIsOnTheServer() throws {
    let files = try ProgramFiles()
    var model = ServerModel.pilot()
    model.change(
      ServerModel.Pilot.eastRanger, of: "user_profiles", to: ["phone_number": "+9779841114567"])
    let server = try ServerSimulator(model)
    try server.start()
    defer {
      server.stop()
      server.join()
    }
    try keepTexts(files)
    let path = try configuration(files, server: server.url)
    let service = try ServiceProcess(path)
    try service.read(untilEach: "\"passages_forwarded\"", "\"forward_held\"")
    #expect(server.withModel { $0.count(of: "vehicle_passages") } == 1)
    let held = try Program.run(["central", "forwards", "--json", "--config", path]).objects()
    #expect(held.count == 1)
    #expect(held.first?["reason"] as? String == "unknown_post")
    #expect(held.first?["checkpost"] as? String == "XYZ-1")
    let table = try Program.run(["central", "forwards", "--config", path])
    #expect(table.output.contains("unknown_post"))
    #expect(table.errors.contains("1 were handed on, 1 wait, 0 are set aside"))
    let again = try Program.run(["central", "forwards", "--retry", "--config", path])
    #expect(again.output == "1 passage is tried again within a minute\n")
    service.end()
  }

  @Test func withoutAServerItDoesNotStart() throws {
    let files = try ProgramFiles()
    let path = try configuration(files, server: nil)
    let check = try Program.run(["config", "check", "--config", path])
    #expect(check.status == 78)
    #expect(check.output.contains("no server is named that passages could be handed on to"))
  }
}
