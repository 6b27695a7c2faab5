public import CentralCore
import GRDB
public import Passages
import SQLiteFile
public import Storage

/// What whoever puts a post in knows of it, beside its code and its name.
public struct PostKnowledge: OptionSet, Hashable, Sendable {
  /// What is known, a bit each.
  public let rawValue: Int

  /// What is known, by its bits; a bit without a meaning means nothing.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// At which end of which segment it stands, or that it stands at none.
  public static let place = PostKnowledge(rawValue: 1)
  /// The number of its modem, or that it has none.
  public static let phone = PostKnowledge(rawValue: 2)
  /// All there is.
  public static let all: PostKnowledge = [.place, .phone]
}

/// Segments, posts and rangers: put in, and looked up while a message is judged.
extension SQLiteCentralStore {
  /// Puts a segment in, or changes the one of that name.
  public func put(_ segment: Segment) throws(StorageError) {
    try SQLiteFile.write(queue, path) { database in
      try database.execute(
        sql: """
          INSERT INTO segments (name, distance_m, min_speed_mh, max_speed_mh) VALUES (?, ?, ?, ?)
          ON CONFLICT (name) DO UPDATE SET distance_m = excluded.distance_m,
            min_speed_mh = excluded.min_speed_mh, max_speed_mh = excluded.max_speed_mh
          """,
        arguments: [
          segment.name, segment.distanceMetres, segment.minimumMetresPerHour,
          segment.maximumMetresPerHour,
        ])
    }
  }

  /// Puts a post in, or changes the one of that code.
  ///
  /// - Parameter known: what is known of the post beside its code and its name; the rest of one that
  ///   is there stays.
  public func put(_ post: Post, knowing known: PostKnowledge = .all) throws(StorageError) {
    try SQLiteFile.write(queue, path) { database in
      try database.execute(
        sql: """
          INSERT INTO posts (code, name, segment, position_index, phone) VALUES (?1, ?2, ?3, ?4, ?5)
          ON CONFLICT (code) DO UPDATE SET name = excluded.name,
            segment = iif(?6, excluded.segment, segment),
            position_index = iif(?6, excluded.position_index, position_index),
            phone = iif(?7, excluded.phone, phone)
          """,
        arguments: [
          post.code.code, post.name, post.place?.segment, post.place?.index,
          post.phone?.description, known.contains(.place), known.contains(.phone),
        ])
    }
  }

  /// Puts a ranger in, or changes the one of that number.
  public func put(_ ranger: Ranger) throws(StorageError) {
    try SQLiteFile.write(queue, path) { database in
      try database.execute(
        sql: """
          INSERT INTO rangers (phone, name, checkpost, suffix) VALUES (?, ?, ?, ?)
          ON CONFLICT (phone) DO UPDATE SET name = excluded.name,
            checkpost = excluded.checkpost, suffix = excluded.suffix
          """,
        arguments: [
          ranger.phone.description, ranger.name, ranger.checkpost.code,
          PhoneSuffix(phoneNumber: ranger.phone.digits).digits,
        ])
    }
  }

  /// Every segment, by name.
  public func segments() throws(StorageError) -> [Segment] {
    try SQLiteFile.read(queue, path) { database in
      try Row.fetchAll(database, sql: "SELECT * FROM segments ORDER BY name").map { row in
        try Segment(row: row)
      }
    }
  }

  /// Every segment with the posts at its ends, by name; those without two posts are left out.
  public func routes() throws(StorageError) -> [Route] {
    let posts = try posts()
    return try segments().compactMap { segment in
      let ends = posts.filter { $0.place?.segment == segment.name }
        .sorted { $0.place?.index ?? 0 < $1.place?.index ?? 0 }
      return ends.count == 2 ? Route(segment: segment, posts: ends.map(\.code)) : nil
    }
  }

  /// Every post, by code.
  public func posts() throws(StorageError) -> [Post] {
    try SQLiteFile.read(queue, path) { database in
      try Row.fetchAll(database, sql: "SELECT * FROM posts ORDER BY code").map { row in
        try Post(row: row)
      }
    }
  }
}

/// The directory as it stands in one transaction.
enum StoredDirectory {
  static func load(_ database: Database, bindings: [SenderBinding]) throws -> Directory {
    Directory(
      posts: try Row.fetchAll(database, sql: "SELECT * FROM posts ORDER BY code")
        .map { try Post(row: $0) },
      rangers: try Row.fetchAll(database, sql: "SELECT * FROM rangers ORDER BY phone")
        .compactMap { row in
          guard let phone = PhoneNumber(row["phone"]) else { return nil }
          return Ranger(
            name: row["name"], phone: phone,
            checkpost: try CheckpostCode(row["checkpost"] as String))
        },
      bindings: bindings)
  }
}

extension Segment {
  init(row: Row) throws {
    let metres: Int64 = row["distance_m"]
    let low: Int64 = row["min_speed_mh"]
    let high: Int64 = row["max_speed_mh"]
    try self.init(
      name: row["name"], distanceKilometres: Double(metres) / 1_000,
      minimumKilometresPerHour: Double(low) / 1_000,
      maximumKilometresPerHour: Double(high) / 1_000)
  }
}

extension Post {
  init(row: Row) throws {
    let index: Int? = row["position_index"]
    let segment: String? = row["segment"]
    self.init(
      code: try CheckpostCode(row["code"] as String), name: row["name"],
      place: segment.flatMap { segment in index.map { Place(segment: segment, index: $0) } },
      phone: (row["phone"] as String?).flatMap { PhoneNumber($0) })
  }
}
