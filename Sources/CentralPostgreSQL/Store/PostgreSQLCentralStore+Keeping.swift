public import CentralCore
import Passages
import PostgreSQL
public import Storage
public import Time

/// What is dropped and erased. What PostgreSQL removes is gone from its files once it has vacuumed, and from its log
/// when that is recycled.
extension PostgreSQLCentralStore: KeepingStore {
  /// Drops some of what is older than it is to be kept.
  public func expire(
    after keep: Duration, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> Expired {
    let step = try lend(in: turn) { lent throws(StorageError) in
      try PostgreSQLTransaction(connection: lent).expire(after: keep, rules: rules, at: wall)
    }
    // When a walk is over: the next months get their partitions, and those that are empty go.
    if step.next.map({ $0 > wall }) ?? true {
      try write { connection throws(PostgreSQLError) -> Void in
        _ = try connection.query("SELECT checkpost.tend_partitions($1)", [.time(wall)])
      }
    }
    return step
  }

  /// All that is known of a vehicle.
  public func holdings(of plate: String) throws(StorageError) -> VehicleHoldings {
    let records = try readAll { connection throws(PostgreSQLError) in
      try JudgingDatabase(connection).records(naming: plate)
    }
    let naming = VehicleNaming(
      plate: plate, identities: Set(records.flatMap(\.record.identities)))
    let scan = try scan(for: naming)
    let messages = Set(scan.found).union(records.compactMap(\.inboxID)).sorted()
    return try readAll { connection throws(PostgreSQLError) in
      let database = JudgingDatabase(connection)
      var holdings = VehicleHoldings()
      for row in Set(records.map { $0.row ?? $0.record.number }).sorted() {
        holdings.passages.append(try database.evidence(of: row))
      }
      var violations = ViolationQuery()
      (violations.plate, violations.standing, violations.limit) = (plate, .all, .max)
      for found in try database.violations(violations).reversed() {
        if let evidence = try database.violation(found.uuid) {
          holdings.violations.append(evidence)
        }
      }
      var alerts = AlertQuery()
      (alerts.plate, alerts.isOpen, alerts.limit) = (plate, false, .max)
      holdings.alerts = try database.alerts(alerts).reversed()
      holdings.messages = try InboxTable.archived(
        "WHERE id = ANY ($1) ORDER BY id", [.integers(messages)], connection)
      return holdings
    }
  }

  /// Erases all that is known of a vehicle.
  public func erase(
    _ order: ErasureOrder, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> Erased {
    let naming = try lend(in: turn) { lent throws(StorageError) in
      try PostgreSQLTransaction(connection: lent).naming(of: order.plate)
    }
    let scanned = try scan(for: naming)
    return try lend(in: turn) { lent throws(StorageError) in
      let rows = PostgreSQLTransaction(connection: lent)
      // What came since is looked at while nothing more can come.
      try lent.run { connection throws(PostgreSQLError) -> Void in
        _ = try connection.query("SAVEPOINT before_erasure")
        _ = try connection.query("SELECT checkpost.hold_vehicles(NULL)")
      }
      var scan = scanned
      let naming = try rows.naming(of: order.plate)
      while case let page = try rows.messages(after: scan.through), !page.isEmpty {
        scan.look(at: page, for: naming)
      }
      let erased = try rows.erase(order, messages: scan, rules: rules, at: wall)
      if order.isTrial {
        try lent.run { connection throws(PostgreSQLError) -> Void in
          _ = try connection.query("ROLLBACK TO SAVEPOINT before_erasure")
        }
      }
      return erased
    }
  }

  /// Messages as they came, the oldest first.
  public func messages(
    after: Int64, since: WallTime?, until: WallTime?, limit: Int
  ) throws(StorageError) -> [ArchivedMessage] {
    var conditions = Conditions()
    conditions.add("id > ?", .integer(after))
    conditions.add("received_at >= ?", .time(since))
    conditions.add("received_at < ?", .time(until))
    let most = conditions.place(of: .integer(Int64(limit)))
    let (sql, values) = ("WHERE \(conditions.sql) ORDER BY id LIMIT \(most)", conditions.values)
    return try run { connection throws(PostgreSQLError) in
      try InboxTable.archived(sql, values, connection)
    }
  }

  /// Messages that name a vehicle, of those that are here.
  private func scan(for naming: VehicleNaming) throws(StorageError) -> MessageScan {
    let last = try run { connection throws(PostgreSQLError) in
      try connection.query(
        "SELECT coalesce(max(id), 0) FROM checkpost.inbox", isReading: true
      ).firstRow().value(0, .integer)
    }
    let identities = naming.identities.map(\.description)
    var scan = MessageScan()
    while case let after = scan.through,
      case let page = try run({ connection throws(PostgreSQLError) in
        try InboxTable.archived(
          PostgreSQLCentralStore.mayName,
          [
            .integer(after), .integer(last), .text(naming.pattern), .texts(identities),
            .integer(Int64(Limits.scannedAtOnce)),
          ], connection)
      }), !page.isEmpty
    {
      scan.look(at: page, for: naming)
    }
    scan.end(at: last)
    return scan
  }

  /// Messages that a vehicle may be named in: of very many others that shows without reading them.
  private static let mayName = """
    WHERE id > $1 AND id <= $2 AND (kind = 'pdu' OR upper(body) LIKE $3 OR octet_length(body) <> length(body)
      OR client_id = ANY ($4::uuid[])) ORDER BY id LIMIT $5
    """

  /// Photographs that belong to nothing any more.
  public func droppedPhotographs(limit: Int) throws(StorageError) -> [String] {
    try run { connection throws(PostgreSQLError) in
      let result = try connection.query(
        "SELECT path FROM checkpost.dropped_photographs ORDER BY path LIMIT $1",
        [.integer(Int64(limit))], isReading: true)
      var paths: [String] = []
      for row in result.rows { paths.append(try row.value(0, .text)) }
      return paths
    }
  }

  /// Notes that photographs were removed.
  public func forget(photographs: [String]) throws(StorageError) {
    try write { connection throws(PostgreSQLError) in
      _ = try connection.query(
        "DELETE FROM checkpost.dropped_photographs WHERE path = ANY ($1)", [.texts(photographs)])
    }
  }

  /// Which of these photographs belong to something.
  public func namedPhotographs(
    among names: [PhotoName]
  ) throws(StorageError) -> Set<PhotoName> {
    let (texts, passages) = (names.map(\.text), names.map { $0.passage?.description })
    let paths = names.flatMap { $0.paths }
    return try run { connection throws(PostgreSQLError) in
      let result = try connection.query(
        PostgreSQLCentralStore.namingStatement,
        [.texts(texts), .texts(passages), .texts(paths)], isReading: true)
      var named: Set<PhotoName> = []
      for row in result.rows {
        let text = try row.value(0, .text)
        if let name = PhotoName(text) { named.insert(name) }
      }
      return named
    }
  }

  /// Rows of the deployed table that could not be taken in as reports stand there alone; no index has their
  /// photographs, so they are looked through once for all names.
  private static let namingStatement = """
    SELECT n.name FROM unnest($1::text[], $2::uuid[]) AS n(name, passage)
    WHERE EXISTS (SELECT FROM checkpost.records r WHERE r.passage_id = n.passage)
      OR EXISTS (SELECT FROM checkpost.identities i WHERE i.client_id = n.passage)
      OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = n.passage)
      OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.client_id = n.passage)
      OR EXISTS (SELECT FROM checkpost.observations o
        WHERE o.photo_path IN (n.name, 'passage-photos/' || n.name))
      OR EXISTS (SELECT FROM checkpost.corrections c
        WHERE c.photo_path IN (n.name, 'passage-photos/' || n.name))
      OR n.name IN (SELECT regexp_replace(v.photo_path, '^passage-photos/', '')
        FROM public.vehicle_passages v WHERE v.photo_path = ANY ($3::text[]))
    """
}

extension PostgreSQLTransaction {
  fileprivate func messages(after: Int64) throws(StorageError) -> [ArchivedMessage] {
    try connection.run { connection throws(PostgreSQLError) in
      try InboxTable.archived(
        "WHERE id > $1 ORDER BY id LIMIT $2",
        [.integer(after), .integer(Int64(Limits.scannedAtOnce))], connection)
    }
  }
}

extension InboxTable {
  /// Messages with what names them at their provider.
  static func archived(
    _ conditions: String, _ values: [PostgreSQLValue], _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [ArchivedMessage] {
    let items = try items(conditions, values, connection)
    let names = try connection.query(
      "SELECT id, provider_id, recipient FROM checkpost.inbox WHERE id = ANY ($1)",
      [.integers(items.map(\.id))], isReading: true)
    var found: [Int64: (id: String, to: String?)] = [:]
    for row in names.rows {
      found[try row.value(0, .integer)] = (try row.value(1, .text), try row.optional(2, .text))
    }
    return items.map {
      ArchivedMessage($0, providerID: found[$0.id]?.id ?? "", to: found[$0.id]?.to)
    }
  }
}
