public import Events
public import Time

/// What somebody has to know of a modem, by what its driver says of it, and since when.
public struct ModemProblems: Hashable, Sendable {
  private var error: String?
  private var failingSince: WallTime?
  private var deafSince: WallTime?
  private var registration = ""
  private var unregisteredSince: WallTime?

  /// A modem that has said nothing yet.
  public init() {}

  /// Takes up what a driver says of its modem.
  public mutating func take(_ status: ModemStatus, at now: WallTime) {
    error = status.lastError
    failingSince = error == nil ? nil : failingSince ?? now
    deafSince = status.isDeaf ? deafSince ?? now : nil
    registration = status.registration
    unregisteredSince = status.state == .registering ? unregisteredSince ?? now : nil
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
