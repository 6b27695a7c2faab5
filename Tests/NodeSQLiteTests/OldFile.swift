import GRDB
import NodeCore
import SQLiteFile
import Testing

@testable import NodeSQLite

/// A file as the program of a version left it: a passage in every state that the version knew, and a row
/// in every table that it had.
///
/// A new version adds a case to ``versions``, and to the rows below whatever only its program writes.
struct OldFile: Sendable, CustomTestStringConvertible {
  /// Its version: how many migrations it has seen.
  let version: Int
  /// The last of them.
  let migration: String

  var testDescription: String { migration }

  /// Every version of which a file is made here, today's among them.
  static let versions = [
    "1: passages, queue, texts, log, inbox", "2: fewer indexes of texts",
    "3: budgets, priorities, reports, parts", "4: texts that were not delivered",
    "5: times of reports, of starts and of passages", "6: names of columns, no table of events",
    "7: passages that were handed on", "8: deliveries apart from passages", "9: heartbeats",
    "10: texts to the opposite post", "11: recipients of texts",
    "12: why and since when uploads are not taken",
    "13: photographs that are stored or left out", "14: passages on hold and withdrawn",
    "15: texts of operators",
  ].enumerated().map { OldFile(version: $0.offset + 1, migration: $0.element) }

  /// The numbers of its passages. The thirteenth of later versions was removed since.
  var passages: ClosedRange<Int> { 1...(hasDeliveries ? 12 : version >= 5 ? 9 : 8) }
  /// The number of its last passage.
  var lastPassage: Int { hasDeliveries ? 13 : passages.upperBound }
  /// Whether it keeps what goes to the server, and whom a text is for, apart from the passages.
  var hasDeliveries: Bool { version >= 8 }

  /// Makes the file.
  func write(to path: String) throws {
    try SQLiteFile.open(
      path, applicationID: NodeSchema.applicationID, migrations: DatabaseMigrator()
    ).close()
    let queue = try DatabaseQueue(path: path)
    try NodeSchema.migrations.migrate(queue, upTo: migration)
    try queue.write { database in
      try database.execute(sql: common)
      try database.execute(sql: hasDeliveries ? deliveries : queued)
    }
    try queue.close()
  }

  /// A made-up identity.
  static func identity(_ number: Int, of version: Int = 4) -> String {
    let digits = String(number)
    return "00000000-0000-\(version)000-8000-"
      + String(repeating: "0", count: 12 - digits.utf8.count) + digits
  }

  /// What is told of the post, and of the clock.
  static let directory = """
    {"profile":{"fullName":"Sita","isActive":true,"post":{"code":"BNP-A","id":"post-a",\
    "name":"Gate","position":0},"role":"ranger","segment":{"distanceKilometres":12.5,\
    "id":"segment-1","maximumKilometresPerHour":40,"minimumKilometresPerHour":10,\
    "name":"north"},"userID":"user-1"}}
    """

  private var common: String {
    var sql = """
      INSERT INTO meta VALUES ('boot_id', 'boot-0'), ('clock_offset_ns', 0),
        ('last_time_ns', 9500000000), ('fallback_after_ns', 300000000000);
      """
    if version <= 5 {
      sql += """
        INSERT INTO log (t, at_ms, level, event, words)
        VALUES (9400000000, 4, 'info', 'text_accepted', 'a text');
        """
    }
    if version >= 5 { sql += "INSERT INTO boots VALUES (0, 'boot-0');" }
    return sql
  }
}

