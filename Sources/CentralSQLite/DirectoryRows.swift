public import CentralCore
import GRDB
public import Passages
import SQLiteFile
public import Storage
public import Time

/// Segments, posts and rangers, as rows.
extension SQLiteCentralStore {
  /// Puts posts, segments, rangers and numbers in, in one transaction.
  public func put(_ entries: [DirectoryEntry]) throws(StorageError) -> [DirectoryRefusal?] {
    try file.write { database in try put(entries, database) }
  }

  /// Puts them in, judges by it, and undoes all of it.
  public func trial(
    _ entries: [DirectoryEntry], rules: JudgingRules, vehicles: Int, at wall: WallTime
  ) throws(StorageError) -> DirectoryTrial {
    var trial = DirectoryTrial()
    try file.write { database in
      try database.inSavepoint {
        _ = try put(entries, database)
        let rows = InboxTransaction(database: database, path: path)
        trial = try DirectoryTrial(vehicles: vehicles) { count throws(StorageError) in
          try rows.rejudge(rules: rules, everything: false, limit: count, at: wall)
        }
        return .rollback
      }
    }
    return trial
  }

  private func put(
    _ entries: [DirectoryEntry], _ database: Database
  ) throws -> [DirectoryRefusal?] {
    try DirectoryRows.put(entries, database, path: path)
  }

  /// Every segment, by name.
  public func segments() throws(StorageError) -> [Segment] {
    try file.concurrentRead { database in
      let earlier = try LimitRows.all(database)
      return try Row.fetchAll(database, sql: "SELECT * FROM segments ORDER BY name")
        .compactMap { try? Segment(row: $0, earlier) }
    }
  }

  /// Every post, by code.
  public func posts() throws(StorageError) -> [Post] {
    try file.concurrentRead { try DirectoryRows.posts($0) }
  }

  /// Every ranger, by number.
  public func rangers() throws(StorageError) -> [Ranger] {
    try file.concurrentRead { try DirectoryRows.rangers($0) }
  }

  /// Where every ranger served, by number and then from the first to the last.
  public func assignments() throws(StorageError) -> [RangerAssignment] {
    try file.concurrentRead { try AssignmentRows.all($0) }
  }

  /// Every further number that may speak for a post, or might, by number and post.
  public func numbers() throws(StorageError) -> [SenderBinding] {
    try file.concurrentRead { try DirectoryRows.numbers($0) }
  }
}

enum DirectoryRows {
  /// Puts entries in, inside a transaction.
  static func put(
    _ entries: [DirectoryEntry], _ database: Database, path: String
  ) throws -> [DirectoryRefusal?] {
    let rows = InboxTransaction(database: database, path: path)
    let before = try rows.routes(of: nil)
    let segments = try rows.segments(of: Set(DirectoryRows.posts(database).map(\.code)))
    let plan = DirectoryPlan(
      entries, posts: try DirectoryRows.posts(database),
      segments: try String.fetchAll(database, sql: "SELECT name FROM segments"))
    var refusals = plan.refusals
    for code in plan.leaving { try DirectoryRows.leave(code, database) }
    let known = try String.fetchSet(database, sql: "SELECT phone FROM rangers")
    let now = try DirectoryRows.now(database)
    for write in plan.writes {
      do {
        try DirectoryRows.put(write.entry, at: now, known, database)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        // SQLite takes back the statement alone, and the transaction goes on.
        refusals[write.index] = DirectoryRefusal(error)
      }
    }
    try rows.directoryChanged(
      from: before, segments: segments, of: Set(DirectoryRows.posts(database).map(\.code)))
    return refusals
  }

  /// Puts an entry in.
  ///
  /// - Parameter known: The numbers of the rangers who were there before any of these entries.
  static func put(
    _ entry: DirectoryEntry, at now: WallTime, _ known: Set<String>, _ database: Database
  ) throws {
    switch entry {
    case .segment(let segment): try put(segment, database)
    case .post(let post, let known): try put(post, known, database)
    case .ranger(let ranger, let since):
      try put(ranger, database)
      try AssignmentRows.put(ranger, since: since, at: now, known: known, database)
    case .number(let binding): try put(binding, database)
    }
  }

