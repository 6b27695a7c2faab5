import Accounts
import CentralCore
import GRDB
import Passages
import RestAPI
import RestSQL
import SQLiteFile
import Storage
import Time

/// What writing parks, segments and posts over the API needs of the file, inside a transaction.
struct WireDirectory: DirectoryStore {
  let database: Database
  let path: String
  let rules: JudgingRules

  func keys(
    _ filters: [RestFilter], of table: RestTable
  ) throws(PassageFailure) -> [String] {
    guard let key = table.columns.first else { return [] }
    return try sorted { try WireRows.keys(filters, key, of: table, database) }
  }

  func segment(_ id: String) throws(PassageFailure) -> Segment? {
    try sorted {
      guard let name = try WireName.name(.segment, of: id, database) else { return nil }
      let earlier = try LimitRows.all(database)
      return try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM segments WHERE name = ?"), arguments: [name]
      ).flatMap { try? Segment(row: $0, earlier) }
    }
  }

  func post(_ id: String) throws(PassageFailure) -> Post? {
    try sorted {
      guard let code = try WireName.name(.post, of: id, database) else { return nil }
      return try DirectoryRows.posts(database).first { $0.code.code == code }
    }
  }

  func put(_ entries: [DirectoryEntry]) throws(PassageFailure) -> [DirectoryRefusal?] {
    try sorted { try DirectoryRows.put(entries, database, path: path) }
  }

  func make(
    _ id: String, in table: RestTable, _ row: NewDirectoryRow, at now: WallTime
  ) throws(PassageFailure) {
    try sorted {
      let named: (kind: WireName.Kind, name: String)? =
        row.segment.map { (.segment, $0.name) } ?? row.post.map { (.post, $0.code.code) }
      guard let named else {
        try database.cachedStatement(
          sql: """
            INSERT INTO parks (uuid, name, code, is_active, created_at_ms, updated_at_ms)
              VALUES (?1, ?2, ?3, ?4, ?5, ?5)
            """
        ).execute(arguments: [
          id, row.values["name"]?.text, row.values["code"]?.text, row.values["is_active"]?.flag,
          now.milliseconds,
        ])
        return
      }
      // What was there and was removed may have left its name.
      try database.cachedStatement(sql: "DELETE FROM wire_names WHERE kind = ? AND name = ?")
        .execute(arguments: [named.kind.rawValue, named.name])
      try database.cachedStatement(
        sql: "INSERT INTO wire_names (kind, name, uuid, since_ms) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [named.kind.rawValue, named.name, id, now.milliseconds])
      // The rest of its columns once the directory has it.
      if let segment = row.segment {
        _ = try DirectoryRows.put([.segment(segment)], database, path: path)
      }
      if let post = row.post {
        var placeless = post
        placeless.places = []
        _ = try DirectoryRows.put([.post(placeless, knowing: .place)], database, path: path)
      }
      try setColumns(row.values, of: id, in: table, at: now)
    }
  }

  func set(
    _ values: [String: RestValue], of id: String, in table: RestTable, at now: WallTime
  ) throws(PassageFailure) {
    try sorted { try setColumns(values, of: id, in: table, at: now) }
  }

  /// The columns that the directory knows nothing of, by table.
  private static let columns: [String: [String: String]] = [
    Catalogue.parks.name: ["name": "name", "code": "code", "is_active": "is_active"],
    Catalogue.segments.name: ["park_id": "park", "is_active": "is_active"],
    Catalogue.checkposts.name: [
      "latitude": "latitude", "longitude": "longitude", "is_active": "is_active",
    ],
  ]

  private func setColumns(
    _ values: [String: RestValue], of id: String, in table: RestTable, at now: WallTime
  ) throws {
    let (target, key): (String, String)
    switch table.name {
    case Catalogue.parks.name: (target, key) = ("parks", "uuid = ?1")
    case Catalogue.segments.name:
      (target, key) = (
        "segments", "name = (SELECT name FROM wire_names WHERE kind = 'segment' AND uuid = ?1)"
      )
    default:
      (target, key) = (
        "posts", "code = (SELECT name FROM wire_names WHERE kind = 'post' AND uuid = ?1)"
      )
    }
    for (name, column) in (Self.columns[table.name] ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let value = values[name] else { continue }
      try database.cachedStatement(sql: "UPDATE \(target) SET \(column) = ?2 WHERE \(key)")
        .execute(arguments: [id] + WireRows.arguments(SQLStatement(text: "", parameters: [value])))
    }
    guard target != "posts" else { return }
    try database.cachedStatement(sql: "UPDATE \(target) SET updated_at_ms = ?2 WHERE \(key)")
      .execute(arguments: [id, now.milliseconds])
  }

  func remove(_ id: String, from table: RestTable) throws(PassageFailure) {
    try sorted {
      let rows = InboxTransaction(database: database, path: path)
      let before = try rows.routes(of: nil)
      let known = Set(try DirectoryRows.posts(database).map(\.code))
      let segments = try rows.segments(of: known)
      switch table.name {
      case Catalogue.parks.name:
        for name in try String.fetchAll(
          database,
          sql: """
            SELECT s.name FROM segments s JOIN api_highway_segments a ON a.name = s.name WHERE a.park_id = ?
            """, arguments: [id])
        { try removeSegment(name) }
        // Who was assigned to it belongs where the post does.
        try execute("DELETE FROM profile_parks WHERE park = ?", id)
        try execute("DELETE FROM parks WHERE uuid = ?", id)
      case Catalogue.segments.name:
        if let name = try WireName.name(.segment, of: id, database) { try removeSegment(name) }
      default:
        if let code = try WireName.name(.post, of: id, database) { try removePost(code) }
      }
      try rows.directoryChanged(from: before, segments: segments, of: known)
    }
  }

  /// A segment goes with the posts whose own row names it.
  private func removeSegment(_ name: String) throws {
    for code in try String.fetchAll(
      database, sql: "SELECT code FROM posts WHERE segment = ? ORDER BY code", arguments: [name])
    { try removePost(code) }
    try refuse(
      "SELECT EXISTS (SELECT 1 FROM passages WHERE segment = ?)", name, Catalogue.segments,
      by: "vehicle_passages_segment_id_fkey", of: "vehicle_passages")
    try execute("DELETE FROM further_ends WHERE segment = ?", name)
    try execute("DELETE FROM segments WHERE name = ?", name)
    try execute("DELETE FROM wire_names WHERE kind = 'segment' AND name = ?", name)
  }

  /// A post goes with its numbers; rangers who served there serve nowhere.
  private func removePost(_ code: String) throws {
    try refuse(
      """
      SELECT EXISTS (SELECT 1 FROM records WHERE post = ?1 OR received_post = ?1)
        OR EXISTS (SELECT 1 FROM passages WHERE checkpost = ?1)
      """, code, Catalogue.checkposts, by: "vehicle_passages_checkpost_id_fkey",
      of: "vehicle_passages")
    try refuse(
      "SELECT EXISTS (SELECT 1 FROM api_keys WHERE checkpost = ?)", code, Catalogue.checkposts,
      by: "api_keys_checkpost_fkey", of: "api_keys")
    for sql in [
      "DELETE FROM further_ends WHERE post = ?", "DELETE FROM numbers WHERE checkpost = ?",
      "DELETE FROM ranger_assignments WHERE checkpost = ?",
      "UPDATE rangers SET checkpost = NULL WHERE checkpost = ?",
      "UPDATE accounts SET checkpost = NULL WHERE checkpost = ?",
      "DELETE FROM posts WHERE code = ?",
      "DELETE FROM wire_names WHERE kind = 'post' AND name = ?",
    ] { try execute(sql, code) }
  }

  private func execute(_ sql: String, _ name: String) throws {
    try database.cachedStatement(sql: sql).execute(arguments: [name])
  }

  private func refuse(
    _ sql: String, _ name: String, _ table: RestTable, by constraint: String, of other: String
  ) throws {
    let isNamed = try Bool.fetchOne(database.cachedStatement(sql: sql), arguments: [name])
    if isNamed == true { throw RestError.isReferenced(table.name, by: constraint, of: other) }
  }

  func effect(at now: WallTime) throws(PassageFailure) -> DirectoryEffect {
    try sorted {
      var trial = DirectoryTrial()
      try database.inSavepoint {
        let rows = InboxTransaction(database: database, path: path)
        trial = try DirectoryTrial(vehicles: RestLimits.triedVehicles) {
          count throws(StorageError) in
          try rows.rejudge(rules: rules, everything: false, limit: count, at: now)
        }
        return .rollback
      }
      let settled = try trial.changes.violations.filter { change in
        guard [.changed, .retracted].contains(change.revision.change) else { return false }
        return try Bool.fetchOne(
          database.cachedStatement(
            sql: """
              SELECT v.confirmed_at_ms IS NOT NULL OR EXISTS (SELECT 1 FROM violation_outcomes o
                WHERE o.violation_id = v.uuid AND o.outcome_type = 'fined')
              FROM violations v WHERE v.entry = ?
              """), arguments: [change.revision.entry]) ?? false
      }
      return DirectoryEffect(settled: settled.count, isWhole: trial.isWhole)
    }
  }

  func note(_ entry: AuditEntry) throws(PassageFailure) {
    do throws(StorageError) {
      try AccountRows(database: database, path: path).record(entry)
    } catch {
      throw .failed(error)
    }
  }

  private func sorted<Value>(_ body: () throws -> Value) throws(PassageFailure) -> Value {
    do {
      return try body()
    } catch let error as RestError {
      throw .refused(error)
    } catch let error as StorageError {
      throw .failed(error)
    } catch {
      throw .failed(SQLiteFile.classify(error, path: path))
    }
  }
}