// The first seven versions: where a passage stands is one row of `queue`.
extension OldFile {
  private func passage(_ id: Int) -> String {
    """
    INSERT INTO passages (id, client_id, content_client_id, plate_number, plate_number_raw,
      vehicle_type, checkpost, segment, recorded_at_ms, ranger_phone_suffix, ranger, photo_path,
      source, v1_body)
    VALUES (\(id), '\(OldFile.identity(id))', '\(OldFile.identity(id, of: 5))', 'BA1PA\(id)',
      'ba 1 pa \(id)', 'bus', 'BNP-A', 'north', 1800000000000 + \(id), '9801', 'ranger',
      'p\(id).jpg', 'app', 'body \(id)');
    INSERT INTO queue (id, created_at_ms, since_t, text_due_t)
    VALUES (\(id), 1800000005000 + \(id), 7000000000 + \(id), 307000000001 + \(id));
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
  private var queued: String {
    let (attempts, requeues) =
      version >= 6 ? ("text_attempts", "requeues") : ("airings", "rearms")
    var sql = """
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
      INSERT INTO inbox (pdu, identity, received_ms, received_t, kind, sender, text)
      VALUES ('01', '01', 6, 7, 'deliver', 'NTC', 'credit low');
      UPDATE queue SET priority = 2, worth_t = 5, outdated = 1 WHERE id = 1;
      UPDATE texts SET sim = 'modem', parts = 1;
      UPDATE texts SET parts = 2 WHERE id = 4;
      """
      : """
      INSERT INTO inbox (pdu, received_ms, kind, sender, text_id)
      VALUES ('00', 5, 'status_report', '+9779800000000', 1);
      INSERT INTO inbox (pdu, received_ms, kind, sender, text)
      VALUES ('01', 6, 'deliver', 'NTC', 'credit low');
      """
    if version >= 4 { sql += "UPDATE queue SET undelivered = 1 WHERE id = 6;" }
    if version >= 5 {
      sql += passage(9) + "UPDATE queue SET text_due_t = NULL WHERE id = 9;"
      sql += "UPDATE passages SET undated = 1 WHERE id = 9;"
    }
    if version >= 7 { sql += "UPDATE queue SET text_due_t = NULL, handed_on_ms = 99 WHERE id = 3;" }
    return sql
  }
}

// Since the eighth: uploads and texts have rows of their own.
extension OldFile {
  private func recorded(_ id: Int, priority: Int = 1, isUndated: Bool = false) -> String {
    """
    INSERT INTO passages (id, client_id, content_client_id, plate_number, plate_number_raw,
      vehicle_type, checkpost, segment, recorded_at_ms, ranger_phone_suffix, ranger, photo_path,
      source, v1_body, undated, since_t, created_at_ms, priority, clock_source, clock_skew_s)
    VALUES (\(id), '\(OldFile.identity(id))', '\(OldFile.identity(id, of: 5))', 'BA1PA\(id)',
      'ba 1 pa \(id)', 'bus', 'BNP-A', 'north', 1800000000000 + \(id), '9801', 'ranger',
      'p\(id).jpg', 'app', 'body \(id)', \(isUndated), 7000000000 + \(id), 1800000005000 + \(id),
      \(priority), 'rtc', 90);
    INSERT INTO text_deliveries (passage_id, due_t, priority)
    VALUES (\(id), \(isUndated ? "NULL" : "307000000001 + \(id)"), \(priority));
    """
  }

  private func upload(_ id: Int, _ assignments: String) -> String {
    "UPDATE uploads SET \(assignments) WHERE passage_id = \(id) AND kind = 'passage';"
  }

  private func delivery(_ id: Int, _ assignments: String) -> String {
    "UPDATE text_deliveries SET \(assignments) WHERE passage_id = \(id) AND recipient = 'centre';"
  }

  private func synced(_ id: Int) -> String {
    upload(id, "status = 'in_flight', last_attempt_at_ms = 11")
      + upload(
        id,
        """
        status = 'synced', synced_t = 8000000000, synced_ms = 11, server_id = 'server-\(id)',
          open_at_ms = NULL
        """) + delivery(id, "due_t = NULL")
  }

  private func handed(_ id: Int, of queueID: Int, _ outcome: String) -> String {
    """
    INSERT INTO texts (id, delivery_id, modem, recipient, recipient_tail, body, intent_t,
      intent_ms, sim)
    SELECT \(id), id, 0, '+9779800000000', '00000000', 'body \(queueID)', 9000000000 + \(id), 5,
      'modem' FROM text_deliveries WHERE passage_id = \(queueID) AND recipient = 'centre';
    \(delivery(queueID, "due_t = NULL, last_text_t = 9000000000 + \(id)"))
    UPDATE texts SET outcome = '\(outcome)', outcome_t = 6, outcome_ms = 7, error = 'why'
    WHERE id = \(id);
    """
  }

  /// The states of before, by the same numbers, and what can hang on a passage since.
  private var deliveries: String {
    var sql = """
      INSERT INTO meta VALUES ('refresh_token', 'token-1'), ('server_user', 'user-1'),
        ('server_directory', '\(OldFile.directory)'), ('last_text', 5),
        ('last_synced_ms', 11), ('last_pulled_ms', 12);
      \(recorded(1, priority: 2))
      \(delivery(1, "worth_t = 5, outdated = 1"))
      \(recorded(2))
      \(synced(2))
      \(recorded(3))
      \(upload(3, "status = 'in_flight'"))
      \(upload(3, "status = 'failed', attempts = 5, last_error = '503', last_error_class = 'transient'"))
      UPDATE text_deliveries SET due_t = NULL WHERE passage_id = 3;
      \(upload(3, "next_t = NULL"))
      UPDATE passages SET handed_on_ms = 99 WHERE id = 3;
      \(recorded(4))
      \(upload(4, "status = 'in_flight'"))
      \(upload(4, "status = 'failed', attempts = 2, last_error = '22P02', last_error_class = 'permanent'"))
      \(upload(4, "status = 'pending', attempts = 0, requeues = 1"))
      \(recorded(5))
      \(delivery(5, "parked_reason = 'bad plate', due_t = NULL"))
      \(recorded(6))
      \(handed(1, of: 6, "accepted"))
      \(delivery(6, "sms_sent = 1, text_attempts = 1, undelivered = 1"))
      INSERT INTO text_parts (text_id, part, reference, delivery, delivery_status, delivery_ms)
      VALUES (1, 1, 17, 'trying', 48, 8);
      \(recorded(7))
      \(handed(2, of: 7, "unknown"))
      \(handed(3, of: 7, "refused"))
      \(delivery(7, "text_attempts = 1, refusals = 1, allowance = 1"))
      \(recorded(8))
      \(upload(8, "status = 'in_flight'"))
      INSERT INTO texts (id, modem, recipient, recipient_tail, body, intent_t, intent_ms, sim,
        parts)
      VALUES (4, 0, '+9779800000000', '00000000', 'hello', 9000000004, 5, 'modem', 2);
      \(recorded(9, isUndated: true))
      \(behind)
      INSERT INTO inbox (pdu, identity, received_ms, received_t, kind, sender, text_id)
      VALUES ('00', '00', 5, 6, 'status_report', '+9779800000000', 1);
      INSERT INTO inbox (pdu, identity, received_ms, received_t, kind, sender, text)
      VALUES ('01', '01', 6, 7, 'deliver', 'NTC', 'credit low');
      INSERT INTO remote_passages VALUES
        ('\(OldFile.identity(71))', 'server-71', 'BA1PA71', 'bus', 'BNP-B', 1799999990000, 'server'),
        ('\(OldFile.identity(72))', NULL, 'BA1PA72', NULL, 'BNP-B', 1799999995000, 'text');
      """
    if version >= 9 {
      sql += """
        INSERT INTO texts (id, modem, recipient, recipient_tail, body, intent_t, intent_ms, sim,
          is_heartbeat)
        VALUES (6, 0, '+9779800000000', '00000000', 'alive', 9000000006, 5, 'modem', 1);
        UPDATE texts SET outcome = 'accepted', outcome_t = 6, outcome_ms = 7 WHERE id = 6;
        """
    }
    if version >= 10 {
      sql +=
        version == 10
        ? "INSERT INTO meta VALUES ('opposite_texted', 1);"
        : "INSERT INTO text_recipients VALUES ('opposite', 0);"
      sql += """
        INSERT INTO text_deliveries (passage_id, recipient, due_t, priority)
        VALUES (1, 'opposite', 307000000002, 0);
        """
    }
    if version >= 12 {
      sql += """
        UPDATE uploads SET refusal = 'value', missed_t = 7000000005
        WHERE passage_id = 4 AND kind = 'passage';
        """
    }
    if version >= 13 {
      sql += "INSERT INTO photos_left_out VALUES (1, 9000000007, 6, 'there is no room');"
    }
    if version >= 15 {
      sql += """
        INSERT INTO outgoing_texts
        VALUES (1, '+9779801000009', 'hello', NULL, 1, 9000000008, 9, 'withdrawn', 10, NULL);
        """
    }
    return sql
  }

  /// A photograph, a correction and a conflict, and a passage that was removed with its text.
  private var behind: String {
    """
    \(recorded(10))
    INSERT INTO uploads (passage_id, kind, priority, photo_file, photo_bytes, photo_type)
    VALUES (10, 'photo', 1, 'p10.jpg', 1234, 'image/jpeg');
    \(synced(10))
    UPDATE uploads SET next_t = 8000000000 WHERE kind = 'photo';
    \(recorded(11))
    \(synced(11))
    INSERT INTO uploads (passage_id, kind, priority, new_plate, new_vehicle_type, next_t)
    VALUES (11, 'correction', 1, 'ba 1 pa 99', 'car', 8000000000);
    \(recorded(12))
    \(upload(12, "status = 'in_flight', last_attempt_at_ms = 11"))
    \(upload(12, "status = 'failed', attempts = 1, last_error = 'something else', last_error_class = 'permanent', server_id = 'server-12'"))
    \(delivery(12, "due_t = NULL"))
    INSERT INTO conflicts (passage_id, found_ms, server_id, checkpost_id, plate_number,
      vehicle_type, recorded_at_ms)
    VALUES (12, 13, 'server-12', 'post-a', 'BA1PA98', 'car', 1800000000012);
    \(recorded(13))
    \(synced(13))
    INSERT INTO past_identities
      SELECT client_id, content_client_id, id FROM passages WHERE id = 13;
    INSERT INTO charges VALUES (5, 9000000005, 0, 'modem', 2, 'accepted');
    DELETE FROM passages WHERE id = 13;
    """
  }
}
