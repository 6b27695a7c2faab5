import GRDB
import GSM
import NodeCore
import Time

/// How a text is written down: the intent before it is handed to a modem, the outcome after.
enum TextWrites {
  static func begin(_ database: Database, _ intent: TextIntent, at moment: Moment) throws {
    let delivery = try intent.queueID.map { queueID in
      try Int64.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT id FROM text_deliveries WHERE passage_id = ? AND recipient = ?
            """), arguments: [queueID, intent.recipient.name])
    }
    if let queueID = intent.queueID, delivery == .some(nil) {
      throw UnreadableRow(queueID: queueID)
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO texts
          (id, delivery_id, modem, recipient, recipient_tail, body, intent_t, intent_ms, sim, parts,
            is_heartbeat)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      intent.id, delivery ?? nil, intent.modem.index, intent.to, intent.recipientTail, intent.body,
      moment.boot.nanoseconds, moment.wall.milliseconds, intent.modemName, max(1, intent.parts),
      intent.isHeartbeat,
    ])
    guard let delivery else { return try OutgoingTexts.begin(database, intent.id, at: moment) }
    try database.cachedStatement(
      sql: "UPDATE text_deliveries SET due_t = NULL, last_text_t = ? WHERE id = ?"
    ).execute(arguments: [moment.boot.nanoseconds, delivery])
  }

  static func end(
    _ database: Database, _ id: TextID, _ outcome: TextOutcome, _ consequence: TextConsequence,
    at moment: Moment
  ) throws {
    try database.cachedStatement(
      sql: "UPDATE texts SET outcome = ?, outcome_t = ?, outcome_ms = ?, error = ?, refusal = ? "
        + "WHERE id = ? AND (outcome IN ('intent', 'unknown') OR outcome = 'refused' AND ?)"
    ).execute(arguments: [
      outcome.state.rawValue, moment.boot.nanoseconds, moment.wall.milliseconds, outcome.error,
      outcome.refusal, id, outcome.state == .accepted,
    ])
    // An outcome that is known already stays, whatever comes after it; only a refusal may turn out to
    // have been none.
    guard database.changesCount > 0 else { return }
    if case .accepted(let references) = outcome {
      for (part, reference) in references.enumerated() {
        try database.cachedStatement(
          sql: "INSERT OR REPLACE INTO text_parts (text_id, part, reference) VALUES (?, ?, ?)"
        ).execute(arguments: [id, part + 1, Int64(reference)])
      }
    }
    let delivery = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT delivery_id FROM texts WHERE id = ?"),
      arguments: [id])
    guard let delivery else { return }
    let (due, parkedReason) = meaning(of: consequence)
    // What is on air is counted from the texts themselves, so that an outcome that is known later
    // than it was given up corrects the count. By then another text may be with a modem: what comes of
    // that one decides when the passage is due again.
    try database.cachedStatement(
      sql: """
        UPDATE text_deliveries SET
          text_attempts = min(\(NodeSchema.texts), (SELECT count(*) FROM texts
            WHERE delivery_id = ?4 AND outcome IN ('accepted', 'unknown'))),
          refusals = (SELECT count(*) FROM texts
            WHERE delivery_id = ?4 AND outcome = 'refused'),
          sms_sent = max(sms_sent, ?1),
          undelivered = min(undelivered, 1 - ?1),
          parked_reason = coalesce(parked_reason, ?2),
          due_t = iif(?3 IS NULL OR sms_sent = 1 OR parked_reason IS NOT NULL
            OR EXISTS (SELECT 1 FROM passages
              JOIN uploads ON uploads.passage_id = passages.id AND \(NodeSchema.ofPassage)
              WHERE passages.id = text_deliveries.passage_id
                AND (status = 'synced' OR handed_on_ms IS NOT NULL OR withdrawn_ms IS NOT NULL
                  OR on_hold_reason IS NOT NULL))
            OR EXISTS (SELECT 1 FROM texts WHERE delivery_id = ?4 AND outcome = 'intent')
            OR (SELECT count(*) FROM texts
              WHERE delivery_id = ?4 AND outcome IN ('accepted', 'unknown')) >= \(NodeSchema.texts),
            NULL, ?3)
        WHERE id = ?4
        """
    ).execute(arguments: [
      consequence == .texted ? 1 : 0, parkedReason, due?.nanoseconds, delivery,
    ])
  }

  /// Texts begun since `since` that may have cost something, oldest first, a text of several parts
  /// as often as it has parts. Texts are numbered in the order in which they were asked for, and begun
  /// not much later, so they are read from the end.
  ///
  /// - Parameter modems: the names of the modems in their order; what another one sent is left out,
  ///   since another card pays for it. Nil for all.
  static func charges(
    _ database: Database, since: BootInstant, modems: [String]? = nil
  ) throws -> [TextCharge] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT id, intent_t, outcome <> 'not_sent', modem, sim, parts FROM texts UNION ALL
        SELECT id, intent_t, outcome <> 'not_sent', modem, sim, parts FROM charges
        ORDER BY id DESC
        """)
    var charges: [TextCharge] = []
    while let row = try rows.next() {
      let begun = BootInstant(nanoseconds: row[1])
      guard begun > since - NodeCore.Limits.manualKept else { break }
      guard begun > since else { continue }
      let name: String? = row[4]
      var index: Int = row[3]
      // Texts of before the modems had names are those of the only one there was.
      if let name, let modems {
        guard let known = modems.firstIndex(of: name) else { continue }
        index = known
      }
      guard row[2] else { continue }
      let charge = TextCharge(modem: ModemID(index), at: begun)
      charges.append(contentsOf: repeatElement(charge, count: row[5]))
    }
    // Of the same moment as they were numbered: sorting alone keeps no order.
    let ordered = charges.reversed().enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    return ordered.map(\.element)
  }

  /// Messages begun since `since` that went on air or may have, read from the end like
  /// ``charges(_:since:modems:)``.
  static func onAir(_ database: Database, since: BootInstant) throws -> Int {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT id, intent_t, outcome IN ('accepted', 'unknown'), parts FROM texts UNION ALL
        SELECT id, intent_t, outcome IN ('accepted', 'unknown'), parts FROM charges
        ORDER BY id DESC
        """)
    var count = 0
    while let row = try rows.next() {
      let begun = BootInstant(nanoseconds: row[1])
      guard begun > since - NodeCore.Limits.manualKept else { break }
      let parts: Int = row[3]
      if begun > since, row[2] { count += parts }
    }
    return count
  }

  private static func meaning(
    of consequence: TextConsequence
  ) -> (due: BootInstant?, parkedReason: String?) {
    switch consequence {
    case .texted, .leftUnknown: (nil, nil)
    case .againAfterRefusal(let at), .againAfterUnknown(let at): (at, nil)
    case .parked(let reason): (nil, reason)
    }
  }
}

extension TextOutcome {
  /// Where a text stands after it.
  fileprivate var state: TextState {
    switch self {
    case .accepted: TextState.accepted
    case .refused(let refusal): refusal.kind == .done ? .accepted : .refused
    case .notSent: .notSent
    case .unknown: .unknown
    }
  }

  /// The kind of the refusal as the column holds it.
  fileprivate var refusal: String? {
    if case .refused(let refusal) = self { refusal.kind.rawValue } else { nil }
  }

  fileprivate var error: String? {
    switch self {
    case .accepted: nil
    case .refused(let refusal): "\(refusal.code) \(refusal.words)"
    case .notSent(let reason), .unknown(let reason):
      String(reason.prefix(NodeCore.Limits.errorCharacters))
    }
  }
}
