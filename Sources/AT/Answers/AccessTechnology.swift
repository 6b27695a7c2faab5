/// How a modem reaches its network: `<AcT>` of 3GPP TS 27.007 7.2 and 7.3.
public enum AccessTechnology: String, Hashable, Sendable, CaseIterable {
  /// GSM, with or without GPRS and EDGE.
  case gsm
  /// UTRAN, with or without HSPA.
  case umts
  /// E-UTRAN.
  case lte
  /// Narrowband: NB-IoT, and GSM for things that send little.
  case narrow = "narrowband"
  /// NG-RAN.
  case nr

  /// The technology of a number that a modem gives; nil when it is none.
  public init?(number: Int) {
    switch number {
    case 0, 1, 3: self = .gsm
    case 2, 4, 5, 6: self = .umts
    case 7, 10, 13: self = .lte
    case 8, 9: self = .narrow
    case 11, 12: self = .nr
    default: return nil
    }
  }

  /// The technology as people call it.
  public var words: String {
    switch self {
    case .gsm: "GSM (2G)"
    case .umts: "UMTS (3G)"
    case .lte: "LTE (4G)"
    case .narrow: "narrowband (NB-IoT)"
    case .nr: "NR (5G)"
    }
  }

  /// What is worth a word about a modem that has nothing better; nil for most.
  public var warning: String? {
    self == .gsm
      ? "only 2G is left here: texts go through while it lasts, and networks are switching it off"
      : nil
  }
}
