import Foundation
import GRDB
import NodeCore
import SQLiteFile
import Storage
import TestSupport
import Testing
import Time

@testable import NodeSQLite

/// A file that an older program wrote.
@Suite struct MigrationTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var path: String { directory.path + "/node.db" }

  /// The file as the program left it that knew no later migration than this.
  private func old(_ migration: String) throws -> DatabaseQueue {
    try SQLiteFile.open(
      path, applicationID: NodeSchema.applicationID, migrations: DatabaseMigrator()
    ).close()
    let queue = try DatabaseQueue(path: path)
    try NodeSchema.migrations.migrate(queue, upTo: migration)
    return queue
  }

  @Test func aFileOfTheFirstVersionKeepsItsTexts() throws {
    let old = try old("1: passages, queue, texts, log, inbox")
    try old.write { database in
      for (id, outcome) in [(1, "accepted"), (2, "not_sent"), (3, "intent")] {
        try database.execute(
          sql: """
            INSERT INTO texts (id, modem, recipient, recipient_tail, body, intent_t, intent_ms)
            VALUES (?, 0, '+9779800000000', '800000000', 'text', ?, 0)
            """, arguments: [id, Int64(id) * 1_000_000_000])
        try database.execute(
          sql: "UPDATE texts SET outcome = ? WHERE id = ? AND outcome <> ?",
          arguments: [outcome, id, outcome])
      }
    }
    try old.close()
    let store = try SQLiteNodeStore(path: path, bootID: "boot-1")
    defer { try? store.close() }
    let facts = try store.recover(
      rules: NodeRules(),
      at: Moment(boot: .zero + .seconds(60), wall: WallTime(epochSeconds: 1_800_000_000)))
    #expect(facts.nextTextID == 4)
    #expect(facts.intents == 1)
    // What never left cost nothing.
    #expect(facts.charges.map(\.at) == [.zero + .seconds(1), .zero + .seconds(3)])
    #expect(facts.charges.allSatisfy { $0.modem == ModemID(0) })
  }

  @Test func aFileOfTheThirdVersionKnowsWhatWasNotDelivered() throws {
    let old = try old("3: budgets, priorities, reports, parts")
    try old.write { database in
      for (id, end) in [(1, "'failed', 65"), (2, "'expired', NULL")] {
        try database.execute(
          sql: """
            INSERT INTO passages (id, client_id, content_client_id, plate_number, plate_number_raw,
              vehicle_type, checkpost, recorded_at_ms, ranger_phone_suffix, source, v1_body)
            VALUES (\(id), '00000000-0000-4000-8000-00000000000\(id)', 'content \(id)', 'BA1PA1', 'BA1PA1', 'car', 'BNP-A',
              1800000000000, '9801', 'app', 'b');
            INSERT INTO queue (id, created_at_ms, since_t) VALUES (\(id), 0, 0);
            INSERT INTO texts
              (id, queue_id, modem, recipient, recipient_tail, body, intent_t, intent_ms)
            VALUES (\(id), \(id), 0, '+9779800000000', '00000000', 'b', 1000000000, 0);
            UPDATE texts SET outcome = 'accepted' WHERE id = \(id);
            UPDATE queue SET sms_sent = 1, airings = 1 WHERE id = \(id);
            INSERT INTO text_parts (text_id, part, reference, delivery, delivery_status)
            VALUES (\(id), 1, 7, \(end));
            """)
      }
    }
    try old.close()
    let store = try SQLiteNodeStore(path: path, bootID: "boot-1")
    defer { try? store.close() }
    let moment = Moment(boot: .zero + .seconds(60), wall: WallTime(epochSeconds: 1_800_000_000))
    #expect(try store.overview(at: moment.boot).undelivered == 1)
    #expect(try store.retry(1, at: moment) == .retried)
    #expect(try store.retry(2, at: moment) == .alreadyTexted)
    #expect(try store.overview(at: moment.boot).texted == 1)
  }

  @Test func aFileOfTheFourthVersionCountsTheAgeOfItsPassages() throws {
    let old = try old("4: texts that were not delivered")
    try old.write { database in
      for (id, age) in [(1, 0), (2, 100 * 3_600)] {
        try database.execute(
          sql: """
            INSERT INTO passages (id, client_id, content_client_id, plate_number, plate_number_raw,
              vehicle_type, checkpost, recorded_at_ms, ranger_phone_suffix, source, v1_body)
            VALUES (\(id), '00000000-0000-4000-8000-00000000000\(id)', 'content \(id)', 'BA1PA1', 'BA1PA1', 'car', 'BNP-A',
              1800000000000 - \(age) * 1000, '9801', 'app', 'b');
            INSERT INTO queue (id, created_at_ms, since_t, text_due_t)
            VALUES (\(id), 1800000000000, 5000000000, 305000000001);
            """)
      }
      try database.execute(
        sql: """
          INSERT INTO meta VALUES ('boot_id', 'boot-0'), ('clock_offset_ns', 0);
          INSERT INTO texts (id, modem, recipient, recipient_tail, body, intent_t, intent_ms)
          VALUES (1, 0, '+9779800000000', '00000000', 'text', 1000000000, 0);
          UPDATE texts SET outcome = 'unknown' WHERE id = 1;
          INSERT INTO inbox (pdu, identity, received_ms, received_t, kind, sender, reference,
            recipient_tail, delivery, delivery_status)
          VALUES ('00', '00', 5, 2000000000, 'status_report', '+9779800000000', 7, '00000000',
            'delivered', 0);
          """)
    }
    try old.close()
    let store = try SQLiteNodeStore(path: path, bootID: "boot-1")
    defer { try? store.close() }
    let moment = Moment(
      boot: .zero + .seconds(400), wall: WallTime(epochSeconds: 1_800_000_400))
    #expect(
      try store.bootMoment(of: .seconds(5)) == BootMoment(bootID: "boot-0", time: .seconds(5)))
    let due = try store.transaction { transaction throws(StorageError) in
      let first = try transaction.chooseDue(at: moment.boot).text
      try transaction.apply(.outdated(queueID: 1), at: moment)
      return [first, try transaction.chooseDue(at: moment.boot).text]
    }
    #expect(due.map { $0?.worthSince } == [nil, .seconds(5 - 100 * 3_600)])
    #expect(try store.overview(at: moment.boot).undated == 0)
    // A report of before the change, without times, still finds its text.
    let matched = try store.transaction { transaction throws(StorageError) in
      try transaction.matchReports(ofTextBy: "modem", at: moment)
    }
    #expect(matched.map(\.textID) == [1])
  }

  @Test func aFileOfTheFifthVersionGoesOnFromItsLastEvent() throws {
    let old = try old("5: times of reports, of starts and of passages")
    try old.write { database in
      try database.execute(
        sql: """
          INSERT INTO passages (id, client_id, content_client_id, plate_number, plate_number_raw,
            vehicle_type, checkpost, recorded_at_ms, ranger_phone_suffix, source, v1_body)
          VALUES (1, '00000000-0000-5000-8000-000000000001',
            '00000000-0000-5000-8000-000000000001', 'BA1PA1', 'BA1PA1', 'car', 'BNP-A',
            1800000000000, '9801', 'app', 'b');
          INSERT INTO queue (id, created_at_ms, since_t) VALUES (1, 1800000000000, 5000000000);
          UPDATE queue SET airings = 2 WHERE id = 1;
          UPDATE queue SET status = 'in_flight' WHERE id = 1;
          UPDATE queue SET status = 'failed', attempts = 5 WHERE id = 1;
          UPDATE queue SET status = 'pending', attempts = 0, rearms = 1 WHERE id = 1;
          INSERT INTO meta VALUES ('boot_id', 'boot-0'), ('last_time_ns', 6000000000);
          INSERT INTO log (t, at_ms, level, event, words)
          VALUES (7000000000, 0, 'info', 'text_accepted', 'a'),
            (8000000000, 0, 'info', 'text_accepted', 'b');
          """)
    }
    try old.close()
    let store = try SQLiteNodeStore(path: path, bootID: "boot-1")
    defer { try? store.close() }
    #expect(store.clock.offset == .seconds(8))
    let item = try #require(try store.item(1))
    #expect(item.textAttempts == 2)
    #expect(item.requeues == 1)
    let moment = Moment(boot: .seconds(9), wall: WallTime(epochSeconds: 1_800_000_009))
    // The rules hold under the new names too.
    #expect(throws: StorageError.self) {
      try store.file.write {
        try $0.execute(sql: "UPDATE text_deliveries SET text_attempts = 4")
      }
    }
    #expect(try store.retry(1, at: moment) == .retried)
  }

  /// Version 10 knew the opposite post alone: its texts go on, behind all of the centre's.
  @Test(arguments: [true, false]) func aFileOfTheTenthVersionKnowsWhomItTexts(
    _ isTexted: Bool
  ) throws {
    let old = try old("10: texts to the opposite post")
    try old.write { database in
      try database.execute(
        sql: """
          INSERT INTO passages (client_id, content_client_id, plate_number, plate_number_raw,
            vehicle_type, checkpost, recorded_at_ms, ranger_phone_suffix, source, v1_body, since_t,
            created_at_ms, priority)
          VALUES ('00000000-0000-4000-8000-000000000001', 'content', 'BA1PA1', 'BA1PA1', 'car',
            'BNP-A', 1800000000000, '9801', 'app', 'b', 0, 0, 0);
          INSERT INTO text_deliveries (passage_id, recipient, due_t, priority)
          VALUES (1, 'opposite', 5, 0), (1, 'centre', 5, 0);
          INSERT INTO meta VALUES ('opposite_texted', \(isTexted ? 1 : 0));
          """)
    }
    try old.close()
    let store = try SQLiteNodeStore(path: path, bootID: "boot-1")
    defer { try? store.close() }
    let (known, left) = try store.file.read { database in
      (
        try String.fetchAll(database, sql: "SELECT recipient FROM text_recipients"),
        try String.fetchAll(database, sql: "SELECT key FROM meta WHERE key = 'opposite_texted'")
      )
    }
    #expect(known == (isTexted ? ["opposite"] : []))
    #expect(left.isEmpty)
    let now = BootInstant.seconds(60)
    let first = try store.transaction { transaction throws(StorageError) in
      try transaction.chooseDue(at: now).text
    }
    #expect(first?.recipient == .centre)
    #expect(try store.textDeliveries(of: 1).map(\.state) == [.waiting, .waiting])
    // The rules hold here too: eight numbers beside the opposite post, and the centre is none of them.
    for (name, place) in [("centre", 1), ("+9779800000001", 9), ("somebody", 1)] {
      #expect(throws: StorageError.self, "\(name)") {
        try store.file.write {
          try $0.execute(
            sql: "INSERT INTO text_recipients VALUES (?, ?)", arguments: [name, place])
        }
      }
    }
  }

  /// Files that are in use hold these numbers in their rules. Another limit of the core needs a
  /// migration that writes the rules anew.
  @Test func theRulesOfAFileHoldTheCoresLimits() throws {
    #expect(NodeCore.Limits.textsPerPassage == 3)
    #expect(NodeCore.Limits.priorities == 0...2)
    #expect(RecordRequest.standardPriority == 1)
    let file = try SQLiteFile.open(
      path, applicationID: NodeSchema.applicationID, migrations: NodeSchema.migrations)
    defer { try? file.close() }
    let rules = try file.read {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    }
    .joined(separator: "\n")
    for rule in [
      "attempts BETWEEN 0 AND 3", "text_attempts >= 3", "priority BETWEEN 0 AND 2",
    ] {
      #expect(rules.contains(rule), "\(rule)")
    }
  }

  @Test func aFileOfTheSecondVersionKeepsReportsAndWhatCameIn() throws {
    let old = try old("2: fewer indexes of texts")
    try old.write { database in
      try database.execute(
        sql: """
          INSERT INTO texts (id, modem, recipient, recipient_tail, body, intent_t, intent_ms)
          VALUES (1, 0, '+9779800000000', '00000000', 'text', 1000000000, 0);
          UPDATE texts SET outcome = 'accepted' WHERE id = 1;
          INSERT INTO text_parts (text_id, part, reference, delivery, delivery_status)
          VALUES (1, 1, 7, 'trying', 48);
          INSERT INTO inbox (pdu, received_ms, kind, sender, text)
          VALUES ('00', 5, 'deliver', 'NTC', 'credit low');
          """)
    }
    try old.close()
    let store = try SQLiteNodeStore(path: path, bootID: "boot-1")
    defer { try? store.close() }
    let moment = Moment(boot: .zero + .seconds(60), wall: WallTime(epochSeconds: 1_800_000_000))
    #expect(try store.texts(of: nil).map(\.delivery) == [.trying])
    #expect(try store.inbox().map(\.text) == ["credit low"])
    // A report that comes after the change still finds the text of before it.
    let report = StatusReport(
      reference: 7, recipient: "+9779800000000", delivery: .delivered, status: 0)
    let outcome = try store.transaction { transaction throws(StorageError) in
      try transaction.keep(
        InboxEntry(pdu: "07", modem: "modem", content: .statusReport(report)), at: moment)
    }
    #expect(outcome == .kept(textID: 1))
    #expect(try store.texts(of: nil).map(\.delivery) == [.delivered])
  }
}
