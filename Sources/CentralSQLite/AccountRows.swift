import Accounts
import GRDB
import Passages
import SQLiteFile
import Storage
import Time

/// Accounts, sessions and keys as rows, inside one transaction.
struct AccountRows: AccountTransaction {
  let database: Database
  let path: String

  func account(_ id: AccountID) throws(StorageError) -> Account? {
    try rows("SELECT * FROM accounts WHERE id = ?", [id.text], Account.init(row:)).first
  }

  func account(login: LoginName) throws(StorageError) -> Account? {
    try rows("SELECT * FROM accounts WHERE email = ?", [login.address], Account.init(row:)).first
  }

  func accounts() throws(StorageError) -> [Account] {
    try rows("SELECT * FROM accounts ORDER BY email", [], Account.init(row:))
  }

  func password(of id: AccountID) throws(StorageError) -> String? {
    try rows("SELECT password FROM accounts WHERE id = ?", [id.text]) { $0[0] as String? }
      .first ?? nil
  }

  func insert(_ account: Account, password: String?) throws(StorageError) -> AccountConflict? {
    try unlessInConflict(
      """
      INSERT INTO accounts (id, email, full_name, role, phone, checkpost, active, password,
        created_at_ms, updated_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        account.id.text, account.login.address, account.fullName, account.role.rawValue,
        account.phone, account.post?.code, account.isActive, password,
        account.createdAt.milliseconds, account.updatedAt.milliseconds,
      ])
  }

  func update(_ account: Account) throws(StorageError) -> AccountConflict? {
    if !account.isActive {
      // What somebody signed in for before is over, also when they may sign in again.
      _ = try endSessions(of: account.id, except: nil, .ended, at: account.updatedAt)
    }
    return try unlessInConflict(
      """
      UPDATE accounts SET email = ?2, full_name = ?3, role = ?4, phone = ?5, checkpost = ?6,
        active = ?7, updated_at_ms = ?8 WHERE id = ?1
      """,
      [
        account.id.text, account.login.address, account.fullName, account.role.rawValue,
        account.phone, account.post?.code, account.isActive, account.updatedAt.milliseconds,
      ])
  }

  func setPassword(
    _ password: String, of id: AccountID, at now: WallTime
  ) throws(StorageError) {
    try execute(
      "UPDATE accounts SET password = ?, updated_at_ms = ? WHERE id = ?",
      [password, now.milliseconds, id.text])
  }

  func post(identified uuid: String) throws(StorageError) -> CheckpostCode? {
    try rows(
      "SELECT p.code FROM wire_names w JOIN posts p ON p.code = w.name WHERE w.kind = 'post' AND w.uuid = ?",
      [uuid.lowercased()]
    ) { CheckpostCode(asItStands: $0[0] as String) }.first
  }

  func segment(of post: CheckpostCode) throws(StorageError) -> String? {
    try rows("SELECT segment FROM posts WHERE code = ?", [post.code]) { $0[0] as String? }
      .first ?? nil
  }

  func record(_ entry: AuditEntry) throws(StorageError) {
    try execute(
      """
      INSERT INTO audit (id, at_ms, kind, account, api_key, address, actor, detail)
        VALUES (\(Schema.freeNumber(of: "audit", "id")), ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        entry.at.milliseconds, entry.kind.rawValue, entry.account?.text, entry.key, entry.address,
        entry.actor, entry.detail,
      ])
    // Whoever guesses names fills no disk, and drives out nothing else.
    guard entry.kind == .signInRefused, entry.account == nil else { return }
    try execute(
      """
      DELETE FROM audit WHERE account IS NULL AND kind = 'sign_in_refused' AND id <= ?
      """, [database.lastInsertedRowID - Limits.unknownSignIns])
  }

  func audit(limit: Int) throws(StorageError) -> [AuditEntry] {
    try rows("SELECT * FROM audit ORDER BY id DESC LIMIT ?", [limit]) { row in
      // What a newer version may have written under another name is left out.
      AuditEntry.Kind(rawValue: row["kind"]).map { kind in
        AuditEntry(
          at: WallTime(milliseconds: row["at_ms"]), kind,
          account: (row["account"] as String?).flatMap { AccountID($0) }, key: row["api_key"],
          address: row["address"], actor: row["actor"], detail: row["detail"])
      }
    }.compactMap { $0 }
  }
}

/// What every statement here goes through.
extension AccountRows {
  func sorted<Value>(_ body: () throws -> Value) throws(StorageError) -> Value {
    do {
      return try body()
    } catch {
      throw SQLiteFile.classify(error, path: path)
    }
  }

  func rows<Value>(
    _ sql: String, _ arguments: StatementArguments, _ read: (Row) throws -> Value
  ) throws(StorageError) -> [Value] {
    try sorted {
      try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map(read)
    }
  }

  func execute(_ sql: String, _ arguments: StatementArguments) throws(StorageError) {
    try sorted { try database.cachedStatement(sql: sql).execute(arguments: arguments) }
  }

  /// Runs a statement that another row may stand in the way of; SQLite takes back that statement alone.
  func unlessInConflict(
    _ sql: String, _ arguments: StatementArguments
  ) throws(StorageError) -> AccountConflict? {
    try sorted {
      do {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
        return nil
      } catch let error as DatabaseError {
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_FOREIGNKEY: return .unknownPost
        case .SQLITE_CONSTRAINT_UNIQUE where error.message?.contains("accounts.email") == true:
          return .loginTaken
        case .SQLITE_CONSTRAINT_UNIQUE where error.message?.contains("accounts.phone") == true:
          return .phoneTaken
        case .SQLITE_CONSTRAINT_PRIMARYKEY
        where error.message?.contains("api_keys.prefix") == true:
          return .prefixTaken
        default: throw error
        }
      }
    }
  }
}

extension Account {
  init(row: Row) throws {
    let email: String = row["email"]
    // The table's own rules keep what is read here in order.
    guard let id = AccountID(row["id"]), let login = LoginName(email, domain: ""),
      let role = Role(rawValue: row["role"])
    else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an account cannot be read") }
    self.init(
      id: id, login: login, fullName: row["full_name"], role: role, phone: row["phone"],
      post: (row["checkpost"] as String?).map { CheckpostCode(asItStands: $0) },
      isActive: row["active"], createdAt: WallTime(milliseconds: row["created_at_ms"]),
      updatedAt: WallTime(milliseconds: row["updated_at_ms"]))
  }
}
