import CentralCore
import CentralSQLite
import Foundation
import Testing
import Time

/// What `central import` tells of what it did.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct CentralImportTests {
  private let files: ProgramFiles
  private let database: String
  private let config: String
  private let segments: String

  init() throws {
    files = try ProgramFiles()
    database = files.path("central.db")
    config = try files.write("checkpost.yaml", "control:\n  socket: \(files.path("socket"))\n")
    segments = try files.write(
      "segments.csv", "name,distance_km,min_speed_kmh,max_speed_kmh\nBanepa,30,20,60\n")
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(["central"] + arguments + ["--database", database, "--config", config])
  }

  private func posts(_ rows: String) throws -> String {
    try files.write("posts.csv", "code,name,segment,position_index\n" + rows)
  }

  @Test func whatIsNewChangedAndTheSameIsCounted() throws {
    let first = try posts("BNP-A,North,Banepa,0\nBNP-B,South,Banepa,1\n")
    #expect(
      try run(["import", "--segments", segments, "--posts", first]).lines == [
        "1 segment from \(segments): 1 new", "2 posts from \(first): 2 new",
      ])
    let second = try posts("BNP-A,North,Banepa,0\nBNP-B,South gate,Banepa,1\nDHU-1,Dhulikhel,,\n")
    let outcome = try run(["import", "--segments", segments, "--posts", second])
    #expect(
      outcome.lines == [
        "1 segment from \(segments): 1 unchanged",
        "3 posts from \(second): 1 new, 1 changed, 1 unchanged",
      ])
    let table = try #require(try run(["import", "--posts", second, "--json"]).objects().first)
    #expect(table["imported"] as? Int == 3)
    #expect(table["unchanged"] as? Int == 3)
    #expect(table["added"] as? Int == 0)
  }

  @Test func whatIsWrongIsNamedInBothForms() throws {
    let file = try posts(
      "BNP-A,North,Banepa,0\nBNP-A,North,Banepa,0\nBNP-B,South,Nowhere,1\nBNP-C,West,Banepa,0\n")
    let outcome = try run(["import", "--segments", segments, "--posts", file, "--json"])
    #expect(outcome.status == 65)
    let table = try #require(try outcome.objects().first { $0["table"] as? String == "posts" })
    let problems = try #require(table["problems"] as? [[String: Any]])
    #expect(problems.map { $0["line"] as? Int } == [4, 5])
    #expect((problems.first?["message"] as? String)?.contains("segment Nowhere") == true)
    #expect((problems.last?["message"] as? String)?.contains("BNP-A") == true)
    let repetitions = try #require(table["repetitions"] as? [[String: Any]])
    #expect(repetitions.map { $0["line"] as? Int } == [2])
    #expect((repetitions.first?["message"] as? String)?.contains("line 3") == true)
    #expect((table["imported"] as? Int, table["repeated"] as? Int) == (2, 1))
    #expect(outcome.errors.contains("posts.csv, line 5: another post, BNP-A, stands at that end"))
    let rangers = try files.write("rangers.csv", "name,phone,checkpost\nSita,9841114567,XYZ\n")
    #expect(
      try run(["import", "--rangers", rangers]).errors.contains("the post XYZ is not known"))
  }

  @Test func anEmptyFileIsAnError() throws {
    let empty = try files.write("empty.csv", "")
    let outcome = try run(["import", "--posts", empty])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("the file is empty; its first line names code,name"))
  }

  /// Keeps and takes the two texts of a travel of 1,000 s.
  private func takeTravel(
    _ store: SQLiteCentralStore, _ rules: CentralRules, at wall: WallTime
  ) throws {
    _ = try store.keep(
      ["A|BA1PA1234|CAR|1709120000|4567", "B|BA1PA1234|CAR|1709121000|0000"].enumerated().map {
        InboundMessage(
          provider: "twilio", providerID: "SM\($0)", from: "+9779841114567",
          text: "V1|BNP-\($1)", receivedAt: wall)
      })
    _ = try store.process(rules: rules, at: wall)
  }

  @Test func whatJudgingAgainChangesIsTold() throws {
    let store = try SQLiteCentralStore(path: database)
    var rules = CentralRules()
    rules.ingress = .open
    let wall = WallTime(epochSeconds: 1_709_121_500)
    try takeTravel(store, rules, at: wall)
    // One that waits because its sender may not speak for the post yet.
    _ = try store.keep([
      InboundMessage(
        provider: "twilio", providerID: "SM9", from: "+9779800000009",
        text: "V1|BNP-A|KO2KHA77|BUS|1709121400|4567", receivedAt: wall)
    ])
    _ = try store.process(rules: CentralRules(), at: wall)
    try store.close()
    let file = try posts("BNP-A,North,Banepa,0\nBNP-B,South,Banepa,1\n")
    let outcome = try run(["import", "--segments", segments, "--posts", file])
    #expect(outcome.lines.last?.contains("pairs made 1, parted 0; violations: 1 made") == true)
    let numbers = try files.write(
      "numbers.csv", "number,checkpost,valid_from\n9800000009,BNP-A,2024-01-01\n")
    let bound = try run(["import", "--numbers", numbers, "--json"])
    #expect(bound.status == 0, "\(bound.errors)")
    // What came before its post could be spoken for is taken by the import itself.
    #expect(try bound.objects().compactMap { $0["texts_taken"] as? Int } == [1])
    let taken = try run(["passages", "--plate", "KO2KHA77", "--json"])
    #expect(try taken.objects().map { $0["checkpost"] as? String } == ["BNP-A"])
    let judged = try #require(try bound.objects().last?["judged_again"] as? [String: Any])
    #expect(judged["violations_made"] as? Int == 0)
    let listed = try #require(try run(["numbers", "--json"]).objects().first)
    #expect(listed["valid_from"] as? String == "2024-01-01T00:00:00Z")
    #expect(try run(["inbox", "run"]).status == 65, "nothing waits any more")
    let again = try run(["import", "--numbers", numbers, "--json"])
    #expect(try again.objects().allSatisfy { $0["texts_taken"] == nil }, "nothing is new")
  }

  /// Nothing that was confirmed is taken back without an answer; from now on other numbers may hold.
  @Test func whatAnImportTakesBackIsSaidAndAsked() throws {
    let file = try posts("BNP-A,North,Banepa,0\nBNP-B,South,Banepa,1\n")
    #expect(try run(["import", "--segments", segments, "--posts", file]).status == 0)
    let store = try SQLiteCentralStore(path: database)
    var rules = CentralRules()
    rules.ingress = .open
    let wall = WallTime(epochSeconds: 1_709_121_500)
    try takeTravel(store, rules, at: wall)
    let found = try #require(try store.violations(ViolationQuery()).first)
    _ = try store.confirm(found.uuid, by: "Maya", rules: rules.judging, at: wall)
    try store.close()
    func standing() throws -> Int { try run(["violations", "--json"]).objects().count }
    let faster = try files.write(
      "faster.csv", "name,distance_km,min_speed_kmh,max_speed_kmh\nBanepa,30,20,120\n")
    #expect(try run(["import", "--segments", faster]).lines.first?.hasSuffix("1 changed") == true)
    #expect(try standing() == 1)
    let asked = try run(["import", "--segments", faster, "--always"])
    #expect(asked.status == 64)
    #expect(
      asked.errors.contains(
        "0 changed and 1 retracted; of those changed and retracted 1 are confirmed"))
    #expect(asked.errors.contains("nothing was imported"))
    #expect(try standing() == 1)
    // The day of a column before the vehicle came takes it back as well.
    let dated = try files.write(
      "dated.csv",
      "name,distance_km,min_speed_kmh,max_speed_kmh,since\nBanepa,30,20,120,2024-01-01\n")
    #expect(try run(["import", "--segments", dated]).status == 64)
    #expect(try run(["import", "--segments", faster, "--always", "--yes"]).status == 0)
    #expect(try standing() == 0)
    // And so does a post that comes to stand elsewhere.
    #expect(try run(["import", "--segments", segments, "--always", "--yes"]).status == 0)
    #expect(try standing() == 1)
    let elsewhere = try files.write(
      "elsewhere.csv", "code,name,segment,position_index\nBNP-A,North,Banepa,0\nBNP-B,South,,\n")
    #expect(try run(["import", "--posts", elsewhere, "--always"]).status == 64)
    #expect(try standing() == 1)
    // Not where it came there later than the vehicle: from now on, or from a day.
    #expect(try run(["import", "--posts", elsewhere]).status == 0)
    #expect(try standing() == 1)
    #expect(try run(["import", "--posts", file]).status == 0)
    func moved(_ day: String) throws -> String {
      try files.write(
        "moved.csv",
        "code,name,segment,position_index,since\nBNP-A,North,Banepa,0,\nBNP-B,South,,,\(day)\n")
    }
    #expect(try run(["import", "--posts", moved("2024-02-29")]).status == 0)
    #expect(try standing() == 1)
    let early = try run(["import", "--posts", moved("2024-01-01")])
    #expect(early.status == 64)
    #expect(
      early.errors.contains(
        "0 changed and 1 retracted; of those changed and retracted 1 are confirmed"))
    #expect(try run(["import", "--posts", moved("2999-01-01")]).status == 65)
    #expect(try run(["import", "--posts", moved("2024-01-01"), "--yes"]).status == 0)
    #expect(try standing() == 0)
    // Put back, it is found again, and confirmed as before.
    let back = try run(["import", "--posts", file, "--always", "--yes"])
    #expect(back.status == 0, "\(back)")
    let again = try run(["violations", "--json"]).objects()
    #expect(again.map { $0["confirmed_by"] as? String } == ["Maya"])
  }

  @Test func aSegmentThatIsTooLongOrTooFastIsRefusedWithItsReason() throws {
    for (row, words) in [
      ("10000,20,60", "distance_km has to be above 0 and below 10000"),
      ("30,20,1000", "max_speed_kmh has to be above 0 and below 1000"),
    ] {
      let file = try files.write(
        "long.csv", "name,distance_km,min_speed_kmh,max_speed_kmh\nLong,\(row)\n")
      let outcome = try run(["import", "--segments", file])
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test func rangersAreListedWithWhereTheyServedBefore() throws {
    let places = try posts("BNP-A,North,Banepa,0\nBNP-B,South,Banepa,1\n")
    _ = try run(["import", "--segments", segments, "--posts", places])
    for row in ["BNP-A,", "BNP-B,2026-03-01T00:00:00Z"] {
      let rangers = try files.write(
        "rangers.csv", "name,phone,checkpost,since\nSita,+9779841114567,\(row)\n")
      #expect(try run(["import", "--rangers", rangers]).status == 0)
    }
    let now = try run(["rangers", "--json"]).objects()
    #expect(now.map { $0["checkpost"] as? String } == ["BNP-B"])
    #expect(now.map { $0["suffix"] as? String } == ["4567"])
    let all = try run(["rangers", "--history", "--json"]).objects()
    #expect(all.map { $0["checkpost"] as? String } == ["BNP-A", "BNP-B"])
    #expect(all.map { $0["name"] as? String } == ["Sita", "Sita"])
    #expect(all.map { $0["since"] as? String } == [nil, "2026-03-01T00:00:00Z"])
    #expect(all.map { $0["until"] as? String } == ["2026-03-01T00:00:00Z", nil])
    let table = try run(["rangers", "--history", "--checkpost", "BNP-A", "--csv"]).lines
    #expect(table.first?.hasSuffix("name,phone,checkpost,suffix,since,until") == true)
    #expect(table.dropFirst().map { $0.hasPrefix("Sita,") } == [true])

    let ahead = try files.write(
      "rangers.csv", "name,phone,checkpost,since\nSita,+9779841114567,BNP-A,2999-01-01\n")
    let refused = try run(["import", "--rangers", ahead])
    #expect(refused.status == 65)
  }
}
