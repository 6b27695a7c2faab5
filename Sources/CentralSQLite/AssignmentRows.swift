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
        phone, assignment.post.code, suffix, assignment.since?.milliseconds,
        assignment.until?.milliseconds,
      ])
    }
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
  /// Nil where the number is none.
  init?(row: Row) throws {
    guard let phone = PhoneNumber(row["phone"]) else { return nil }
    self.init(
      phone: phone, post: try CheckpostCode(row["checkpost"] as String),
      since: (row["since_ms"] as Int64?).map { WallTime(milliseconds: $0) },
      until: (row["until_ms"] as Int64?).map { WallTime(milliseconds: $0) })
  }
}

/// Who wrote passages down of which only the last digits of a number are known.
struct RangerNames {
  private var known: [String: [(assignment: RangerAssignment, name: String)]] = [:]
  private var profiles: [String: String] = [:]

  /// What people call whoever uploads name as a ranger: by the identifier of the profile, which is given
  /// back where there is no such profile, as is what is no identifier.
  mutating func name(of ranger: String, _ database: Database) throws -> String {
    guard let id = ClientID(ranger) else { return ranger }
    if let found = profiles[ranger] { return found }
    let name = try String.fetchOne(
      database.cachedStatement(sql: "SELECT full_name FROM api_user_profiles WHERE id = ?"),
      arguments: [id.description])
    profiles[ranger] = name ?? ranger
    return name ?? ranger
  }

  /// Whom a text of that post means by the last digits, as ``RangerAssignment`` decides.
  mutating func name(
    at post: CheckpostCode, _ suffix: PhoneSuffix, _ time: WallTime, sender: String?,
    _ database: Database
  ) throws -> String? {
    guard suffix != .unknown else { return nil }
    let key = "\(post.code) \(suffix.digits)"
    let found = try known[key] ?? assigned(to: post, suffix, database)
    known[key] = found
    let phone = RangerAssignment.ranger(
      of: found.map(\.assignment), at: time, sender: sender.flatMap { PhoneNumber($0) })
    return found.first { $0.assignment.phone == phone }?.name
  }

  private func assigned(
    to post: CheckpostCode, _ suffix: PhoneSuffix, _ database: Database
  ) throws -> [(assignment: RangerAssignment, name: String)] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT a.*, r.name FROM ranger_assignments a JOIN rangers r ON r.phone = a.phone
            WHERE a.checkpost = ? AND a.suffix = ? ORDER BY a.n
          """),
      arguments: [post.code, suffix.digits]
    ).compactMap { row in
      try RangerAssignment(row: row).map { (assignment: $0, name: row["name"]) }
    }
  }
}
