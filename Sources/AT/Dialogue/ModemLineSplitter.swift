/// Cuts bytes into lines, however a modem ends them: CR LF, CR CR LF, LF alone. Empty lines and NULs
/// go.
///
/// Not the `LineBuffer` of files and sockets: a modem's lines have three ends, and its prompt has none.
struct ModemLineSplitter: Sendable {
  enum Token {
    case line(String)
    case overlong
    /// `>` at the start of a line, while one is waited for.
    case prompt
  }

  private var line: [UInt8] = []
  private var isCutting = false

  /// Whether nothing of a line has come yet.
  var isAtStart: Bool { line.isEmpty && !isCutting }

  /// Takes one byte.
  ///
  /// - Parameter awaitsPrompt: whether `>` at the start of a line is a prompt: it has no end of line,
  ///   so it has to be known to be wanted.
  mutating func take(_ byte: UInt8, awaitsPrompt: Bool) -> Token? {
    switch byte {
    case 0x0D, 0x0A:
      return end()
    case 0:
      return nil
    case UInt8(ascii: ">") where awaitsPrompt && isAtStart:
      return .prompt
    case UInt8(ascii: " ") where isAtStart:
      // What is left of a prompt.
      return nil
    default:
      guard line.count < Limits.lineBytes else {
        isCutting = true
        return nil
      }
      line.append(byte)
      return nil
    }
  }

  /// Forgets what has come of a line.
  mutating func reset() {
    line.removeAll(keepingCapacity: true)
    isCutting = false
  }

  private mutating func end() -> Token? {
    defer { reset() }
    if isCutting { return .overlong }
    guard !line.isEmpty else { return nil }
    return .line(String(decoding: line, as: UTF8.self))
  }
}
