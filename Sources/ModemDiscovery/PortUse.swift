/// What one of a modem's ports is for.
public enum PortUse: String, Hashable, Sendable, CaseIterable {
  /// Takes commands and tells what happens by itself: the port to have.
  case at
  /// Takes commands; what happens by itself may be told elsewhere.
  case atSecondary = "at_secondary"
  /// For a data connection; most take commands too, and tell nothing by themselves.
  case ppp
  /// Tells positions.
  case gps
  /// The maker's own protocol; bytes that are no part of it may upset the modem.
  case diagnostic
  /// Carries voice.
  case audio
  /// Of no use for commands.
  case ignored

  /// The use as people read it.
  public var words: String {
    switch self {
    case .at: "commands"
    case .atSecondary: "commands (second)"
    case .ppp: "data connection"
    case .gps: "positions"
    case .diagnostic: "diagnosis"
    case .audio: "voice"
    case .ignored: "of no use"
    }
  }

  /// Its letter in the table of devices.
  init?(letter: Character) {
    switch letter {
    case "A": self = .at
    case "S": self = .atSecondary
    case "P": self = .ppp
    case "G": self = .gps
    case "D": self = .diagnostic
    case "V": self = .audio
    case "X": self = .ignored
    default: return nil
    }
  }
}