/// People without an account: the rangers of the directory, by the names that others know them by.
extension AccountRows: PersonStore {
  private static let known = """
    SELECT r.* FROM wire_names w JOIN rangers r ON r.phone = w.name WHERE w.kind = 'profile' AND w.uuid = ?
      AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.phone = r.phone)
    """

  func person(_ id: String) throws(StorageError) -> DirectoryPerson? {
    try rows(Self.known, [id]) { row in
      PhoneNumber(row["phone"]).map { phone in
        DirectoryPerson(
          name: row["name"], phone: phone,
          post: (row["checkpost"] as String?).map { CheckpostCode(asItStands: $0) },
          isActive: row["is_active"])
      }
    }.first ?? nil
  }

  func isTaken(_ phone: PhoneNumber, but id: String?) throws(StorageError) -> Bool {
    try rows(
      "SELECT EXISTS (SELECT 1 FROM api_user_profiles WHERE phone_number = ? AND id IS NOT ?)",
      [phone.description, id]
    ) { $0[0] as Bool }.first ?? false
  }

  func insert(_ person: DirectoryPerson, at now: WallTime) throws(StorageError) -> String {
    try sorted {
      guard let post = person.post else { return "" }
      let ranger = Ranger(name: person.name, phone: person.phone, checkpost: post)
      _ = try DirectoryRows.put([.ranger(ranger)], database, path: path)
      return try String.fetchOne(
        database.cachedStatement(
          sql: "SELECT uuid FROM wire_names WHERE kind = 'profile' AND name = ?"),
        arguments: [person.phone.description]) ?? ""
    }
  }

