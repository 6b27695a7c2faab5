import GRDB
import NodeCore

/// Where to look for the few passages that a list is about, so that a million others are not walked
/// through: an index that holds no others. What it yields may be more than what is meant.
struct Narrowing {
  /// The places in the queue, as a query.
  private var places: String
  /// The counts of the store that say how many those are at most; none where they are few always.
  private var counted: [String] = []

  private static let unsynced = Narrowing(
    places: """
      SELECT passage_id FROM uploads INDEXED BY uploads_open WHERE open_at_ms IS NOT NULL
      UNION ALL SELECT id FROM passages INDEXED BY passages_undated WHERE undated = 1
      UNION ALL SELECT id FROM passages INDEXED BY passages_aside
        WHERE on_hold_reason IS NOT NULL OR withdrawn_ms IS NOT NULL
      """, counted: ["pending", "in_flight", "failed"])

  private static let inFlight = Narrowing(
    places:
      "SELECT passage_id FROM uploads INDEXED BY uploads_in_flight WHERE status = 'in_flight'")

  private static let failed = Narrowing(
    places: "SELECT passage_id FROM uploads INDEXED BY uploads_failed WHERE status = 'failed'",
    counted: ["failed"])

  private static let open = Narrowing(
    places: "\(unsynced.places) UNION ALL \(failed.places)",
    counted: ["pending", "in_flight", "failed"])

  private static let parked = Narrowing(
    places: """
      SELECT passage_id FROM text_deliveries INDEXED BY text_deliveries_parked
      WHERE parked_reason IS NOT NULL
      """, counted: ["parked"])

  private static let textDue = Narrowing(
    places: """
      SELECT passage_id FROM text_deliveries INDEXED BY text_deliveries_due WHERE due_t IS NOT NULL
      """, counted: ["waiting"])

  private static let sending = Narrowing(
    places: """
      \(inFlight.places) UNION ALL SELECT passage_id FROM text_deliveries WHERE id IN (
        SELECT delivery_id FROM texts INDEXED BY texts_open WHERE outcome = 'intent')
      """)

  /// Those that may serve a query; any of them will do.
  private static func serving(_ query: QueueQuery) -> [Narrowing] {
    var all: [Narrowing] = []
    switch query.status {
    case .inFlight: all.append(inFlight)
    case .failed: all += [failed, unsynced]
    case .pending: all.append(unsynced)
    case .synced, nil: break
    }
    switch query.among {
    case .unsynced: all.append(unsynced)
    case .textDue: all.append(textDue)
    case .sending: all.append(sending)
    case .open: all.append(open)
    case nil: break
    }
    if query.isParked == true { all.append(parked) }
    if let text = query.text { all.append(Narrowing(places: text.few)) }
    return all
  }

  /// The condition that finds the rows of a query through an index; nil where that holds so many that
  /// walking through the queue page by page is better.
  static func condition(
    _ query: QueueQuery, _ database: Database, few: Int = Limits.few
  ) throws -> String? {
    let all = serving(query)
    guard !all.isEmpty else { return nil }
    var tally: [String: Int] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT name, n FROM tally") {
      tally[row[0]] = row[1]
    }
    return all.first { narrowing in
      narrowing.counted.reduce(0) { $0 + (tally[$1] ?? 0) } <= few
    }.map { "queue.id IN (\($0.places))" }
  }
}

extension QueueSubset {
  /// The condition on a row of the queue, beside the index that finds it.
  var condition: String {
    switch self {
    case .unsynced: "queue.status <> 'synced'"
    case .textDue: "queue.text_due_t IS NOT NULL"
    case .open:
      """
      (queue.status <> 'synced' OR queue.withdrawn_ms IS NOT NULL OR queue.id IN (
        SELECT passage_id FROM uploads INDEXED BY uploads_failed WHERE status = 'failed'))
      """
    case .sending: "(queue.status = 'in_flight' OR \(NodeSchema.hasOpenText))"
    }
  }
}
