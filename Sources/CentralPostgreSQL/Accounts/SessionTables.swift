import Accounts
import Passages
import PostgreSQL
import Storage
import Time

/// Sessions and keys as rows.
extension AccountTables {
  func session(_ id: String) throws(StorageError) -> Session? {
    try rows(
      "SELECT * FROM checkpost.sessions WHERE id = $1", [.text(id)], Session.init(row:)
    ).first
  }

  func session(
    token: TokenDigest
  ) throws(StorageError) -> (session: Session, generation: Int)? {
    let found = try rows(
      """
      SELECT s.*, t.generation AS shown FROM checkpost.refresh_tokens t
        JOIN checkpost.sessions s ON s.id = t.session WHERE t.digest = $1
      """, [.bytes(token.bytes)]
    ) { row throws(PostgreSQLError) in
      Shown(session: try Session(row: row), generation: Int(try row.value("shown", .integer)))
    }.first
    return found.map { ($0.session, $0.generation) }
  }

  private struct Shown {
    var session: Session
    var generation: Int
  }

  func openSessions(of id: AccountID) throws(StorageError) -> [Session] {
    try rows(
      """
      SELECT * FROM checkpost.sessions WHERE account = $1 AND ended IS NULL ORDER BY created_at, id
      """, [.text(id.text)], Session.init(row:))
  }

  func keep(_ session: Session, token: TokenDigest?) throws(StorageError) {
    try execute(
      """
      INSERT INTO checkpost.sessions (id, account, created_at, refreshed_at, generation, nonce, ended,
        ended_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at,
        refreshed_at = excluded.refreshed_at, generation = excluded.generation,
        nonce = excluded.nonce, ended = excluded.ended, ended_at = excluded.ended_at
      """,
      [
        .text(session.id), .text(session.account.text), .time(session.createdAt),
        .time(session.refreshedAt), .integer(Int64(session.generation)), .bytes(session.nonce),
        .text(session.end?.rawValue), .time(session.endedAt),
      ])
    guard let token else { return }
    try execute(
      "INSERT INTO checkpost.refresh_tokens (digest, session, generation) VALUES ($1, $2, $3)",
      [.bytes(token.bytes), .text(session.id), .integer(Int64(session.generation))])
    try execute(
      "DELETE FROM checkpost.refresh_tokens WHERE session = $1 AND generation <= $2",
      [.text(session.id), .integer(Int64(session.generation) - Limits.rememberedTokens)])
  }

  func endSessions(
    of id: AccountID, except: String?, _ end: Session.End, at now: WallTime
  ) throws(StorageError) -> Int {
    try execute(
      """
      UPDATE checkpost.sessions SET ended = $3, ended_at = $4
        WHERE account = $1 AND ended IS NULL AND id IS DISTINCT FROM $2
      """, [.text(id.text), .text(except), .text(end.rawValue), .time(now)])
  }

  func forgetSessions(unusedFor time: Duration, at now: WallTime) throws(StorageError) {
    try execute(
      """
      DELETE FROM checkpost.sessions
        WHERE refreshed_at < least($1, (SELECT max(refreshed_at) FROM checkpost.sessions))
          - make_interval(secs => $2::double precision / 1000)
      """, [.time(now), .double(Double(time.wholeMilliseconds))])
  }

  func key(_ prefix: String) throws(StorageError) -> APIKey? {
    try rows(
      "SELECT * FROM checkpost.api_keys WHERE prefix = $1", [.text(prefix)], APIKey.init(row:)
    ).first
  }

  func keys() throws(StorageError) -> [APIKey] {
    try rows(
      "SELECT * FROM checkpost.api_keys ORDER BY created_at, prefix", [], APIKey.init(row:))
  }

  func insert(_ key: APIKey) throws(StorageError) -> AccountConflict? {
    try unlessInConflict(
      """
      INSERT INTO checkpost.api_keys (prefix, name, role, checkpost, digest, created_at, valid_from,
        valid_until, revoked_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      """,
      [
        .text(key.prefix), .text(key.name), .text(key.role.rawValue), .text(key.post?.code),
        .bytes(key.digest.bytes), .time(key.createdAt), .time(key.validFrom),
        .time(key.validUntil), .time(key.revokedAt), .time(key.usedAt),
      ])
  }

  func revokeKey(_ prefix: String, at now: WallTime) throws(StorageError) -> Bool {
    try execute(
      "UPDATE checkpost.api_keys SET revoked_at = $1 WHERE prefix = $2 AND revoked_at IS NULL",
      [.time(now), .text(prefix)]) > 0
  }

  func noteUse(of prefix: String, at now: WallTime) throws(StorageError) {
    try execute(
      "UPDATE checkpost.api_keys SET used_at = $1 WHERE prefix = $2", [.time(now), .text(prefix)])
  }
}

extension Session {
  init(row: PostgreSQLRow) throws(PostgreSQLError) {
    guard let account = AccountID(try row.value("account", .text)) else {
      throw .misused(reason: "a session cannot be read")
    }
    // A reason that a newer version wrote is one all the same.
    let end = try row.optional("ended", .text).map { End(rawValue: $0) ?? .ended }
    self.init(
      id: try row.value("id", .text), account: account,
      createdAt: try row.value("created_at", .time),
      refreshedAt: try row.value("refreshed_at", .time),
      generation: Int(try row.value("generation", .integer)),
      nonce: try row.value("nonce", .bytes), end: end,
      endedAt: try row.optional("ended_at", .time))
  }
}

extension APIKey {
  init(row: PostgreSQLRow) throws(PostgreSQLError) {
    guard let role = Role(rawValue: try row.value("role", .text)),
      let digest = TokenDigest(try row.value("digest", .bytes))
    else { throw .misused(reason: "a key cannot be read") }
    self.init(
      prefix: try row.value("prefix", .text), name: try row.value("name", .text), role: role,
      post: PostgreSQLRow.post(try row.optional("checkpost", .text)), digest: digest,
      createdAt: try row.value("created_at", .time),
      validFrom: try row.optional("valid_from", .time),
      validUntil: try row.optional("valid_until", .time),
      revokedAt: try row.optional("revoked_at", .time), usedAt: try row.optional("used_at", .time))
  }
}
