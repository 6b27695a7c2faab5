import GRDB
import NodeCore
import Passages
import SQLiteFile
import Storage
import TestSupport
import Testing
import Time

@testable import NodeSQLite

/// A file of each earlier version, with a passage in every state that the version knew.
@Suite struct VersionTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static let versions = [
    "1: passages, queue, texts, log, inbox", "2: fewer indexes of texts",
    "3: budgets, priorities, reports, parts", "4: texts that were not delivered",
    "5: times of reports, of starts and of passages", "6: names of columns, no table of events",
    "7: passages that were handed on",
  ]

  private func passage(_ id: Int, columns: String = "", values: String = "") -> String {
    """
    INSERT INTO passages (id, client_id, content_client_id, plate_number, plate_number_raw,
      vehicle_type, checkpost, segment, recorded_at_ms, ranger_phone_suffix, ranger, photo_path,
      source, v1_body)
    VALUES (\(id), '00000000-0000-4000-8000-00000000000\(id)',
      '00000000-0000-5000-8000-00000000000\(id)', 'BA1PA\(id)', 'ba 1 pa \(id)', 'bus', 'BNP-A',
      'north', 1800000000000 + \(id), '9801', 'ranger', 'p\(id).jpg', 'app', 'body \(id)');
    INSERT INTO queue (id, created_at_ms, since_t, text_due_t\(columns))
    VALUES (\(id), 1800000005000 + \(id), 7000000000 + \(id), 307000000001 + \(id)\(values));
    """
  }

  private func text(_ id: Int, of queueID: Int, _ outcome: String) -> String {
    """
    INSERT INTO texts (id, queue_id, modem, recipient, recipient_tail, body, intent_t, intent_ms)
    VALUES (\(id), \(queueID), 0, '+9779800000000', '00000000', 'body \(queueID)',
      9000000000 + \(id), 5);
    UPDATE queue SET text_due_t = NULL, last_text_t = 9000000000 + \(id) WHERE id = \(queueID);
    UPDATE texts SET outcome = '\(outcome)', outcome_t = 6, outcome_ms = 7, error = 'why'
    WHERE id = \(id);
    """
  }

  /// Every state, by the number of its passage.
  private func rows(_ version: Int) -> String {
    let (attempts, requeues) =
      version >= 6 ? ("text_attempts", "requeues") : ("airings", "rearms")
    var sql = """
      INSERT INTO meta VALUES ('boot_id', 'boot-0'), ('clock_offset_ns', 0),
        ('last_time_ns', 9500000000);
      \(passage(1))
      \(passage(2))
      UPDATE queue SET status = 'in_flight', last_attempt_at_ms = 11 WHERE id = 2;
      UPDATE queue SET status = 'synced' WHERE id = 2;
      \(passage(3))
      UPDATE queue SET status = 'in_flight' WHERE id = 3;
      UPDATE queue SET status = 'failed', attempts = 5, last_error = '503',
        last_error_class = 'transient' WHERE id = 3;
      \(passage(4))
      UPDATE queue SET status = 'in_flight' WHERE id = 4;
      UPDATE queue SET status = 'failed', attempts = 2, last_error = '22P02',
        last_error_class = 'permanent' WHERE id = 4;
      UPDATE queue SET status = 'pending', attempts = 0, \(requeues) = 1 WHERE id = 4;
      \(passage(5))
      UPDATE queue SET parked_reason = 'bad plate', text_due_t = NULL WHERE id = 5;
      \(passage(6))
      \(text(1, of: 6, "accepted"))
      UPDATE queue SET sms_sent = 1, \(attempts) = 1 WHERE id = 6;
      INSERT INTO text_parts (text_id, part, reference, delivery, delivery_status, delivery_ms)
      VALUES (1, 1, 17, 'trying', 48, 8);
      \(passage(7))
      \(text(2, of: 7, "unknown"))
      \(text(3, of: 7, "refused"))
      UPDATE queue SET \(attempts) = 1, refusals = 1, allowance = 1 WHERE id = 7;
      \(passage(8))
      UPDATE queue SET status = 'in_flight' WHERE id = 8;
      INSERT INTO texts (id, modem, recipient, recipient_tail, body, intent_t, intent_ms)
      VALUES (4, 0, '+9779800000000', '00000000', 'hello', 9000000004, 5);
      """
    sql +=
      version >= 3
      ? """
      INSERT INTO inbox (pdu, identity, received_ms, received_t, kind, sender, text_id)
      VALUES ('00', '00', 5, 6, 'status_report', '+9779800000000', 1);
      UPDATE queue SET priority = 2, worth_t = 5, outdated = 1 WHERE id = 1;
      """
      : """
      INSERT INTO inbox (pdu, received_ms, kind, sender, text_id)
      VALUES ('00', 5, 'status_report', '+9779800000000', 1);
      """
    if version >= 4 { sql += "UPDATE queue SET undelivered = 1 WHERE id = 6;" }
    if version >= 5 {
      sql += passage(9) + "UPDATE queue SET text_due_t = NULL WHERE id = 9;"
      sql += "UPDATE passages SET undated = 1 WHERE id = 9;"
    }
    if version >= 7 { sql += "UPDATE queue SET text_due_t = NULL, handed_on_ms = 99 WHERE id = 3;" }
    return sql
  }

  private func open(_ version: Int) throws -> SQLiteNodeStore {
    let path = directory.file("node.db")
    try SQLiteFile.open(
      path, applicationID: NodeSchema.applicationID, migrations: DatabaseMigrator()
    ).close()
    let queue = try DatabaseQueue(path: path)
    try NodeSchema.migrations.migrate(queue, upTo: VersionTests.versions[version - 1])
    try queue.write { try $0.execute(sql: rows(version)) }
    try queue.close()
    return try SQLiteNodeStore(path: path, bootID: "boot-0")
  }

  @Test(arguments: 1...7) func everyStateIsKept(_ version: Int) throws {
    let store = try open(version)
    defer { try? store.close() }
    let items = try store.list(QueueQuery())
    #expect(items.map(\.queueID) == Array(1...(version >= 5 ? 9 : 8)))
    let statuses: [QueueStatus] = [
      .pending, .synced, .failed, .pending, .pending, .pending, .pending, .inFlight, .pending,
    ]
    for item in items {
      let id = Int(item.queueID)
      #expect(item.status == statuses[id - 1], "\(id)")
      let passage = item.passage
      #expect(passage.clientID == ClientID("00000000-0000-4000-8000-00000000000\(id)"))
      #expect(passage.contentClientID == ClientID("00000000-0000-5000-8000-00000000000\(id)"))
      #expect(passage.plate == (try Plate("ba 1 pa \(id)")))
      #expect(passage.vehicleType == .bus)
      #expect(passage.checkpost.code == "BNP-A")
      #expect(passage.segment == "north")
      #expect(passage.recordedAt == WallTime(milliseconds: 1_800_000_000_000 + Int64(id)))
      #expect(passage.suffix.digits == "9801")
      #expect(passage.ranger == "ranger")
      #expect(passage.photoPath == "p\(id).jpg")
      #expect(passage.source == .app)
      #expect(passage.v1Body == "body \(id)")
      #expect(passage.isUndated == (id == 9))
      #expect(item.createdAt == WallTime(milliseconds: 1_800_000_005_000 + Int64(id)))
      #expect(item.since == BootInstant(nanoseconds: 7_000_000_000 + Int64(id)))
      let isDue = [1, 4, 8].contains(id) || (id == 3 && version < 7)
      let due = BootInstant(nanoseconds: 307_000_000_001 + Int64(id))
      #expect(item.textDue == (isDue ? due : nil), "\(id)")
      #expect(item.priority == (id == 1 && version >= 3 ? 2 : 1))
      #expect(item.isOutdated == (id == 1 && version >= 3))
      #expect(item.handedOnAt == (id == 3 && version >= 7 ? WallTime(milliseconds: 99) : nil))
      #expect(item.isTexted == (id == 6))
      #expect(item.isUndelivered == (id == 6 && version >= 4))
      #expect(item.textAttempts == (id == 6 || id == 7 ? 1 : 0))
      #expect(item.refusals == (id == 7 ? 1 : 0))
      #expect(item.parkedReason == (id == 5 ? "bad plate" : nil))
      #expect(item.attempts == (id == 3 ? 5 : 0))
      #expect(item.requeues == (id == 4 ? 1 : 0))
      #expect(item.lastError == (id == 3 ? "503" : id == 4 ? "22P02" : nil))
      let uploads = try store.uploads(of: item.queueID)
      #expect(uploads.map(\.kind) == [.passage])
      let waits = item.status == .pending && id != 9
      #expect(uploads.first?.next == (waits ? item.since : nil), "\(id)")
      #expect(uploads.first?.isPermanent == (id == 4))
      #expect(
        uploads.first?.lastAttemptAt == (id == 2 ? WallTime(milliseconds: 11) : nil))
      #expect(item.syncedAt == (id == 2 ? WallTime(milliseconds: 11) : nil))
    }
  }

  @Test(arguments: 1...7) func everyTextIsKept(_ version: Int) throws {
    let store = try open(version)
    defer { try? store.close() }
    let accepted = try #require(try store.texts(of: 6).first)
    #expect(accepted.id == 1)
    #expect(accepted.outcome == "accepted")
    #expect(accepted.references == [17])
    #expect(accepted.delivery == .trying)
    #expect(accepted.body == "body 6")
    #expect(accepted.recipient == "+9779800000000")
    #expect(accepted.begunAt == WallTime(milliseconds: 5))
    #expect(accepted.outcomeAt == WallTime(milliseconds: 7))
    #expect(accepted.error == "why")
    #expect(try store.texts(of: 7).map(\.outcome) == ["unknown", "refused"])
    #expect(try store.texts(of: nil).map(\.body) == ["hello"])
    #expect(try store.inbox().map(\.kind) == ["status_report"])
    let columns = try store.file.read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT worth_t, allowance, last_text_t, (SELECT text_id FROM inbox) FROM text_deliveries
          WHERE passage_id = 7
          """)
    }
    #expect(columns?[1] == 1)
    #expect(columns?[2] == 9_000_000_003)
    #expect(columns?[3] == 1)
  }

  /// What is counted is what is there, nothing points nowhere, and the numbers go on.
  @Test(arguments: 1...7) func theCountsAreTrue(_ version: Int) throws {
    let store = try open(version)
    defer { try? store.close() }
    let (astray, integrity) = try store.file.read { database in
      (
        try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count,
        try String.fetchOne(database, sql: "PRAGMA integrity_check")
      )
    }
    #expect(astray == 0)
    #expect(integrity == "ok")
    let overview = try store.overview(at: .seconds(20))
    #expect(overview.pending == (version >= 5 ? 6 : 5))
    #expect(overview.inFlight == 1)
    #expect(overview.synced == 1)
    #expect(overview.failed == 1)
    #expect(overview.texted == 1)
    #expect(overview.textedLive == (version >= 4 ? 0 : 1))
    #expect(overview.parked == 1)
    #expect(overview.handedOn == (version >= 7 ? 1 : 0))
    #expect(overview.waitingForText == (version >= 7 ? 3 : 4))
    let moment = Moment(boot: .seconds(20), wall: WallTime(epochSeconds: 1_800_000_000))
    let answer = try store.transaction { transaction throws(StorageError) in
      try transaction.dueUploads(UploadQuery(.passage, limit: 50), at: moment.boot)
    }
    #expect(answer.uploads.map(\.queueID) == [1, 4, 5, 6, 7])
    #expect(answer.backlog == 5)
    let heartbeat = try store.transaction { transaction throws(StorageError) in
      try transaction.heartbeatFacts(at: moment)
    }
    #expect(heartbeat.texted == 1)
    #expect(heartbeat.lastNumber == (version >= 5 ? 9 : 8))
    let facts = try store.recover(rules: NodeRules(), at: moment)
    #expect(facts.nextTextID == 5)
    #expect(facts.inFlight == 1)
    let new = try store.record([RecordRequest(samplePassage(1))], at: moment)
    #expect(new == [.recorded(samplePassage(1).clientID, queueID: version >= 5 ? 10 : 9)])
  }
}
