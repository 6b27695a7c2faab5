import Accounts
import FoundationEssentials
import GRDB
import Passages
import Storage
import Time

/// Sessions and keys as rows.
extension AccountRows {
  func session(_ id: String) throws(StorageError) -> Session? {
    try rows("SELECT * FROM sessions WHERE id = ?", [id], Session.init(row:)).first
  }

  func session(
    token: TokenDigest
  ) throws(StorageError) -> (session: Session, generation: Int)? {
    try rows(
      """
      SELECT sessions.*, refresh_tokens.generation AS shown FROM refresh_tokens
        JOIN sessions ON sessions.id = session WHERE digest = ?
      """, [Data(token.bytes)]
    ) { (try Session(row: $0), $0["shown"] as Int) }.first
  }

  func openSessions(of id: AccountID) throws(StorageError) -> [Session] {
    try rows(
      "SELECT * FROM sessions WHERE account = ? AND ended IS NULL ORDER BY created_at_ms, id",
      [id.text], Session.init(row:))
  }

  func keep(_ session: Session, token: TokenDigest?) throws(StorageError) {
    try execute(
      """
      INSERT INTO sessions (id, account, created_at_ms, refreshed_at_ms, generation, nonce, ended,
        ended_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET created_at_ms = excluded.created_at_ms,
        refreshed_at_ms = excluded.refreshed_at_ms, generation = excluded.generation,
        nonce = excluded.nonce, ended = excluded.ended, ended_at_ms = excluded.ended_at_ms
      """,
      [
        session.id, session.account.text, session.createdAt.milliseconds,
        session.refreshedAt.milliseconds, session.generation, Data(session.nonce),
        session.end?.rawValue, session.endedAt?.milliseconds,
      ])
    guard let token else { return }
    try execute(
      "INSERT INTO refresh_tokens (digest, session, generation) VALUES (?, ?, ?)",
      [Data(token.bytes), session.id, session.generation])
    try execute(
      "DELETE FROM refresh_tokens WHERE session = ? AND generation <= ?",
      [session.id, session.generation - Limits.rememberedTokens])
  }

  func endSessions(
    of id: AccountID, except: String?, _ end: Session.End, at now: WallTime
  ) throws(StorageError) -> Int {
    try execute(
      """
      UPDATE sessions SET ended = ?3, ended_at_ms = ?4
        WHERE account = ?1 AND ended IS NULL AND id IS NOT ?2
      """, [id.text, except, end.rawValue, now.milliseconds])
    return database.changesCount
  }

  func forgetSessions(unusedFor time: Duration, at now: WallTime) throws(StorageError) {
    try execute(
      """
      DELETE FROM sessions
        WHERE refreshed_at_ms < min(?, (SELECT max(refreshed_at_ms) FROM sessions)) - ?
      """, [now.milliseconds, time.wholeMilliseconds])
  }

  func key(_ prefix: String) throws(StorageError) -> APIKey? {
    try rows("SELECT * FROM api_keys WHERE prefix = ?", [prefix], APIKey.init(row:)).first
  }

  func keys() throws(StorageError) -> [APIKey] {
    try rows("SELECT * FROM api_keys ORDER BY created_at_ms, prefix", [], APIKey.init(row:))
  }

  func insert(_ key: APIKey) throws(StorageError) -> AccountConflict? {
    try unlessInConflict(
      """
      INSERT INTO api_keys (prefix, name, role, checkpost, digest, created_at_ms, valid_from_ms,
        valid_until_ms, revoked_at_ms, used_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        key.prefix, key.name, key.role.rawValue, key.post?.code, Data(key.digest.bytes),
        key.createdAt.milliseconds, key.validFrom?.milliseconds, key.validUntil?.milliseconds,
        key.revokedAt?.milliseconds, key.usedAt?.milliseconds,
      ])
  }

  func revokeKey(_ prefix: String, at now: WallTime) throws(StorageError) -> Bool {
    try execute(
      "UPDATE api_keys SET revoked_at_ms = ? WHERE prefix = ? AND revoked_at_ms IS NULL",
      [now.milliseconds, prefix])
    return database.changesCount > 0
  }

  func noteUse(of prefix: String, at now: WallTime) throws(StorageError) {
    try execute(
      "UPDATE api_keys SET used_at_ms = ? WHERE prefix = ?", [now.milliseconds, prefix])
  }
}

extension Session {
  init(row: Row) throws {
    guard let account = AccountID(row["account"]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a session cannot be read")
    }
    let nonce: Data = row["nonce"]
    // A reason that a newer version wrote is one all the same.
    let end = (row["ended"] as String?).map { End(rawValue: $0) ?? .ended }
    self.init(
      id: row["id"], account: account, createdAt: WallTime(milliseconds: row["created_at_ms"]),
      refreshedAt: WallTime(milliseconds: row["refreshed_at_ms"]), generation: row["generation"],
      nonce: Array(nonce), end: end,
      endedAt: (row["ended_at_ms"] as Int64?).map { WallTime(milliseconds: $0) })
  }
}

extension APIKey {
  init(row: Row) throws {
    let bytes: Data = row["digest"]
    guard let role = Role(rawValue: row["role"]), let digest = TokenDigest(Array(bytes)) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a key cannot be read")
    }
    func time(_ name: String) -> WallTime? {
      (row[name] as Int64?).map { WallTime(milliseconds: $0) }
    }
    self.init(
      prefix: row["prefix"], name: row["name"], role: role,
      post: (row["checkpost"] as String?).map { CheckpostCode(asItStands: $0) }, digest: digest,
      createdAt: WallTime(milliseconds: row["created_at_ms"]), validFrom: time("valid_from_ms"),
      validUntil: time("valid_until_ms"), revokedAt: time("revoked_at_ms"),
      usedAt: time("used_at_ms"))
  }
}
