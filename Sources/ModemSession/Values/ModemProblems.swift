public import Events
public import Time

/// What somebody has to know of a modem, by what its driver says of it, and since when.
public struct ModemProblems: Hashable, Sendable {
  private var error: String?
  private var failingSince: WallTime?
  private var deafSince: WallTime?
  private var registration = ""
  private var unregisteredSince: WallTime?
  private var storage: Storage?
  private var fillingSince: WallTime?
  private var undeletable = 0
  private var undeletableSince: WallTime?

  /// What its storage for messages holds.
  private struct Storage: Hashable, Sendable {
    var used: Int
    var size: Int
    var leftovers: Int

    var isFilling: Bool { size > 0 && used * 100 >= size * Limits.storageAlarm }
    var isFull: Bool { used >= size }
  }

  /// A modem that has said nothing yet.
  public init() {}

  /// Takes up what a driver says of its modem.
  public mutating func take(_ status: ModemStatus, at now: WallTime) {
    error = status.lastError
    failingSince = error == nil ? nil : failingSince ?? now
    deafSince = status.isDeaf ? deafSince ?? now : nil
    registration = status.registration
    unregisteredSince = status.state == .registering ? unregisteredSince ?? now : nil
    if let used = status.storageUsed, let size = status.storageSize {
      storage = Storage(used: used, size: size, leftovers: status.storageLeftovers ?? 0)
    } else {
      storage = nil
    }
    fillingSince = storage?.isFilling == true ? fillingSince ?? now : nil
    undeletable = status.undeletable
    undeletableSince = undeletable > 0 ? undeletableSince ?? now : nil
  }

  /// All that is wrong with the modem.
  ///
  /// - Parameters:
  ///   - modem: The modem as an operator calls it.
  ///   - deletesLeftovers: Whether what others left in its storage is deleted by the settings.
  public func all(_ modem: String, deletesLeftovers: Bool, at now: WallTime) -> [Problem] {
    [
      failing(modem), unregistered(modem, at: now), deaf(modem),
      filling(modem, deletesLeftovers: deletesLeftovers), deletesFailing(modem),
    ].compactMap { $0 }
  }

  /// What went wrong last with the modem, until it is well again.
  ///
  /// - Parameter modem: The modem as an operator calls it.
  public func failing(_ modem: String) -> Problem? {
    error.map { words in
      let fault = FailureWords(words)
      return Problem(
        "modem_failing", .critical, of: modem, "\(modem): \(fault.problem)",
        remedy: fault.remedy ?? FailureWords.anyRemedy, since: failingSince)
    }
  }

  /// That a modem which works has no network to send in: a warning for as long as it usually takes to find
  /// one.
  public func unregistered(_ modem: String, at now: WallTime) -> Problem? {
    unregisteredSince.map { since in
      Problem(
        "modem_unregistered", now - since < Limits.networkFound ? .warning : .critical, of: modem,
        "\(modem): not registered in the network (\(registration))",
        remedy: registration == "denied"
          ? "is the SIM paid for, activated, and allowed here?"
          : "look at the antenna and the place; `checkpost modem info` shows the signal",
        since: since)
    }
  }

  /// That a modem tells of nothing by itself.
  public func deaf(_ modem: String) -> Problem? {
    deafSince.map { since in
      Problem(
        "modem_deaf", .warning, of: modem,
        "\(modem) tells of no message by itself at this port; it is looked through each minute",
        remedy: "name another of its ports; `checkpost modem list` shows them", since: since)
    }
  }
}

extension ModemProblems {
  /// That the storage for messages fills up, or is full: nothing comes in then.
  public func filling(_ modem: String, deletesLeftovers: Bool) -> Problem? {
    guard let storage, storage.isFilling else { return nil }
    let leftovers =
      storage.leftovers > 0
      ? "; \(storage.leftovers) of them are sent messages and drafts of another program" : ""
    let remedy =
      storage.leftovers > 0 && !deletesLeftovers
      ? "set modem.delete_leftovers, or delete them by hand"
      : "what is stored here is deleted by itself; if it stays full, see `checkpost log --event"
        + " modem_delete_failed`"
    return Problem(
      "modem_storage_filling", storage.isFull ? .critical : .warning, of: modem,
      "\(modem): its storage has \(storage.used) of \(storage.size) messages"
        + (storage.isFull ? ", so no text comes in" : "") + leftovers,
      count: storage.used, remedy: remedy, since: fillingSince)
  }

  /// That messages which are stored here stay in the modem.
  public func deletesFailing(_ modem: String) -> Problem? {
    guard undeletable > 0 else { return nil }
    return Problem(
      "modem_deletes_failing", .warning, of: modem,
      "\(modem) did not delete \(undeletable) message\(undeletable == 1 ? "" : "s"): its storage will fill up",
      count: undeletable,
      remedy: "try `checkpost modem reset`; exchange the SIM if it stays so",
      since: undeletableSince)
  }
}

extension ClockComparison {
  /// That this machine's clock is known to be wrong; nil when nothing is known against it.
  public var problem: Problem? {
    guard verdict.isOff else { return nil }
    return Problem("clock_wrong", .critical, words, remedy: "set it (timedatectl)")
  }
}

extension ClockVerdict {
  /// Whether the clock is known to be wrong.
  fileprivate var isOff: Bool {
    switch self {
    case .ahead, .behind: true
    case .agrees, .unknown: false
    }
  }
}
