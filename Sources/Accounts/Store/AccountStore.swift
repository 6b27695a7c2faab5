public import Passages
public import Storage
public import Time

/// Where accounts, sessions and keys are kept.
///
/// What a transaction has written is on disk when it returns, all or nothing of it. Any number of callers and
/// processes may use one store at once. Its calls block, so they are not for tasks.
public protocol AccountStore: Sendable {
  /// Runs `body` in one transaction, one after the other with those of all others.
  func accountTransaction<Value: Sendable>(
    _ body: (any AccountTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value

  /// Runs `body` on one state of the store, beside those who write. What it writes is refused.
  func readAccounts<Value: Sendable>(
    _ body: (any AccountTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value
}

/// Why an account or a key cannot be kept.
public enum AccountConflict: String, Error, Hashable, Sendable {
  /// Another account has that login name.
  case loginTaken = "login_taken"
  /// Another active account has that number.
  case phoneTaken = "phone_taken"
  /// There is no such post.
  case unknownPost = "unknown_post"
  /// Another key has that prefix.
  case prefixTaken = "prefix_taken"
}

/// A store of accounts inside one transaction.
public protocol AccountTransaction {
  /// The account of that identifier.
  func account(_ id: AccountID) throws(StorageError) -> Account?
  /// The account that signs in with that name.
  func account(login: LoginName) throws(StorageError) -> Account?
  /// Every account, by login name.
  func accounts() throws(StorageError) -> [Account]
  /// The hash of an account's password, as it was handed in; nil without an account or a password.
  func password(of id: AccountID) throws(StorageError) -> String?

  /// Keeps a new account.
  ///
  /// - Returns: What stands in its way; nil when it is kept.
  func insert(_ account: Account, password: String?) throws(StorageError) -> AccountConflict?
  /// Keeps an account as it is now; its identifier says which.
  ///
  /// - Returns: What stands in its way; nil when it is kept.
  func update(_ account: Account) throws(StorageError) -> AccountConflict?
  /// Keeps the hash of a password.
  func setPassword(_ password: String, of id: AccountID, at now: WallTime) throws(StorageError)

  /// The session of that identifier.
  func session(_ id: String) throws(StorageError) -> Session?
  /// The session that a refresh token belongs to, and the token's number in it.
  func session(
    token: TokenDigest
  ) throws(StorageError) -> (session: Session, generation: Int)?
  /// The sessions of an account that have not ended, oldest first.
  func openSessions(of id: AccountID) throws(StorageError) -> [Session]
  /// Keeps a session as it is now, new or known, and the hash of its active token where that is new.
  func keep(_ session: Session, token: TokenDigest?) throws(StorageError)
  /// Ends the sessions of an account that have not ended, but for one.
  ///
  /// - Returns: How many.
  func endSessions(
    of id: AccountID, except: String?, _ end: Session.End, at now: WallTime
  ) throws(StorageError) -> Int
  /// Forgets sessions that were not used for so long, with their tokens: so long before now and before the
  /// newest use of any, so that a clock that runs ahead makes nothing forgotten.
  func forgetSessions(unusedFor time: Duration, at now: WallTime) throws(StorageError)

  /// The key of that prefix.
  func key(_ prefix: String) throws(StorageError) -> APIKey?
  /// Every key, by when it was made.
  func keys() throws(StorageError) -> [APIKey]
  /// Keeps a new key.
  ///
  /// - Returns: What stands in its way; nil when it is kept.
  func insert(_ key: APIKey) throws(StorageError) -> AccountConflict?
  /// Revokes a key; false when there is none of that prefix that counts.
  func revokeKey(_ prefix: String, at now: WallTime) throws(StorageError) -> Bool
  /// Notes when a key was shown last.
  func noteUse(of prefix: String, at now: WallTime) throws(StorageError)

  /// The post that has this UUID where posts have UUIDs; nil for none.
  func post(identified uuid: String) throws(StorageError) -> CheckpostCode?

  /// The name of the segment that a post belongs to; nil for none.
  func segment(of post: CheckpostCode) throws(StorageError) -> String?

  /// Adds to what is kept of sign-ins and changes.
  func record(_ entry: AuditEntry) throws(StorageError)
  /// What was kept of them, newest first.
  func audit(limit: Int) throws(StorageError) -> [AuditEntry]
}
