import CentralCore
import GRDB
import Passages
import SQLiteFile
import Storage
import Testing
import Time

@testable import CentralSQLite

/// Files of older versions open with all that is in them, once and again.
struct OlderFileTests {
  /// A file as a version left it, with what the SQL puts in.
  private func file(upTo version: String, _ sql: String) throws -> SQLitePlace {
    let place = try SQLitePlace()
    let queue = try DatabaseQueue(path: place.path)
    try Schema.migrations.migrate(queue, upTo: version)
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
      try database.execute(sql: sql)
    }
    try queue.close()
    return place
  }

  private func id(_ body: String) throws -> String {
    try V1Message.decode(body, window: nil).clientID.description
  }

  private func message(_ id: Int, _ body: String, state: String = "decoded") throws -> String {
    let client = state == "undecodable" ? "NULL" : try "'\(self.id(body))'"
    let reason = state == "undecodable" ? "'field_count'" : "NULL"
    return """
      INSERT INTO inbox (id, provider, provider_id, sender, kind, body, received_at_ms, state,
        reason, client_id)
        VALUES (\(id), 'twilio', 'SM\(id)', '+9779841114567', 'text', '\(body)',
          \(1_709_120_000_000 + id * 1_000), '\(state)', \(reason), \(client));
      """
  }

  private func passage(
    _ body: String, of message: Int?, content: String? = nil, client: String? = nil,
    raw: String? = nil
  ) throws -> String {
    let passage = Passage(received: try V1Message.decode(body, window: nil))
    let source = client == nil ? "sms" : "app"
    return """
      INSERT INTO passages (client_id, content_client_id, plate_number, plate_number_raw,
        vehicle_type, checkpost, segment, recorded_at_ms, ranger_phone_suffix, ranger, source,
        v1_body, inbox_id, inserted_at_ms)
        VALUES ('\(client ?? passage.clientID.description)',
          \(content.map { "'\($0)'" } ?? "NULL"), '\(passage.plate.compact)',
          '\(raw ?? passage.plate.raw)', '\(passage.vehicleType.rawValue)',
          '\(passage.checkpost.code)', NULL, \(passage.recordedAt.milliseconds),
          '\(passage.suffix.digits)', 'Somebody', '\(source)', '\(passage.v1Body)',
          \(message.map { "\($0)" } ?? "NULL"), \(1_709_130_000_000 + (message ?? 99) * 1_000));
      """
  }

  private let directory = """
    INSERT INTO segments VALUES ('Banepa', 30000, 20000, 60000);
    INSERT INTO posts VALUES ('BNP-A', 'A', 'Banepa', 0, NULL), ('BNP-B', 'B', 'Banepa', 1, NULL);
    INSERT INTO rangers VALUES ('+9779841114567', 'Sita', 'BNP-A', '4567');
    """

  /// Two rangers who wrote one second down were two rows; an upload knew the identity of its text.
  @Test func passagesOfTheFourthVersionAreJudged() throws {
    let entry = "V1|BNP-A|BA1PA1234|CAR|1709120000|4567"
    let other = "V1|BNP-A|BA1PA1234|CAR|1709120000|9801"
    let later = "V1|BNP-A|BA1PA1234|CAR|1709120030|0000"
    let exit = "V1|BNP-B|BA1PA1234|CAR|1709121000|0000"
    let client = ClientID(random: 1, 2).description
    let place = try file(
      upTo: "v4: heartbeats",
      directory + message(1, entry) + message(2, other) + message(3, later)
        + message(4, "nonsense", state: "undecodable") + passage(entry, of: 1)
        + passage(other, of: 2) + passage(later, of: 3)
        + passage(exit, of: nil, content: id(exit), client: client, raw: "ba-1-pa 1234")
          + """
          UPDATE heard SET heartbeat_at_ms = 1709130000000, last_number = 9,
            through_epoch = 1709125000, waiting = 0, texted = 5, baseline = 2
            WHERE checkpost = 'BNP-A';
          """)
    for round in 0..<2 {
      let store = try SQLiteCentralStore(path: place.path)
      let overview = try store.overview()
      #expect(overview.passages == 2)
      #expect(overview.received == 4 + round)
      #expect(overview.undecodable == 1)
      let heard = try #require(overview.heard.first { $0.code == "BNP-A" })
      #expect(heard.passages == 1)
      #expect(heard.recorded == 3)
      #expect(heard.missing == 0)
      #expect(heard.lastAt == WallTime(milliseconds: 1_709_130_003_000))
      let passages = try store.passages(PassageQuery())
      #expect(passages.map(\.passage.clientID.description) == [try id(entry), client])
      #expect(passages.map(\.uuid.description) == [try id(entry), client])
      #expect(passages.map(\.passage.segment) == ["Banepa", "Banepa"])
      #expect(passages.map(\.passage.ranger) == ["Sita", "Somebody"])
      #expect(passages.map(\.passage.plate.raw) == ["BA1PA1234", "ba-1-pa 1234"])
      #expect(passages.map(\.channels) == [[.text], round == 0 ? [.upload] : [.upload, .text]])
      #expect(passages.map(\.partner?.row) == [passages[1].id, passages[0].id])
      #expect(
        passages.map(\.firstReceivedAt.milliseconds) == [1_709_120_001_000, 1_709_130_099_000])
      let violations = try store.violations(ViolationQuery())
      #expect(violations.map(\.violation.finding.kind) == [.speeding])
      #expect(violations.map(\.violation.finding.seconds) == [1_000])
      let evidence = try #require(try store.violation(violations[0].uuid))
      #expect(evidence.entry.records.map(\.times) == [2, 1])
      #expect(evidence.exit.records.map(\.times) == [1 + Int64(round)])
      #expect(evidence.entry.records[0].reports.map(\.origin.inboxID) == [1, 2])
      // Whatever comes again under any of the identities is known.
      let wall = WallTime(epochSeconds: 1_709_140_000)
      _ = try store.keep([
        InboundMessage(
          provider: "twilio", providerID: "again \(round)", from: "+9779841114567", text: exit,
          receivedAt: wall)
      ])
      var rules = CentralRules()
      rules.ingress = .open
      for message in try store.process(rules: rules, at: wall).messages {
        guard case .duplicate = message.result else {
          Issue.record("a new passage: \(message)")
          continue
        }
      }
      #expect(try store.overview().passages == 2)
      let state = try store.transaction { inbox throws(StorageError) in
        try (inbox as? InboxTransaction)?.rejudging()
      }
      #expect(state?.pending == nil)
      #expect(state?.rules == JudgingRules().words)
      try store.close()
    }
  }

  @Test func aFileOfTheFirstVersionIsCounted() throws {
    let entry = "V1|BNP-A|BA1PA1234|CAR|1709120000|4567"
    let place = try file(
      upTo: "v1",
      directory + message(1, entry) + message(2, "nonsense", state: "undecodable")
        + passage(entry, of: 1))
    let store = try SQLiteCentralStore(path: place.path)
    let overview = try store.overview()
    #expect(overview.received == 2)
    #expect(overview.passages == 1)
    #expect(overview.undecodable == 1)
    #expect(overview.heard.first { $0.lastAt != nil }?.passages == 1)
    #expect(
      overview.heard.first { $0.lastAt != nil }?.lastAt
        == WallTime(milliseconds: 1_709_130_001_000))
    try store.close()
  }

  @Test func anEmptyFileOfEachVersionOpensTwice() throws {
    for version in ["v1", "v2: counts", "v3: posts heard of", "v4: heartbeats"] {
      let place = try file(upTo: version, directory)
      for _ in 0..<2 {
        let store = try SQLiteCentralStore(path: place.path)
        #expect(try store.overview().posts == 2, "\(version)")
        #expect(try store.passages(PassageQuery()).isEmpty, "\(version)")
        try store.close()
      }
    }
  }
}