  func change(
    _ id: String, from known: DirectoryPerson, to person: DirectoryPerson, at now: WallTime
  ) throws(StorageError) {
    let suffix = PhoneSuffix(phoneNumber: person.phone.digits).digits
    try sorted {
      let (old, new) = (known.phone.description, person.phone.description)
      if old != new { try renumber(id, from: old, to: new) }
      try database.cachedStatement(
        sql: """
          UPDATE rangers SET name = ?2, checkpost = ?3, suffix = ?4, is_active = ?5, updated_at_ms = ?6
            WHERE phone = ?1
          """
      ).execute(arguments: [
        new, person.name, person.post?.code, suffix, person.isActive, now.milliseconds,
      ])
      guard old != new || known.post != person.post else { return }
      // Where they served, and under which digits, ends now; what they wrote down before stays theirs.
      try database.cachedStatement(
        sql: """
          UPDATE ranger_assignments SET until_ms = ?2 WHERE phone = ?1 AND until_ms IS NULL
            AND (checkpost IS NOT ?3 OR suffix <> ?4)
          """
      ).execute(arguments: [new, now.milliseconds, person.post?.code, suffix])
      guard let post = person.post else { return }
      try database.cachedStatement(
        sql: """
          INSERT INTO ranger_assignments (phone, checkpost, suffix, since_ms, until_ms)
            SELECT ?1, ?2, ?3, ?4, NULL WHERE NOT EXISTS (
              SELECT 1 FROM ranger_assignments WHERE phone = ?1 AND until_ms IS NULL)
          """
      ).execute(arguments: [new, post.code, suffix, now.milliseconds])
    }
  }

  func isPark(_ id: String) throws(StorageError) -> Bool {
    try rows("SELECT EXISTS (SELECT 1 FROM parks WHERE uuid = ?)", [id]) { $0[0] as Bool }.first
      ?? false
  }

  func assign(_ profile: String, toPark park: String?, at now: WallTime) throws(StorageError)
    -> Bool
  {
    try execute("DELETE FROM profile_parks WHERE profile = ?", [profile])
    if let park { try execute("INSERT INTO profile_parks VALUES (?, ?)", [profile, park]) }
    return true
  }

  /// A person has another number, and is known by the same name to others.
  private func renumber(_ id: String, from old: String, to new: String) throws {
    for (sql, arguments) in [
      (
        """
        INSERT INTO rangers (phone, name, checkpost, suffix, is_active, updated_at_ms)
          SELECT ?2, name, checkpost, suffix, is_active, updated_at_ms FROM rangers WHERE phone = ?1
        """, [old, new] as StatementArguments
      ),
      ("UPDATE ranger_assignments SET phone = ?2 WHERE phone = ?1", [old, new]),
      ("DELETE FROM rangers WHERE phone = ?", [old]),
    ] { try database.cachedStatement(sql: sql).execute(arguments: arguments) }
    let since = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT since_ms FROM wire_names WHERE uuid = ?"),
      arguments: [id])
    try database.cachedStatement(
      sql: "DELETE FROM wire_names WHERE kind = 'profile' AND (uuid = ? OR name = ?)"
    ).execute(arguments: [id, new])
    try database.cachedStatement(
      sql: "INSERT INTO wire_names (kind, name, uuid, since_ms) VALUES ('profile', ?, ?, ?)"
    ).execute(arguments: [new, id, since])
  }
}
