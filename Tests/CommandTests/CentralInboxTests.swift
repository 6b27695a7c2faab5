import CentralCore
import CentralSQLite
import Foundation
import Testing
import Time

/// Texts that are no passage, as an operator sees and clears them.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct CentralInboxTests {
  private let files: ProgramFiles
  private let database: String
  private let config: String
  private let received = WallTime(epochSeconds: 1_709_123_500)

  init() throws {
    files = try ProgramFiles()
    database = files.path("central.db")
    config = try files.write("checkpost.yaml", "control:\n  socket: \(files.path("socket"))\n")
    let store = try SQLiteCentralStore(path: database)
    let texts = [
      ("nonsense", "+9779812345678"), ("BNP-A|1", "+9779812345678"), ("hello", "NTC"),
      ("V1|BNP-A|BA1PA1234|CAR|1709120000|4567", "+9779841114567"),
    ]
    _ = try store.keep(
      texts.enumerated().map { index, text in
        InboundMessage(
          provider: "twilio", providerID: "SM\(index)", from: text.1, text: text.0,
          receivedAt: received)
      })
    _ = try store.process(rules: CentralRules(), at: received)
    try store.close()
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(["central"] + arguments + ["--database", database, "--config", config])
  }

  private func numbers(_ options: [String] = []) throws -> [Int] {
    try run(["inbox", "list", "--json"] + options).objects().compactMap { $0["id"] as? Int }
  }

  @Test func whatWasLookedAtIsHiddenUnlessItIsAskedFor() throws {
    #expect(try numbers() == [4, 3, 2, 1])
    let dismissed = try run(["inbox", "dismiss", "1", "3", "--json"])
    #expect(dismissed.status == 0, "\(dismissed.errors)")
    #expect(try dismissed.objects().first?["dismissed"] as? Int == 2)
    #expect(try dismissed.objects().first?["inbox_undecodable"] as? Int == 2)
    #expect(try numbers() == [4, 2])
    #expect(try numbers(["--dismissed"]) == [3, 1])
    #expect(try numbers(["--state", "all"]) == [4, 3, 2, 1])
    let shown = try #require(try run(["inbox", "list", "--json", "--dismissed"]).objects().first)
    #expect((shown["dismissed_by"] as? String)?.hasPrefix("uid ") == true)
    #expect(shown["dismissed_at"] is String)
    #expect(shown["state"] as? String == "undecodable")
    #expect(shown["client_id"] is NSNull)
    #expect(try run(["inbox", "list", "--dismissed"]).output.contains("dismissed "))
    let audit = try #require(try run(["users", "audit", "--json"]).objects().first)
    #expect(audit["kind"] as? String == "messages_dismissed")
    #expect(audit["detail"] as? String == "messages 2")
    let again = try run(["inbox", "dismiss", "1"])
    #expect(again.status == 65)
    #expect(again.errors.contains("no such text waits"))
    // By its number it is run again.
    #expect(try run(["inbox", "run", "1"]).status == 65)
    #expect(try numbers() == [4, 2, 1])
  }

  @Test func whatIsDismissedIsSaid() throws {
    #expect(try run(["inbox", "dismiss"]).status == 64)
    #expect(try run(["inbox", "dismiss", "--before", "2024-02-28"]).status == 65)
    let reason = try run(["inbox", "dismiss", "--reason", "sender"])
    #expect(reason.lines == ["1 text dismissed; 3 wait"])
    #expect(try run(["inbox", "dismiss", "--from", "9812345678"]).status == 0)
    #expect(try numbers() == [3])
    #expect(try run(["inbox", "dismiss", "--before", "2024-02-29"]).status == 0)
    #expect(try numbers().isEmpty)
  }

  @Test func theListIsNarrowed() throws {
    #expect(try numbers(["--from", "981-234 5678"]) == [2, 1])
    #expect(try numbers(["--from", "NTC"]) == [3])
    #expect(try numbers(["--reason", "sender"]) == [4])
    #expect(try numbers(["--since", received.rfc3339]) == [4, 3, 2, 1])
    #expect(try numbers(["--until", received.rfc3339]).isEmpty)
  }

  @Test func aTimeThatIsTooOldIsToldInHoursWithWhatHelps() throws {
    let store = try SQLiteCentralStore(path: database)
    _ = try store.keep([
      InboundMessage(
        provider: "twilio", providerID: "old", from: "+9779841114567",
        text: "V1|BNP-A|BA1PA1234|CAR|1708763500|4567", receivedAt: received)
    ])
    _ = try store.process(rules: CentralRules(), at: received)
    try store.close()
    let list = try run(["inbox", "list", "--reason", "timestamp"])
    #expect(list.output.contains("lies 28 hours before the accepted window"))
    #expect(list.output.contains("inbox run N --any-time"))
  }
}
