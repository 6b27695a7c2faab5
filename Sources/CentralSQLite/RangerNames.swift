import CentralCore
import GRDB
import Passages
import Time

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

  /// The last digits of the number of the person whom uploads name as a ranger; nil where they are unknown.
  func digits(of ranger: String, _ database: Database) throws -> String? {
    guard let id = ClientID(ranger) else { return nil }
    let phone = try String.fetchOne(
      database.cachedStatement(sql: "SELECT phone_number FROM api_user_profiles WHERE id = ?"),
      arguments: [id.description])
    let suffix = PhoneSuffix(phoneNumber: phone)
    return suffix == .unknown ? nil : suffix.digits
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
