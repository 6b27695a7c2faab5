public import Time

/// What the way to the server is doing.
public enum SyncState: Hashable, Sendable {
  /// No server is configured.
  case off
  /// Everything is there that is to be there.
  case idle
  /// Passages are going: so many of those that waited when it began.
  case syncing(done: Int, total: Int)
  /// Something failed and is tried again then; nil for when the line is there.
  case retrying(reason: String, until: BootInstant?)
  /// It goes no further until somebody does something.
  case error(reason: String)

  /// Its name in snake_case, which never changes.
  public var name: String {
    switch self {
    case .off: "off"
    case .idle: "idle"
    case .syncing: "syncing"
    case .retrying: "retrying"
    case .error: "error"
    }
  }

  /// Why, for people; nil where the name says all.
  public var reason: String? {
    switch self {
    case .off, .idle, .syncing: nil
    case .retrying(let reason, _), .error(let reason): reason
    }
  }
}

/// How much of its work a node can do.
public enum DegradationLevel: String, CaseIterable, Hashable, Sendable {
  /// Everything goes to the server at once, and is compared with what passed at the other post.
  case fullOnline = "full_online"
  /// Everything is kept here, and compared with what was known before the line was lost.
  case coreOffline = "core_offline"
  /// The line has been away for so long that passages leave as texts.
  case smsLastResort = "sms_last_resort"
}
