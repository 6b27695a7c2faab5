/// The part of a network that a modem registers in, named by its command (3GPP TS 27.007 7.2,
/// 10.1.20, 10.1.22).
public enum RegistrationDomain: String, CaseIterable, Hashable, Sendable {
  /// Calls and texts over GSM and UMTS.
  case circuitSwitched = "CREG"
  /// Data over GSM and UMTS.
  case packetSwitched = "CGREG"
  /// LTE.
  case evolved = "CEREG"
}

/// How a modem stands with a network: `<stat>` of `+CREG` (3GPP TS 27.007 7.2).
public enum Registration: Hashable, Sendable {
  /// Not registered, and looking for no network: 0.
  case notSearching
  /// Registered in the SIM's own network: 1.
  case home
  /// Not registered yet, and looking for a network: 2.
  case searching
  /// A network refused the SIM: 3.
  case denied
  /// The modem does not know, as out of coverage: 4.
  case unknown
  /// Registered in a foreign network: 5.
  case roaming
  /// Registered for texts alone, in the home network.
  case textsOnlyHome
  /// Registered for texts alone, in a foreign network.
  case textsOnlyRoaming
  /// Emergency calls alone.
  case emergencyOnly

  /// The registration by its number; one that is not known counts as unknown.
  public init(_ status: Int) {
    switch status {
    case 0: self = .notSearching
    case 1, 9: self = .home
    case 2: self = .searching
    case 3: self = .denied
    case 5, 10: self = .roaming
    case 6: self = .textsOnlyHome
    case 7: self = .textsOnlyRoaming
    case 8, 11: self = .emergencyOnly
    default: self = .unknown
    }
  }

  /// The registration in the answer to a query: the second value.
  public init?(answer: some StringProtocol) {
    guard Registration.isAnswer(answer), let status = Parameters(answer).integer(1) else {
      return nil
    }
    self.init(status)
  }

  /// Whether texts can be sent.
  public var canSend: Bool {
    switch self {
    case .home, .roaming, .textsOnlyHome, .textsOnlyRoaming: true
    case .notSearching, .searching, .denied, .unknown, .emergencyOnly: false
    }
  }

  /// The registration in a word.
  public var words: String {
    switch self {
    case .notSearching: "not searching"
    case .home, .textsOnlyHome: "home"
    case .searching: "searching"
    case .denied: "denied"
    case .unknown: "unknown"
    case .roaming, .textsOnlyRoaming: "roaming"
    case .emergencyOnly: "emergency calls only"
    }
  }

  /// Whether values are those of an answer: two bare numbers first.
  static func isAnswer(_ value: some StringProtocol) -> Bool {
    let fields = value.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
    return fields.count >= 2
      && fields.prefix(2).allSatisfy { field in
        let digits = field.trimmingBlanks
        return !digits.isEmpty && digits.utf8.count <= 2
          && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }
}
