import CentralCore
import CentralSQLite
import Foundation
import TestSupport
import Testing
import Time

/// What the commands show of what central judged.
@Suite(.ownThreads) struct CentralJudgingTests {
  private let files: ProgramFiles
  private let database: String
  private let config: String

  init() throws {
    files = try ProgramFiles()
    database = files.path("central.db")
    config = try files.write("checkpost.yaml", "control:\n  socket: \(files.path("socket"))\n")
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(["central"] + arguments + ["--database", database, "--config", config])
  }

  /// Two passages of a vehicle that was too fast, and one of another that has not left.
  private func receive(at wall: WallTime) throws {
    let store = try SQLiteCentralStore(path: database)
    var rules = CentralRules()
    rules.ingress = .open
    let texts = [
      "V1|BNP-A|BA1PA1234|CAR|1709120000|4567", "V1|BNP-B|BA1PA1234|CAR|1709121000|0000",
      "V1|BNP-A|KO2KHA77|BUS|1709120000|4567",
    ]
    _ = try store.keep(
      texts.enumerated().map { index, text in
        InboundMessage(
          provider: "twilio", providerID: "SM\(index)", from: "+9779841114567", text: text,
          receivedAt: wall)
      })
    _ = try store.process(rules: rules, at: wall)
    try store.close()
  }

  private func importDirectory() throws -> Program.Outcome {
    let segments = try files.write(
      "segments.csv", "name,distance_km,min_speed_kmh,max_speed_kmh\nBanepa,30,20,60\n")
    let posts = try files.write(
      "posts.csv",
      "code,name,segment,position_index\nBNP-A,North,Banepa,0\nBNP-B,South,Banepa,1\n")
    return try run(["import", "--segments", segments, "--posts", posts])
  }

  @Test func whatCameBeforeItsPostsIsJudgedByTheImport() throws {
    try receive(at: WallTime(epochSeconds: 1_709_121_500))
    #expect(try run(["violations"]).lines.count <= 1)
    #expect(try importDirectory().status == 0)
    let listed = try run(["violations", "--json"]).objects()
    #expect(listed.count == 1)
    let violation = try #require(listed.first)
    #expect(violation["kind"] as? String == "speeding")
    #expect(violation["plate_display"] as? String == "BA 1 PA 1234")
    #expect(violation["seconds"] as? Int == 1_000)
    #expect(violation["finality"] as? String == "provisional")
    #expect(violation["doubts"] as? [String] == ["by_text_alone"])
    for key in [
      "confirmed_at", "confirmed_by", "outcome", "fine_amount", "outcome_notes", "outcome_by",
      "outcome_at",
    ] {
      #expect(violation[key] is NSNull, "\(key)")
    }
    let number = try #require(violation["number"] as? Int)
    let name = try #require(violation["violation"] as? String)
    #expect(try run(["violations", "--csv"]).lines.count == 2)
    #expect(try run(["violations"]).output.contains("BA 1 PA 1234"))
    #expect(try run(["violations", "--kind", "overstay", "--json"]).lines.isEmpty)
    #expect(try run(["violations", "--plate", "ba 1 pa 1234", "--json"]).lines.count == 1)

    for id in ["\(number)", name] {
      let shown = try run(["violations", "show", id])
      #expect(shown.status == 0, "\(shown.errors)")
      for words in ["Speeding", "BA 1 PA 1234", "Reports", "+9779841114567", "text alone"] {
        #expect(shown.output.contains(words), "\(words): \(shown.output)")
      }
    }
    let page = try run(["violations", "show", name, "--html"])
    #expect(page.status == 0, "\(page.errors)")
    #expect(page.output.hasPrefix("<!DOCTYPE html>\n<html"))
    #expect(!page.output.contains("What could make it wrong") && page.output.contains("First seen"))
    let nepali = try run(["violations", "show", name, "--html", "--language", "ne"])
    #expect(nepali.output.contains("<html lang=\"ne\">"))
    let own = try run(["violations", "show", name, "--html", "--internal"])
    #expect(own.output.contains("<h2>What could make it wrong</h2>"))
    #expect(own.output.contains("<h2>Who could have forged it</h2>"))
    for wrong in [
      ["--internal"], ["--language", "ne"], ["--html", "--internal", "--language", "ne"],
    ] {
      #expect(try run(["violations", "show", name] + wrong).status == 64, "\(wrong)")
    }
    let standard = try Program.run(["central", "violations", "template"])
    #expect(
      try Program.run(["central", "violations", "template", "--internal"]).output.contains(
        "{{#doubts}}"))
    #expect(standard.output.contains("{{standing}}"))
    #expect(standard.output.split(separator: "\n").count > 60)
    let evidence = try #require(try run(["violations", "show", name, "--json"]).objects().first)
    #expect((evidence["revisions"] as? [[String: Any]])?.first?["cause"] as? String == "directory")
    #expect((evidence["could_be_forged_by"] as? [String])?.count == 2)
    let records = (evidence["entry"] as? [String: Any])?["records"] as? [[String: Any]]
    #expect(records?.first?["times_reported"] as? Int == 1)
    let report = (records?.first?["reports"] as? [[String: Any]])?.first
    #expect(report?["clock"] as? String == "unknown")
    for key in ["clock_seconds", "ranger", "photo_path"] {
      #expect(report?[key] is NSNull, "\(key)")
    }
    #expect(report?["warnings"] is [Any])
    #expect((evidence["revisions"] as? [[String: Any]])?.first?["before"] is NSNull)
    #expect(try run(["violations", "--doubt", "by_text_alone", "--json"]).lines.count == 1)
    #expect(try run(["violations", "--doubt", "long_stay", "--json"]).lines.isEmpty)
    #expect(try run(["violations", "--unconfirmed", "--json"]).lines.count == 1)
    #expect(try run(["violations", "--confirmed", "--json"]).lines.isEmpty)
    let template = try files.write("page.html", "<p>\n{{#facts}}\n{{/tables}}\n")
    let bad = try run(["violations", "show", name, "--html", "--template", template])
    #expect(bad.status == 65)
    #expect(bad.errors.contains("line 3"), "\(bad.errors)")
    #expect(!bad.errors.contains("ParserError"))

