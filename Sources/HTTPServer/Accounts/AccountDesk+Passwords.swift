import Accounts
import Events
import Storage
import Time
import Tokens

/// New passwords, one's own and, of an admin, another's.
extension AccountDesk {
  /// Gives the holder of a session another password. Their other sessions end: somebody who had the last password may
  /// have begun them.
  func changePassword(
    to password: String, of account: Account, session: String, address: String?
  ) async throws(GrantRefusal) {
    try AccountDesk.check(password)
    let known = await work { store throws(StorageError) in
      try store.readAccounts { rows throws(StorageError) in try rows.password(of: account.id) }
    }
    guard let known else { throw .unavailable }
    switch await hasher.compare(password, with: known) {
    case .busy: throw .tooMany(retryAfter: Limits.hashingRetrySeconds)
    case .right: throw .samePassword
    case .wrong: break
    }
    try await keep(
      password, of: account.id, except: session,
      AuditEntry(
        at: clocks.wall(), .passwordSet, account: account.id, address: address,
        actor: account.id.text))
  }

  /// Gives an account another password, for an admin; all its sessions end.
  func setPassword(
    _ password: String, of id: AccountID, by admin: Principal, address: String?
  ) async throws(GrantRefusal) {
    try AccountDesk.check(password)
    var entry = AuditEntry(
      at: clocks.wall(), .passwordSet, account: id, address: address, actor: admin.name)
    if case .key(let prefix) = admin.proof { entry.key = prefix }
    try await keep(password, of: id, except: nil, entry)
  }

  /// The account of that identifier, for an admin.
  func account(_ id: AccountID) async throws(GrantRefusal) -> Account {
    let found = await work { store throws(StorageError) in
      try store.readAccounts { rows throws(StorageError) in try rows.account(id) }
    }
    guard let found else { throw .unavailable }
    guard let found else { throw .userNotFound }
    return found
  }

  private static func check(_ password: String) throws(GrantRefusal) {
    if let fault = PasswordRule.fault(of: password) { throw .weakPassword(fault) }
  }

  private func keep(
    _ password: String, of id: AccountID, except session: String?, _ entry: AuditEntry
  ) async throws(GrantRefusal) {
    guard let hash = await hasher.hash(password) else {
      throw .tooMany(retryAfter: Limits.hashingRetrySeconds)
    }
    let isDone = await work { store throws(StorageError) in
      try store.accountTransaction { rows throws(StorageError) in
        guard try rows.account(id) != nil else { return false }
        try rows.setPassword(hash, of: id, at: entry.at)
        _ = try rows.endSessions(of: id, except: session, .passwordChanged, at: entry.at)
        try rows.record(entry)
        return true
      }
    }
    guard let isDone else { throw .unavailable }
    guard isDone else { throw .userNotFound }
    tell("password_set", .notice, id, "has another password")
  }
}
