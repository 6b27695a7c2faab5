import CentralCore
import CentralSQLite
import Testing
import Time

/// An office that closes violations by commands: who says that one is so, and what came of it.
@Suite(.ownThreads) struct CentralOutcomeTests {
  private let files: ProgramFiles
  private let database: String
  private let config: String

  init() throws {
    files = try ProgramFiles()
    database = files.path("central.db")
    config = try files.write("checkpost.yaml", "control:\n  socket: \(files.path("socket"))\n")
    let segments = try files.write(
      "segments.csv", "name,distance_km,min_speed_kmh,max_speed_kmh\nBanepa,30,20,60\n")
    let posts = try files.write(
      "posts.csv",
      "code,name,segment,position_index\nBNP-A,North,Banepa,0\nBNP-B,South,Banepa,1\n")
    let rangers = try files.write(
      "rangers.csv", "name,phone,checkpost\nSita K.C.,+9779841114567,BNP-A\n")
    let imported = try run([
      "import", "--segments", segments, "--posts", posts, "--rangers", rangers,
    ])
    #expect(imported.status == 0, "\(imported.errors)")
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(["central"] + arguments + ["--database", database, "--config", config])
  }

  /// A vehicle that was too fast, by texts alone.
  private func receive() throws {
    let store = try SQLiteCentralStore(path: database)
    var rules = CentralRules()
    rules.ingress = .open
    let wall = WallTime(epochSeconds: 1_709_123_500)
    _ = try store.keep(
      [
        "V1|BNP-A|BA1PA1234|CAR|1709120000|4567", "V1|BNP-B|BA1PA1234|CAR|1709121000|0000",
      ].enumerated().map { index, text in
        InboundMessage(
          provider: "twilio", providerID: "SM\(index)", from: "+9779841114567", text: text,
          receivedAt: wall)
      })
    _ = try store.process(rules: rules, at: wall)
    try store.close()
  }

  @Test func anOutcomeIsRecordedShownAndCounted() throws {
    try receive()
    let close = ["violations", "outcome", "1", "--by", " Maya ", "--type"]
    for wrong in [
      close + ["warned", "--fine", "5"], close + ["fined", "--fine", "1.234"],
      close + ["fined", "--fine", "-1"], close + ["forgiven"],
      ["violations", "outcome", "1", "--type", "warned", "--by", "  "],
    ] {
      #expect(try run(wrong).status == 64, "\(wrong)")
    }
    #expect(try run(["violations", "--outcome", "open", "--json"]).lines.count == 1)
    let fine = close + ["fined", "--fine", "1500.5", "--notes", "paid in cash"]
    for wrong in [
      fine + ["--although", "  "], fine + ["--although", ""],
      close + ["warned", "--although", "x"],
    ] {
      #expect(try run(wrong).status == 64, "\(wrong)")
    }
    let unsure = try run(fine)
    #expect(unsure.status == 65)
    #expect(unsure.errors.contains("rests on texts alone: a fine for it needs --although"))
    #expect(try run(["violations", "--outcome", "recorded", "--json"]).lines.isEmpty)
    let closed = try run(fine + ["--although", "the driver admits it"])
    #expect(closed.status == 0, "\(closed.errors)")
    #expect(closed.output.hasPrefix("violation 1: fined 1500.50, recorded by Maya on "))
    #expect(closed.output.contains("paid in cash; fined all the same: the driver admits it"))
    let again = try run(close + ["let_go"])
    #expect(again.status == 65)
    #expect(again.errors.contains("fined 1500.50"))
    #expect(try run(["violations", "--outcome", "open", "--json"]).lines.isEmpty)
    let listed = try #require(
      try run(["violations", "--outcome", "recorded", "--json"]).objects().first)
    #expect(listed["outcome"] as? String == "fined")
    #expect(listed["fine_amount"] as? Double == 1_500.5)
    #expect(listed["outcome_by"] as? String == "Maya")
    for arguments in [
      ["violations"], ["violations", "show", "1"],
      ["violations", "show", "1", "--html", "--internal"],
    ] {
      let shown = try run(arguments)
      #expect(shown.output.contains("fined 1500.50"), "\(arguments): \(shown.output)")
    }
    for arguments in [
      ["violations", "--csv"], ["violations", "show", "1", "--json"], ["export", "violations"],
      ["export", "violations", "--csv"], ["export", "--plate", "BA1PA1234"],
    ] {
      #expect(try run(arguments).output.contains("paid in cash"), "\(arguments)")
    }
    let trial = try #require(
      try run(["erase", "--plate", "BA1PA1234", "--dry-run", "--json"]).objects().first)
    #expect(trial["open_violations"] as? Int == 0)
    #expect(trial["closed_violations"] as? Int == 1)
    let erased = try run([
      "erase", "--plate", "BA1PA1234", "--yes", "--with-open-violations",
    ])
    #expect(erased.output.contains("violations 1, outcomes 1"), "\(erased.output)")
    let audit = try run(["users", "audit", "--json"]).output
    #expect(audit.contains("\"violation_closed\"") && !audit.contains("BA1PA1234"))
    #expect(audit.contains("by_text_alone: the driver admits it"))
  }

  @Test func whoConfirmsAfterSomebodyElseIsTold() throws {
    try receive()
    for name in ["", "   ", String(repeating: "x", count: 201)] {
      #expect(try run(["violations", "confirm", "1", "--by", name]).status == 64)
    }
    #expect(try run(["violations", "confirm", "1", "--by", "Maya"]).status == 0)
    let second = try run(["violations", "confirm", "1", "--by", "Ramesh"])
    #expect(second.output.hasPrefix("violation 1 was confirmed by Maya on "), "\(second.output)")
    #expect(second.output.contains("Ramesh looked at it as well"))
    let shown = try run(["violations", "show", "1"]).output
    #expect(shown.contains("Maya looked at it") && shown.contains("Ramesh looked at it"))
    let evidence = try #require(try run(["violations", "show", "1", "--json"]).objects().first)
    let history = try #require(evidence["history"] as? [[String: Any]])
    let confirmed = history.filter { $0["what"] as? String == "confirmed" }
    #expect(confirmed.map { $0["by"] as? String } == ["Maya", "Ramesh"])
    // Of texts that are years old no post is waited for.
    #expect(history.contains { $0["what"] as? String == "unreported" })
    #expect(try run(["users", "audit", "--json"]).output.contains("\"violation_confirmed\""))
  }

  /// The list of passages and the evidence name the same people.
  @Test func theEvidenceNamesTheRangerOfAText() throws {
    try receive()
    for arguments in [
      ["passages"], ["violations", "show", "1"], ["violations", "show", "1", "--html"],
    ] {
      #expect(try run(arguments).output.contains("Sita K.C."), "\(arguments)")
    }
    let shown = try run(["violations", "show", "1"]).output
    #expect(!shown.contains("…4567"))
    #expect(shown.contains("BNP-A (North)"))
  }

  @Test func aRangersNumberThatWasEndedIsNotValid() throws {
    func valid(_ source: String) throws -> Bool? {
      try run(["numbers", "--json"]).objects().first { $0["source"] as? String == source }?["valid"]
        as? Bool
    }
    #expect(try valid("ranger") == true)
    let numbers = try files.write(
      "numbers.csv",
      "number,checkpost,valid_from,valid_until\n+9779841114567,BNP-A,,2021-01-01T00:00:00Z\n")
    let imported = try run(["import", "--numbers", numbers])
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(try valid("imported") == false)
    #expect(try valid("ranger") == false)
    #expect(try run(["numbers"]).output.contains("not valid now"))
  }
}