  /// What time it is, by SQLite's clock, which names of others have theirs from too.
  static func now(_ database: Database) throws -> WallTime {
    let now = "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    return WallTime(milliseconds: try Int64.fetchOne(database, sql: now) ?? 0)
  }

  /// A post stands nowhere for the time being, so that another one can stand there.
  static func leave(_ code: CheckpostCode, _ database: Database) throws {
    try database.cachedStatement(
      sql: "UPDATE posts SET segment = NULL, position_index = NULL WHERE code = ?"
    ).execute(arguments: [code.code])
    try database.cachedStatement(sql: "DELETE FROM further_ends WHERE post = ?")
      .execute(arguments: [code.code])
  }

  private static func put(_ binding: SenderBinding, _ database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO numbers (phone, checkpost, valid_from_ms, valid_until_ms) VALUES (?, ?, ?, ?)
        ON CONFLICT (phone, checkpost) DO UPDATE SET valid_from_ms = excluded.valid_from_ms,
          valid_until_ms = excluded.valid_until_ms
        """
    ).execute(arguments: [
      binding.number.description, binding.post.code, binding.validFrom?.milliseconds,
      binding.validUntil?.milliseconds,
    ])
  }

  private static func put(_ segment: Segment, _ database: Database) throws {
    try WireName.keep(.segment, segment.name, database)
    try database.cachedStatement(
      sql: """
        INSERT INTO segments (name, distance_m, min_speed_mh, max_speed_mh) VALUES (?, ?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET distance_m = excluded.distance_m,
          min_speed_mh = excluded.min_speed_mh, max_speed_mh = excluded.max_speed_mh
        """
    ).execute(arguments: [
      segment.name, segment.distanceMetres, segment.minimumMetresPerHour,
      segment.maximumMetresPerHour,
    ])
    try LimitRows.put(segment.earlier, of: segment.name, database)
  }

  private static func put(_ post: Post, _ known: PostKnowledge, _ database: Database) throws {
    try WireName.keep(.post, post.code.code, database)
    try database.cachedStatement(
      sql: """
        INSERT INTO posts (code, name, segment, position_index, phone) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (code) DO UPDATE SET name = excluded.name,
          segment = iif(?6, excluded.segment, segment),
          position_index = iif(?6, excluded.position_index, position_index),
          phone = iif(?7, excluded.phone, phone)
        """
    ).execute(arguments: [
      post.code.code, post.name, post.place?.segment, post.place?.index, post.phone?.description,
      known.contains(.place), known.contains(.phone),
    ])
    guard known.contains(.place) else { return }
    try database.cachedStatement(sql: "DELETE FROM further_ends WHERE post = ?")
      .execute(arguments: [post.code.code])
    for place in post.places.dropFirst() {
      try database.cachedStatement(
        sql: "INSERT INTO further_ends (segment, position_index, post) VALUES (?, ?, ?)"
      ).execute(arguments: [place.segment, place.index, post.code.code])
    }
    try PlaceRows.put(post.earlier, of: post.code, database)
  }

  private static func put(_ ranger: Ranger, _ database: Database) throws {
    let isLeft = try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT NOT is_active FROM rangers WHERE phone = ?"),
      arguments: [ranger.phone.description])
    if isLeft == true {
      throw DatabaseError(
        resultCode: .SQLITE_CONSTRAINT, message: "the profile with that number is not active")
    }
    try WireName.keep(.profile, ranger.phone.description, database)
    try database.cachedStatement(
      sql: """
        INSERT INTO rangers (phone, name, checkpost, suffix) VALUES (?, ?, ?, ?)
        ON CONFLICT (phone) DO UPDATE SET name = excluded.name,
          checkpost = excluded.checkpost, suffix = excluded.suffix
        """
    ).execute(arguments: [
      ranger.phone.description, ranger.name, ranger.checkpost.code,
      PhoneSuffix(phoneNumber: ranger.phone.digits).digits,
    ])
  }

  static func posts(_ database: Database) throws -> [Post] {
    var further: [String: [Post.Place]] = [:]
    for row in try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM further_ends")) {
      further[row["post"], default: []].append(
        Post.Place(segment: row["segment"], index: row["position_index"]))
    }
    let earlier = try PlaceRows.all(database)
    return try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM posts ORDER BY code"))
      .map { row in
        var post = try Post(row: row)
        post.earlier = earlier[post.code] ?? []
        post.places = (post.places + (further[post.code.code] ?? [])).sorted()
        return post
      }
  }

  /// Segments with the posts at both ends, as they are and were, that hang together with one of these; nil for all.
  static func routes(of posts: Set<CheckpostCode>?, _ database: Database) throws -> [Route] {
    let earlier = try LimitRows.all(database)
    if try PlaceRows.isAny(database) {
      let segments = try Row.fetchAll(database.cachedStatement(sql: "SELECT * FROM segments"))
        .compactMap { try? Segment(row: $0, earlier) }
      let routes = Route.between(try self.posts(database), on: segments)
      return posts.map { Route.reaching($0, among: routes) } ?? routes
    }
    let routes = try Row.fetchAll(database.cachedStatement(sql: allRoutes)).compactMap {
      row -> Route? in
      guard let segment = try? Segment(row: row, earlier) else { return nil }
      return Route(
        segment: segment,
        posts: [
          CheckpostCode(asItStands: row["first"] as String),
          CheckpostCode(asItStands: row["second"] as String),
        ])
    }
    return posts.map { Route.reaching($0, among: routes) } ?? routes
  }

  private static let allRoutes = """
    SELECT s.*, a.post AS first, b.post AS second FROM segments s
      JOIN segment_ends a ON a.segment = s.name AND a.position_index = 0
      JOIN segment_ends b ON b.segment = s.name AND b.position_index = 1
    """

  static func numbers(_ database: Database) throws -> [SenderBinding] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM numbers ORDER BY phone, checkpost")
    ).compactMap { row in
      guard let phone = PhoneNumber(row["phone"]) else { return nil }
      return SenderBinding(
        number: phone, post: CheckpostCode(asItStands: row["checkpost"] as String),
        validFrom: (row["valid_from_ms"] as Int64?).map { WallTime(milliseconds: $0) },
        validUntil: (row["valid_until_ms"] as Int64?).map { WallTime(milliseconds: $0) })
    }
  }

  static func rangers(_ database: Database) throws -> [Ranger] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT * FROM rangers WHERE is_active AND checkpost IS NOT NULL ORDER BY phone
          """)
    )
    .compactMap { row in
      guard let phone = PhoneNumber(row["phone"]) else { return nil }
      return Ranger(
        name: row["name"], phone: phone,
        checkpost: CheckpostCode(asItStands: row["checkpost"] as String))
    }
  }
}

extension DirectoryRefusal {
  init(_ error: DatabaseError) {
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_FOREIGNKEY: self = .unknownReference
    case .SQLITE_CONSTRAINT_UNIQUE: self = .endTaken
    default: self = .rule(error.message ?? error.resultCode.description)
    }
  }
}

extension Segment {
  /// - Parameter earlier: What held before, by the names of the segments.
  init(row: Row, _ earlier: [String: [EarlierLimits]]) throws {
    let metres: Int64 = row["distance_m"]
    let low: Int64 = row["min_speed_mh"]
    let high: Int64 = row["max_speed_mh"]
    try self.init(
      name: row["name"], distanceKilometres: Double(metres) / 1_000,
      minimumKilometresPerHour: Double(low) / 1_000,
      maximumKilometresPerHour: Double(high) / 1_000)
    self.earlier = earlier[name] ?? []
  }
}

extension Post {
  init(row: Row) throws {
    let index: Int? = row["position_index"]
    let segment: String? = row["segment"]
    self.init(
      code: CheckpostCode(asItStands: row["code"] as String), name: row["name"],
      place: segment.flatMap { segment in index.map { Place(segment: segment, index: $0) } },
      phone: (row["phone"] as String?).flatMap { PhoneNumber($0) })
  }
}
