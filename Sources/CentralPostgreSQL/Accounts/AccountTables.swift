import Accounts
import Passages
import PostgreSQL
import Storage
import Time

/// Accounts, sessions and keys as rows, inside one transaction.
struct AccountTables: AccountTransaction {
  let connection: LentConnection

  func account(_ id: AccountID) throws(StorageError) -> Account? {
    try rows("\(Account.select) WHERE id = $1", [.text(id.text)], Account.init(row:)).first
  }

  func account(login: LoginName) throws(StorageError) -> Account? {
    try rows("\(Account.select) WHERE email = $1", [.text(login.address)], Account.init(row:)).first
  }

  func accounts() throws(StorageError) -> [Account] {
    try rows("\(Account.select) ORDER BY email", [], Account.init(row:))
  }

  func password(of id: AccountID) throws(StorageError) -> String? {
    try rows("SELECT password FROM checkpost.accounts WHERE id = $1", [.text(id.text)]) {
      row throws(PostgreSQLError) in try row.optional(0, .text)
    }.first ?? nil
  }

  func insert(_ account: Account, password: String?) throws(StorageError) -> AccountConflict? {
    try unlessInConflict(
      """
      INSERT INTO checkpost.accounts (id, email, full_name, role, phone, checkpost, active, created_at,
        updated_at, password) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      """,
      AccountTables.values(account) + [
        .time(account.createdAt), .time(account.updatedAt), .text(password),
      ])
  }

  func update(_ account: Account) throws(StorageError) -> AccountConflict? {
    if !account.isActive {
      // What somebody signed in for before is over, also when they may sign in again.
      _ = try endSessions(of: account.id, except: nil, .ended, at: account.updatedAt)
    }
    return try unlessInConflict(
      """
      UPDATE checkpost.accounts SET email = $2, full_name = $3, role = $4, phone = $5, checkpost = $6,
        active = $7, updated_at = $8 WHERE id = $1
      """, AccountTables.values(account) + [.time(account.updatedAt)])
  }

  private static func values(_ account: Account) -> [PostgreSQLValue] {
    [
      .text(account.id.text), .text(account.login.address), .text(account.fullName),
      .text(account.role.rawValue), .text(account.phone), .text(account.post?.code),
      .bool(account.isActive),
    ]
  }

  func setPassword(
    _ password: String, of id: AccountID, at now: WallTime
  ) throws(StorageError) {
    try execute(
      "UPDATE checkpost.accounts SET password = $1, updated_at = $2 WHERE id = $3",
      [.text(password), .time(now), .text(id.text)])
  }

  func post(identified uuid: String) throws(StorageError) -> CheckpostCode? {
    // A text that is no UUID is none of a post; the server would end the transaction over it.
    guard let wanted = AccountID(uuid)?.text else { return nil }
    return try rows(
      "SELECT code FROM checkpost.api_checkposts WHERE id = $1", [.text(wanted)]
    ) { row throws(PostgreSQLError) in try row.post(0) }.first ?? nil
  }

  func segment(of post: CheckpostCode) throws(StorageError) -> String? {
    try rows(
      """
      SELECT s.name FROM checkpost.api_checkposts c JOIN checkpost.api_highway_segments s
        ON s.id = c.segment_id WHERE c.code = $1
      """, [.text(post.code)]
    ) { row throws(PostgreSQLError) in try row.value(0, .text) }.first
  }

  func record(_ entry: AuditEntry) throws(StorageError) {
    let numbers = try rows(
      """
      INSERT INTO checkpost.audit (at, kind, account, api_key, address, actor, detail)
        VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id
      """,
      [
        .time(entry.at), .text(entry.kind.rawValue), .text(entry.account?.text),
        .text(entry.key), .text(entry.address), .text(entry.actor), .text(entry.detail),
      ]
    ) { row throws(PostgreSQLError) in try row.value(0, .integer) }
    // Whoever guesses names fills no disk, and drives out nothing else.
    guard entry.kind == .signInRefused, entry.account == nil, let number = numbers.first else {
      return
    }
    try execute(
      """
      DELETE FROM checkpost.audit WHERE account IS NULL AND kind = 'sign_in_refused' AND id <= $1
      """, [.integer(number - Limits.unknownSignIns)])
  }

