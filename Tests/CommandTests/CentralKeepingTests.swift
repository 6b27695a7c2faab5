import CentralCore
import CentralSQLite
import Foundation
import Testing
import Time

/// What there is, written whole; a vehicle that is erased; and messages that are processed once more.
@Suite(.ownThreads) struct CentralKeepingTests {
  private let files: ProgramFiles
  private let database: String
  private let config: String

  init() throws {
    files = try ProgramFiles()
    database = files.path("central.db")
    let photos = files.path("photos")
    config = try files.write(
      "checkpost.yaml",
      """
      control:
        socket: \(files.path("socket"))
      central:
        photos: \(photos)
        ingress:
          mode: open
      """)
  }

  private func run(_ arguments: [String], on database: String? = nil) throws -> Program.Outcome {
    try Program.run(
      ["central"] + arguments + ["--database", database ?? self.database, "--config", config])
  }

  /// A vehicle that was too fast, the same again by another text, another vehicle, and nonsense about each.
  private func fill() throws {
    let segments = try files.write(
      "segments.csv", "name,distance_km,min_speed_kmh,max_speed_kmh\nBanepa,30,20,60\n")
    let posts = try files.write(
      "posts.csv",
      "code,name,segment,position_index\nBNP-A,North,Banepa,0\nBNP-B,South,Banepa,1\n")
    #expect(try run(["import", "--segments", segments, "--posts", posts]).status == 0)
    let store = try SQLiteCentralStore(path: database)
    var rules = CentralRules()
    rules.ingress = .open
    let texts = [
      "V1|BNP-A|BA1PA1234|CAR|1709120000|4567", "V1|BNP-B|BA1PA1234|CAR|1709121000|0000",
      "V1|BNP-A|BA1PA1234|CAR|1709120000|4567", "V1|BNP-A|KO2KHA77|BUS|1709120000|4567",
      "V1|BNP-B|KO2KHA77|BUS|1709123000|4567", "ko 2 kha 77 is broken", "=1+1",
    ]
    let wall = WallTime(milliseconds: 1_709_123_500_250)
    _ = try store.keep(
      texts.enumerated().map { index, text in
        InboundMessage(
          provider: "twilio", providerID: "SM\(index)", from: "+9779841114567", text: text,
          receivedAt: wall)
      })
    _ = try store.process(rules: rules, at: wall)
    try store.close()
  }

