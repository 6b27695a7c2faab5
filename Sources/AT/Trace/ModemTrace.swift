/// What passed over a modem's line, and when: the recording of a dialogue.
///
/// As text it is a file that people can read, cut and comment on:
///
/// ```
/// # checkpost modem trace 1
/// # an E3131 that answers late
/// 0 > "AT+CMGS=18\r"
/// 210 < "\r\n> "
/// 215 > "0011000B91**********0000AA0141\x1a"
/// 4100 < "\r\n+CMGS: 17\r\n\r\nOK\r\n"
/// ```
///
/// The first line names the form and its version. Each other line is empty, a comment after `#`, or an
/// entry: milliseconds since the beginning, `<` for what came from the modem or `>` for what was
/// written to it, and the bytes between quotes, with `\r`, `\n`, `\"`, `\\` and `\x` with two
/// hexadecimal digits for what is no printable character of ASCII.
///
/// Whoever records may redact digits with `*`, one for one.
public struct ModemTrace: Hashable, Sendable {
  /// The line that a trace begins with.
  public static let header = "# checkpost modem trace 1"

  /// Who said something.
  public enum Direction: String, Hashable, Sendable {
    case fromModem = "<"
    case toModem = ">"
  }

  /// Bytes that passed at one moment in one direction.
  public struct Entry: Hashable, Sendable {
    /// Milliseconds since the beginning of the recording.
    public var milliseconds: Int64
    /// Who said it.
    public var direction: Direction
    /// What was said.
    public var bytes: [UInt8]

    /// Bytes of a moment and a direction.
    public init(milliseconds: Int64, direction: Direction, bytes: [UInt8]) {
      self.milliseconds = milliseconds
      self.direction = direction
      self.bytes = bytes
    }

    /// The entry as a line without its end.
    public var line: String {
      "\(milliseconds) \(direction.rawValue) \"\(ModemTrace.escaped(bytes))\""
    }

    /// Whether these bytes are what was recorded: letters of either case, and for each `*` of the
    /// recording a hexadecimal digit or the `*` itself.
    public func matches(_ others: some Collection<UInt8>) -> Bool {
      others.count == bytes.count
        && zip(bytes, others).allSatisfy { TraceText.matches($0, $1) }
    }
  }

  /// What passed, in its order.
  public var entries: [Entry]

  /// A trace of these entries, whose times must not go back.
  public init(entries: [Entry] = []) {
    self.entries = entries
  }

  /// Bytes as a trace has them between its quotes: printable characters of ASCII and escapes.
  public static func escaped(_ bytes: [UInt8]) -> String {
    TraceText.escaped(bytes)
  }

  /// The trace as a text file.
  public var text: String {
    ([ModemTrace.header] + entries.map(\.line)).map { $0 + "\n" }.joined()
  }

  /// Reads a text file.
  ///
  /// - Throws: ``ModemTraceError`` with the first line that is wrong.
  public init(text: some Collection<UInt8>) throws(ModemTraceError) {
    guard text.count <= Limits.traceBytes else {
      throw ModemTraceError(line: 1, reason: .tooLong)
    }
    entries = []
    var number = 0
    for bytes in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      var line = Array(bytes)
      if line.last == 0x0D { line.removeLast() }
      do throws(ModemTraceError.Reason) {
        try take(line, isFirst: number == 1)
      } catch {
        throw ModemTraceError(line: number, reason: error)
      }
    }
  }

  private mutating func take(_ line: [UInt8], isFirst: Bool) throws(ModemTraceError.Reason) {
    if isFirst {
      guard line == Array(ModemTrace.header.utf8) else {
        throw line.starts(with: ModemTrace.header.utf8.dropLast()) ? .otherVersion : .noHeader
      }
      return
    }
    let line = line.drop { $0 == 0x20 || $0 == 0x09 }
    guard let first = line.first, first != 0x23 else { return }
    guard entries.count < Limits.traceEntries else { throw .tooLong }
    let entry = try TraceText.entry(line)
    if let last = entries.last, entry.milliseconds < last.milliseconds { throw .timeGoesBack }
    entries.append(entry)
  }
}

/// Why a file is no trace of a modem.
public struct ModemTraceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with a line.
  public enum Reason: Error, Hashable, Sendable {
    /// The first line is not that of a trace.
    case noHeader
    /// It is that of another version.
    case otherVersion
    /// There is no time in milliseconds, or one that no recording lasts to.
    case noTime
    /// The time is before that of the entry above.
    case timeGoesBack
    /// Neither `<` nor `>` stands after the time.
    case noDirection
    /// The bytes do not stand between quotes, alone to the end of the line.
    case noQuotes
    /// An escape is none of `\r`, `\n`, `\"`, `\\` and `\x` with two hexadecimal digits.
    case badEscape
    /// A character is not printable, and no escape.
    case notPrintable
    /// The file or its number of entries is larger than a recording gets.
    case tooLong
  }

  /// The line, from 1.
  public var line: Int
  /// What is wrong with it.
  public var reason: Reason

  /// A reason on a line.
  public init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }

  /// What is wrong, where, and what should stand there.
  public var description: String {
    let words: String =
      switch reason {
      case .noHeader: "is not `\(ModemTrace.header)`, with which a trace begins"
      case .otherVersion: "names another version than `\(ModemTrace.header)`"
      case .noTime: "does not begin with a time in milliseconds"
      case .timeGoesBack: "has an earlier time than the entry before it"
      case .noDirection: "has neither `<` nor `>` after its time"
      case .noQuotes: "does not end with bytes between quotes"
      case .badEscape: "has an escape that is none of \\r, \\n, \\\", \\\\ and \\x1a"
      case .notPrintable: "has a character that must be written as \\x and two digits"
      case .tooLong:
        "makes it larger than \(Limits.traceEntries) entries or \(Limits.traceBytes) bytes"
      }
    return "line \(line) \(words)"
  }
}
