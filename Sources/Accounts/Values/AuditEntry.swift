public import Time

/// A sign-in, or a change of who may do what, as it is kept for years.
public struct AuditEntry: Hashable, Sendable {
  /// What happened. The names are kept as they are for good.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Somebody signed in.
    case signedIn = "signed_in"
    /// A sign-in was refused; without an account where nobody has the name, which is not kept: it may be a
    /// password. Of these only the newest are kept.
    case signInRefused = "sign_in_refused"
    /// Somebody signed out.
    case signedOut = "signed_out"
    /// A refresh token came back that was used up; its session was ended.
    case tokenReplayed = "token_replayed"
    /// An account was made.
    case accountAdded = "account_added"
    /// All that was known of a vehicle was erased; the entry names how much, and not which.
    case vehicleErased = "vehicle_erased"
    /// What came of a violation was noted.
    case outcomeAdded = "outcome_added"
    /// What was noted of it was changed.
    case outcomeChanged = "outcome_changed"
    /// What was noted of it was removed.
    case outcomeRemoved = "outcome_removed"
    /// A park, a segment, a post or a person without an account was put in over the API; the entry names the values.
    case directoryAdded = "directory_added"
    /// One of these was changed.
    case directoryChanged = "directory_changed"
    /// One of these was removed.
    case directoryRemoved = "directory_removed"
    /// Somebody looked at messages of the inbox that are no passage; the entry names how many.
    case messagesDismissed = "messages_dismissed"
    /// A person said that a violation is so.
    case violationConfirmed = "violation_confirmed"
    /// A person recorded what came of a violation.
    case violationClosed = "violation_closed"
    /// A text was taken although a rule refuses it.
    case ruleSetAside = "rule_set_aside"
    /// A password was set.
    case passwordSet = "password_set"
    /// An account may sign in no more.
    case accountDisabled = "account_disabled"
    /// An account may sign in again.
    case accountEnabled = "account_enabled"
    /// The sessions of an account were ended.
    case sessionsEnded = "sessions_ended"
    /// A key was made.
    case keyAdded = "key_added"
    /// A key was revoked.
    case keyRevoked = "key_revoked"
  }

  /// When.
  public var at: WallTime
  /// What happened.
  public var kind: Kind
  /// The account that it is about; nil for keys.
  public var account: AccountID?
  /// The prefix of the key that it is about; nil for accounts.
  public var key: String?
  /// The caller's address, where it came over HTTP.
  public var address: String?
  /// Who did it: an account's identifier, a key (`key` and its prefix), or the user of this machine (`uid 1000`).
  public var actor: String?
  /// What more there is to say, a word: why it was refused.
  public var detail: String?

  /// Something that happened.
  public init(
    at: WallTime, _ kind: Kind, account: AccountID? = nil, key: String? = nil,
    address: String? = nil, actor: String? = nil, detail: String? = nil
  ) {
    self.at = at
    self.kind = kind
    self.account = account
    self.key = key
    self.address = address
    self.actor = actor
    self.detail = detail
  }
}