  func audit(limit: Int) throws(StorageError) -> [AuditEntry] {
    try rows(
      "SELECT * FROM checkpost.audit ORDER BY id DESC LIMIT $1", [.integer(Int64(limit))]
    ) { row throws(PostgreSQLError) in
      // What a newer version may have written under another name is left out.
      guard let kind = AuditEntry.Kind(rawValue: try row.value("kind", .text)) else { return nil }
      return AuditEntry(
        at: try row.value("at", .time), kind,
        account: try row.optional("account", .text).flatMap { AccountID($0) },
        key: try row.optional("api_key", .text), address: try row.optional("address", .text),
        actor: try row.optional("actor", .text), detail: try row.optional("detail", .text))
    }.compactMap { $0 }
  }
}

/// What every statement here goes through.
extension AccountTables {
  func rows<Value: Sendable>(
    _ sql: String, _ values: [PostgreSQLValue],
    _ read: @escaping @Sendable (PostgreSQLRow) throws(PostgreSQLError) -> Value
  ) throws(StorageError) -> [Value] {
    try connection.run { connection throws(PostgreSQLError) in
      var found: [Value] = []
      for row in try connection.query(sql, values).rows { found.append(try read(row)) }
      return found
    }
  }

  /// - Returns: How many rows were changed.
  @discardableResult
  func execute(_ sql: String, _ values: [PostgreSQLValue]) throws(StorageError) -> Int {
    try connection.run { connection throws(PostgreSQLError) in
      try connection.query(sql, values).affected
    }
  }

  /// Runs a statement that another row may stand in the way of; that statement alone is taken back then.
  func unlessInConflict(
    _ sql: String, _ values: [PostgreSQLValue]
  ) throws(StorageError) -> AccountConflict? {
    try connection.run { connection throws(PostgreSQLError) in
      do throws(PostgreSQLError) {
        try connection.savepoint { connection throws(PostgreSQLError) in
          _ = try connection.query(sql, values)
        }
        return nil
      } catch {
        if error.isViolation(.foreignKeyViolation) { return .unknownPost }
        if error.isViolation(.uniqueViolation, of: "accounts_email_key") { return .loginTaken }
        if error.isViolation(.uniqueViolation, of: "accounts_phone_key") { return .phoneTaken }
        if error.isViolation(.uniqueViolation, of: "api_keys_pkey") { return .prefixTaken }
        throw error
      }
    }
  }
}

extension PostgreSQLRow {
  /// The code of a post, also where another program gave it one that nothing here would.
  func post(_ column: Int) throws(PostgreSQLError) -> CheckpostCode? {
    PostgreSQLRow.post(try optional(column, .text))
  }

  static func post(_ code: String?) -> CheckpostCode? {
    code.map { CheckpostCode(asItStands: $0) }
  }
}

extension Account {
  static let select = "SELECT * FROM checkpost.accounts"

  init(row: PostgreSQLRow) throws(PostgreSQLError) {
    // The table's own rules keep what is read here in order.
    guard let id = AccountID(try row.value("id", .text)),
      let login = LoginName(try row.value("email", .text), domain: ""),
      let role = Role(rawValue: try row.value("role", .text))
    else { throw .misused(reason: "an account cannot be read") }
    self.init(
      id: id, login: login, fullName: try row.value("full_name", .text), role: role,
      phone: try row.optional("phone", .text),
      post: PostgreSQLRow.post(try row.optional("checkpost", .text)),
      isActive: try row.value("active", .bool), createdAt: try row.value("created_at", .time),
      updatedAt: try row.value("updated_at", .time))
  }
}
