/// One command line for a modem, and how its answer is told from everything else on the line.
public struct ATCommand: Hashable, Sendable {
  /// What lines of the answer look like.
  public enum Information: Hashable, Sendable {
    /// Lines that start with the command's own prefix, such as `+CPMS:`, and the lines of
    /// hexadecimal digits that follow one.
    case prefixed
    /// Lines of bare text, as `AT+CGMI` has them. A line with the name of another command is somebody
    /// else's.
    case bare
    /// Any line that is not known as unsolicited: for commands of which nothing is known.
    case any
  }

  /// The text without its carriage return: `AT+CPMS?`.
  public var text: String
  /// What lines of the answer look like.
  public var information: Information
  /// How long the answer may take, counted from the write; for a command with a payload the time to
  /// its prompt.
  public var timeout: Duration
  /// What is written when the prompt comes, without the Ctrl-Z that ends it; nil for a command that
  /// prompts for nothing.
  public var payload: String?
  /// How long the answer may take once the payload is written.
  public var payloadTimeout: Duration
  /// Whether some modems leave the final result out: the command is then done a moment after the
  /// first line of its answer.
  public var mayLackResult = false
  /// Whether an answer whose lines came is taken when its time is over and the final result has not come.
  /// Not where any line may be one of the answer.
  public var isDoneByLines: Bool
  /// Whether the time for the answer begins anew with each of its lines: a list may be of any length.
  public var renewsWithLines = false

  /// A command.
  public init(
    _ text: String, information: Information = .prefixed, timeout: Duration,
    payload: String? = nil, payloadTimeout: Duration = .zero
  ) {
    self.text = text
    self.information = information
    self.timeout = timeout
    self.payload = payload
    self.payloadTimeout = payloadTimeout
    isDoneByLines = information != .any
  }

  /// What lines of the answer start with: `+CPMS:` for `AT+CPMS?`, also behind basic commands in the same
  /// line (`ATE0+CPMS?`); nil for basic commands alone.
  public var prefix: String? {
    let name = text.utf8.dropFirst(2 + basicCommands).prefix { byte in
      byte != UInt8(ascii: "=") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: ";")
    }
    guard let first = name.first, "+^*%$#".utf8.contains(first) else { return nil }
    return String(Substring(name)) + ":"
  }

  /// How many characters the basic commands have that the line begins with (ITU-T V.250 5.3.1). What is
  /// dialled has the rest of the line, whatever is in it.
  private var basicCommands: Int {
    var length = 0
    for byte in text.utf8.dropFirst(2) {
      switch byte {
      case UInt8(ascii: "D"), UInt8(ascii: "d"): return 0
      case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "&"): length += 1
      case 0x30...0x39 where length > 0: length += 1
      default: return length
      }
    }
    return length
  }
}