  @Test func everythingIsWrittenWhole() throws {
    try fill()
    let passages = try run(["export", "passages"]).objects()
    #expect(passages.count == 4)
    #expect(passages.first?["plate_number"] as? String == "BA1PA1234")
    #expect(try run(["export", "passages", "--plate", "ko 2 kha 77"]).lines.count == 2)
    #expect(try run(["export", "passages", "--checkpost", "BNP-B"]).lines.count == 2)
    #expect(
      try run(["export", "passages", "--since", "2024-02-28T12:00:00Z"]).lines.count == 1)
    #expect(
      try run(["export", "passages", "--until", "2024-02-28T12:00:00Z", "--csv"]).lines.count == 4)
    let violations = try run(["export", "violations"]).objects()
    #expect(violations.count == 1)
    #expect((violations.first?["revisions"] as? [Any])?.count == 1)
    #expect(try run(["export", "violations", "--csv"]).lines.count == 2)
    let inbox = try run(["export", "inbox"]).objects()
    #expect(inbox.map { $0["provider_id"] as? String } == (0..<7).map { "SM\($0)" })
    #expect(try run(["export", "inbox", "--csv"]).output.contains("'=1+1"))
    for wrong in [
      ["export"], ["export", "inbox", "--plate", "BA1PA1234"],
      ["export", "--plate", "BA1PA1234", "--csv"], ["export", "passages", "--since", "x"],
    ] {
      #expect(try run(wrong).status == 64, "\(wrong)")
    }
  }

  @Test func aVehicleIsWrittenForItsKeeperAlone() throws {
    try fill()
    let file = files.path("vehicle.jsonl")
    let outcome = try run(["export", "--plate", "KO 2 KHA 77", "--output", file])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!outcome.errors.contains("KHA"))
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let parts = try text.split(separator: "\n").map { line in
      try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["part"] as? String
    }
    #expect(parts == ["passage", "passage", "message", "message", "message"])
    #expect(!text.contains("BA1PA1234"))
    // Nothing is written over.
    #expect(try run(["export", "passages", "--output", file]).status == 74)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }

  @Test func aVehicleIsErasedOnlyWhenThatIsSaid() throws {
    try fill()
    let trial = try run(["erase", "--plate", "KO2KHA77", "--dry-run", "--json"]).objects().first
    #expect(trial?["passages"] as? Int == 2)
    #expect(trial?["messages"] as? Int == 3)
    #expect(trial?["erased"] as? Bool == false)
    let unasked = try run(["erase", "--plate", "KO2KHA77"])
    #expect(unasked.status == 64)
    #expect(unasked.errors.contains("--yes"))
    #expect(try run(["export", "passages"]).lines.count == 4)
    let erased = try run(["erase", "--plate", "ko 2 kha 77", "--yes"])
    #expect(erased.status == 0, "\(erased.errors)")
    #expect(erased.output.hasPrefix("erased: passages 2, reports 2"))
    #expect(try run(["export", "passages"]).lines.count == 2)
    #expect(try run(["export", "--plate", "KO2KHA77"]).lines.isEmpty)
    #expect(try run(["erase", "--plate", "KO2KHA77", "--yes"]).status == 65)
    let audit = try run(["users", "audit", "--json"])
    #expect(audit.output.contains("\"vehicle_erased\""))
    #expect(!audit.output.contains("KHA"))
    // The one that was too fast: its evidence is to stay.
    let held = try run(["erase", "--plate", "BA1PA1234", "--yes"])
    #expect(held.status == 65, "\(held.output)")
    #expect(held.errors.contains("1 open violation"))
    #expect(held.errors.contains("--with-open-violations"))
    #expect(try run(["violations", "--json"]).lines.count == 1)
    let all = try run(["erase", "--plate", "BA1PA1234", "--yes", "--with-open-violations"])
    #expect(all.status == 0, "\(all.errors)")
    #expect(try run(["violations", "--json"]).lines.isEmpty)
    #expect(try run(["export", "passages"]).lines.isEmpty)
    #expect(try run(["export", "inbox"]).lines.count == 1)
  }

  /// Of the same texts by the same directory comes the same.
  @Test func theSameComesOfTheSameTexts() throws {
    try fill()
    let copy = files.path("again.db")
    let trial = try run(["replay", "--into", copy, "--dry-run", "--json"]).objects().first
    #expect(trial?["passages"] as? Int == 4)
    #expect(trial?["violations"] as? Int == 1)
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try run(["replay", "--into", copy]).status == 0)
    let other = try files.write("inbox.jsonl", try run(["export", "inbox"]).output)
    let third = files.path("third.db")
    #expect(try run(["replay", "--from", other, "--into", third]).status == 0)
    for what in ["passages", "violations", "inbox"] {
      let lines = try run(["export", what]).lines
      #expect(!lines.isEmpty)
      #expect(try run(["export", what], on: copy).lines == lines, "\(what)")
      #expect(try run(["export", what], on: third).lines == lines, "\(what)")
    }
    // Into what is there nothing more comes of it.
    let again = try #require(try run(["replay", "--from", other, "--json"]).objects().first)
    #expect(again["messages"] as? Int == 7)
    #expect(again["known"] as? Int == 7)
    #expect(again["passages"] as? Int == 0)
    #expect(try run(["export", "passages"]).lines.count == 4)
    #expect(try run(["replay"]).status == 64)
    let broken = try files.write("broken.jsonl", "{\"id\":1}\n")
    let refused = try run(["replay", "--from", broken])
    #expect(refused.status == 65)
    #expect(refused.errors.contains("broken.jsonl, line 1"))
  }

  /// Whoever was moved meanwhile is still the one who wrote down what passed before.
  @Test func whoServedWhereIsTakenAlong() throws {
    try fill()
    for rangers in [
      "Ram Thapa,+9779801234567,BNP-A,\nSita Rai,+9779809994567,BNP-B,2024-02-28T11:00:00Z\n",
      "Ram Thapa,+9779801234567,BNP-B,2024-02-28T12:00:00Z\n"
        + "Sita Rai,+9779809994567,BNP-A,2024-02-28T11:55:00Z\n",
    ] {
      let file = try files.write("rangers.csv", "name,phone,checkpost,since\n" + rangers)
      let imported = try run(["import", "--rangers", file])
      #expect(imported.status == 0, "\(imported.errors)")
    }
    let copy = files.path("again.db")
    #expect(try run(["replay", "--into", copy]).status == 0)
    for what in [["rangers", "--history", "--json"], ["export", "passages"]] {
      let lines = try run(what).lines
      #expect(lines.count == 4)
      #expect(try run(what, on: copy).lines == lines, "\(what)")
    }
    let rangers = try run(["export", "passages"]).objects().map { $0["ranger"] as? String }
    #expect(rangers.count { $0 == "Ram Thapa" } == 3)
  }
}