    let confirmed = try run(["violations", "confirm", "\(number)", "--by", "Maya"])
    #expect(confirmed.status == 0, "\(confirmed.errors)")
    let after = try run(["violations", "--json"]).objects().first
    #expect(after?["confirmed_by"] as? String == "Maya")
    let shownAfter = try run(["violations", "show", name]).output
    #expect(shownAfter.contains("a person confirmed it"), "\(shownAfter)")
    #expect(!shownAfter.contains("waits for"), "\(shownAfter)")
    for id in ["999", "nonsense", "00000000-0000-4000-8000-000000000000"] {
      #expect(try run(["violations", "show", id]).status == 65, "\(id)")
      #expect(try run(["violations", "confirm", id, "--by", "Maya"]).status == 65, "\(id)")
    }
    let passages = try run(["passages", "--json", "--plate", "BA1PA1234"]).objects()
    #expect(passages.map { $0["is_entry"] as? Bool } == [false, true])
    #expect(passages.map { $0["segment"] as? String } == ["Banepa", "Banepa"])

    // A person asked the posts, and it is so: it rests on texts alone no more.
    #expect(try run(["violations", "list", "--changed", "--json"]).lines.isEmpty)
    for passage in try run(["passages", "--json"]).objects() {
      let said = try run(["passages", "--confirm", passage["client_id"] as? String ?? ""])
      #expect(said.status == 0 && said.output.contains("confirmed"), "\(said)")
    }
    let told = try #require(try run(["violations", "--json"]).objects().first)
    #expect((told["doubts"] as? [String])?.isEmpty == true)
    #expect(told["changed_final_at"] is NSNull)
  }

  @Test func whoOughtToHaveLeftIsListed() throws {
    #expect(try importDirectory().status == 0)
    try receive(at: WallTime(epochSeconds: 1_709_121_500))
    #expect(try run(["alerts", "--json"]).lines.isEmpty)
    let store = try SQLiteCentralStore(path: database)
    _ = try store.clock(rules: JudgingRules(), at: WallTime(epochSeconds: 1_709_126_000))
    try store.close()
    let alert = try #require(try run(["alerts", "--json"]).objects().first)
    #expect(alert["plate_display"] as? String == "KO 2 KHA 77")
    #expect(alert["due_at"] as? String == "2024-02-28T13:03:22Z")
    #expect(alert["unheard"] as? Bool == true)
    for key in ["ending", "ended_at"] { #expect(alert[key] is NSNull, "\(key)") }
    #expect(try run(["alerts"]).output.contains("KO 2 KHA 77"))
    #expect(try run(["alerts", "--csv", "--all"]).lines.count == 2)
    for (filter, count) in [
      (["--since", "2024-02-28"], 1), (["--until", "2024-02-28"], 0), (["--segment", "Banepa"], 1),
      (["--segment", "Nowhere"], 0), (["--checkpost", "BNP-B"], 0),
    ] {
      #expect(try run(["alerts", "--json"] + filter).lines.count == count, "\(filter)")
    }
  }

  @Test func passagesAreListedNewestFirstAndNarrowed() throws {
    #expect(try importDirectory().status == 0)
    try receive(at: WallTime(epochSeconds: 1_709_121_500))
    func numbers(_ options: [String]) throws -> [Int] {
      try run(["passages", "--json"] + options).objects().compactMap { $0["row"] as? Int }
    }
    let all = try numbers([])
    #expect(all == [2, 3, 1])
    #expect(try numbers(["--limit", "1"]) == [2])
    #expect(try numbers(["--unpaired"]) == [3])
    #expect(try numbers(["--checkpost", "BNP-B"]) == [2])
    #expect(try numbers(["--segment", "Banepa"]) == all)
    #expect(try numbers(["--segment", "Nowhere"]).isEmpty)
    #expect(try numbers(["--ranger", "9841114567"]) == [3, 1])
    #expect(try numbers(["--since", "1709121000"]) == [2])
    #expect(try numbers(["--until", "1709121000"]) == [3, 1])
    #expect(try numbers(["--since", "2024-02-29"]).isEmpty)
    let absent = try #require(try run(["passages", "--json", "--unpaired"]).objects().first)
    for key in ["ranger", "partner_row", "is_entry"] { #expect(absent[key] is NSNull, "\(key)") }
    for wrong in [["--ranger", "Sita"], ["--since", "2", "--until", "1"], ["--since", "soon"]] {
      #expect(try run(["passages"] + wrong).status == 64, "\(wrong)")
    }
    // What is there exactly is all that there is.
    #expect(try run(["passages", "--limit", "3"]).errors.isEmpty)
    let first = try run(["passages", "--limit", "2"])
    #expect(first.errors.contains("the first 2 are shown; --limit shows more"))
    #expect(first.output.contains("other end"))
  }

  @Test func judgingAgainChangesNothing() throws {
    #expect(try importDirectory().status == 0)
    try receive(at: WallTime(epochSeconds: 1_709_121_500))
    let words = try run(["match"])
    #expect(words.status == 0, "\(words.errors)")
    #expect(words.output == "judged 2 vehicles again; nothing changed\n")
    let judged = try #require(try run(["match", "--json"]).objects().first)
    #expect(judged["records"] as? Int == 3)
    #expect(judged["violations_made"] as? Int == 0)
  }

  /// The list goes on with what arrives, and finds what is asked for by a part of its plate.
  @Test func passagesAreFollowedAndFoundByAPartOfTheirPlate() throws {
    try receive(at: WallTime(epochSeconds: 1_709_121_600))
    #expect(try run(["passages", "--plate", "1234", "--json"]).lines.count == 2)
    #expect(try run(["passages", "--plate", "kha 7", "--json"]).lines.count == 1)
    #expect(try run(["passages", "--plate", "१२३४", "--json"]).lines.count == 2)
    #expect(try run(["passages", "--plate", "BA 1 PA 1234", "--json"]).lines.count == 2)
    #expect(try run(["passages", "--plate", "?"]).status == 64)
    #expect(try run(["passages", "--follow", "--csv"]).status == 64)
    let following = try ChildProcess(
      Program.path,
      [
        "central", "passages", "--follow", "--plate", "77", "--database", database, "--config",
        config,
      ])
    defer { following.kill() }
    _ = try following.lines.read(untilEach: [["KO 2 KHA 77", "BNP-A"]])
    let store = try SQLiteCentralStore(path: database)
    var rules = CentralRules()
    rules.ingress = .open
    let wall = WallTime(epochSeconds: 1_709_123_500)
    _ = try store.keep(
      ["V1|BNP-B|BA1PA5555|CAR|1709121500|0000", "V1|BNP-B|KO2KHA77|BUS|1709121400|0000"]
        .enumerated().map { index, text in
          InboundMessage(
            provider: "twilio", providerID: "later\(index)", from: "+9779841114567", text: text,
            receivedAt: wall)
        })
    _ = try store.process(rules: rules, at: wall)
    try store.close()
    let lines = try following.lines.read(untilEach: [["KO 2 KHA 77", "BNP-B"]])
    #expect(!lines.contains { $0.contains("5555") })
  }
}
