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

extension NodeSnapshot {
  /// What the way to the server is doing, by what the store says of what is not there: everything is there
  /// only when nothing waits, nothing was refused and nothing is to be decided.
  ///
  /// - Parameter overview: the store in numbers; nil while it cannot be read.
  public func sync(_ overview: StoreOverview?) -> SyncState {
    guard let overview else {
      return sync == .off ? .off : .error(reason: "the node's database cannot be read")
    }
    switch sync {
    case .off, .syncing, .error, .retrying(_, until: .some): return sync
    case .idle, .retrying(_, until: nil): break
    }
    let refused = overview.uploadsRefused
    let waiting = overview.uploadsOpen - refused
    if waiting > 0, let kept = overview.keptWords(all: waiting) {
      return .retrying(reason: kept, until: nil)
    }
    if waiting > 0 {
      let known = connectivity.absence ?? sync.reason ?? overview.lastUploadError?.words
      return .retrying(reason: known ?? "it goes at the next look", until: nil)
    }
    if refused > 0 {
      return .error(reason: "the server refused \(refused) for good" + overview.refusalWords)
    }
    if overview.conflictsOpen > 0 {
      return .error(reason: "\(overview.conflictsOpen) to be decided by a person")
    }
    return .idle
  }
}

extension StoreOverview {
  /// Why none of so many uploads goes, where that is a matter for people and not for the server; nil where one may.
  fileprivate func keptWords(all waiting: Int) -> String? {
    let onHold = decided.reduce(0) { sum, kept in
      let isOpen = kept.key.isOnHold && kept.key.status == .pending && !kept.key.isHandedOn
      return sum + (isOpen && !kept.key.isUndated ? kept.value : 0)
    }
    guard undated + onHold >= waiting else { return nil }
    if onHold == 0 { return "the time is not known yet at which it was" }
    return undated == 0 ? "on hold" : "on hold, or without a time"
  }

  /// Why the first of what was refused for good was, behind a colon.
  fileprivate var refusalWords: String {
    let first = UploadKind.allCases.lazy.compactMap { refused[$0]?.error }.first
    return first.map { ": \($0)" } ?? ""
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
