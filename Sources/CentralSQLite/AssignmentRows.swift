import CentralCore
import GRDB
import Passages
import Time

/// Where rangers served, as rows.
enum AssignmentRows {
  /// Puts a ranger at a post.
  ///
  /// - Parameter known: The numbers of rangers who were known before: those who are put in together take
  ///   nothing from each other.
  static func put(
    _ ranger: Ranger, since: WallTime?, at now: WallTime, known: Set<String>, _ database: Database
  ) throws {
    let phone = ranger.phone.description
    let suffix = PhoneSuffix(phoneNumber: ranger.phone.digits).digits
    let own = try assignments("phone = ?", [phone], database)
    // Who changed the number was named otherwise before.
    var suffixes: [RangerAssignment: String] = [:]
    for row in try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM ranger_assignments WHERE phone = ?"),
      arguments: [phone])
    {
      if let assignment = try RangerAssignment(row: row) {
        suffixes[assignment.begin] = row["suffix"]
      }
    }
    let others = try assignments(
      "checkpost = ? AND suffix = ? AND phone <> ?", [ranger.checkpost.code, suffix, phone],
      database
    ).filter { known.contains($0.phone.description) }
    let assigned = RangerAssignment.assigning(
      ranger, since: since, at: now, own: own, others: others)
    guard assigned != own else { return }
    try database.cachedStatement(sql: "DELETE FROM ranger_assignments WHERE phone = ?")
      .execute(arguments: [phone])
    for assignment in assigned {
      try database.cachedStatement(
        sql: """
          INSERT INTO ranger_assignments (phone, checkpost, suffix, since_ms, until_ms)
            VALUES (?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        phone, assignment.post.code,
        assignment == assigned.last ? suffix : suffixes[assignment.begin] ?? suffix,
        assignment.since?.milliseconds,
        assignment.until?.milliseconds,
      ])
    }
  }

  /// All, by number and then from the first to the last.
  static func all(_ database: Database) throws -> [RangerAssignment] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM ranger_assignments ORDER BY phone, n")
    ).compactMap { try RangerAssignment(row: $0) }
  }

  private static func assignments(
    _ condition: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [RangerAssignment] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT * FROM ranger_assignments WHERE \(condition) ORDER BY n"),
      arguments: arguments
    ).compactMap { try RangerAssignment(row: $0) }
  }
}

extension RangerAssignment {
  /// The same whenever it ends.
  fileprivate var begin: RangerAssignment {
    RangerAssignment(phone: phone, post: post, since: since)
  }

  /// Nil where the number is none.
  init?(row: Row) throws {
    guard let phone = PhoneNumber(row["phone"]) else { return nil }
    self.init(
      phone: phone, post: CheckpostCode(asItStands: row["checkpost"] as String),
      since: (row["since_ms"] as Int64?).map { WallTime(milliseconds: $0) },
      until: (row["until_ms"] as Int64?).map { WallTime(milliseconds: $0) })
  }
}
