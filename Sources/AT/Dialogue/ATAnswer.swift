/// How a command ended.
public struct ATAnswer: Hashable, Sendable {
  /// The end of a command.
  public enum Ending: Hashable, Sendable {
    /// `OK`.
    case ok
    /// A final result other than `OK`, as the modem gave it.
    case failed(String)
    /// No final result in time.
    case timedOut
  }

  /// The command.
  public var command: ATCommand
  /// The information lines, in order.
  public var lines: [String]
  /// How it ended.
  public var ending: Ending
  /// Whether the payload had been handed to the line: from then on it may have been carried out,
  /// whatever came after.
  public var payloadLeft: Bool
  /// Whether lines were dropped because there were too many.
  public var isCut: Bool
  /// Whether it was taken for its lines: its final result never came.
  public var lacksResult: Bool

  /// An answer.
  public init(
    command: ATCommand, lines: [String], ending: Ending, payloadLeft: Bool = false,
    isCut: Bool = false, lacksResult: Bool = false
  ) {
    self.command = command
    self.lines = lines
    self.ending = ending
    self.payloadLeft = payloadLeft
    self.isCut = isCut
    self.lacksResult = lacksResult
  }

  /// What stands after the command's prefix in the first line that has it: `0,1` of `+CREG: 0,1`.
  public var value: Substring? {
    guard let prefix = command.prefix else { return nil }
    return lines.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count).drop { $0 == " " }
  }

  /// The first line, for answers of bare text.
  public var text: String? {
    guard let line = lines.first else { return nil }
    guard let prefix = command.prefix, line.hasPrefix(prefix) else {
      return ATAnswer.unquoted(line[...])
    }
    // Some modems put the command's name before bare text too.
    return ATAnswer.unquoted(line.dropFirst(prefix.count).drop { $0 == " " })
  }

  /// A text without the quotes that stand around the whole of it in some modems.
  private static func unquoted(_ text: Substring) -> String {
    let inner = text.dropFirst().dropLast()
    let isQuoted = text.utf8.count > 1 && text.first == "\"" && text.last == "\""
    return String(isQuoted && !inner.contains("\"") ? inner : text)
  }
}

/// What a dialogue makes of the bytes that came.
public enum ATEvent: Hashable, Sendable {
  /// Write these bytes now: the payload that the modem prompted for.
  case write([UInt8])
  /// The open command ended.
  case finished(ATAnswer)
  /// A result that nobody asked for.
  case unsolicited(Unsolicited)
  /// The open command came back as it was written: the modem echoes (ITU-T V.250 6.2.4).
  case echoed
  /// A final result, or a line of an answer, without a command that it could belong to: late, mostly.
  case stray(String)
  /// A line was longer than a line can be; it was dropped.
  case overlong
}
