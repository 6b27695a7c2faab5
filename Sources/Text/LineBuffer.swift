/// Cuts a stream of bytes into lines, of bounded length, whatever the chunks it comes in.
public struct LineBuffer: Sendable {
  /// What a stream of bytes has in it.
  public enum Line: Equatable, Sendable {
    /// A line, without its end.
    case whole([UInt8])
    /// The place of a line that is longer than allowed, as soon as that shows, and what is allowed of it.
    case overlong([UInt8])
  }

  private var pending: [UInt8] = []
  private var isSkipping = false
  /// Bytes of the line that is too long and has not ended, beyond what is allowed.
  public private(set) var skipped = 0
  private let limit: Int

  /// Lines of at most `limit` bytes; a longer one is left out.
  public init(limit: Int) {
    self.limit = limit
  }

  /// Takes bytes and returns the lines that they complete, without their ends.
  public mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    takeAll(bytes).compactMap { line in
      if case .whole(let bytes) = line { bytes } else { nil }
    }
  }

  /// Takes bytes and returns the lines that they complete, and the places of those that are too long.
  public mutating func takeAll(_ bytes: ArraySlice<UInt8>) -> [Line] {
    var lines: [Line] = []
    var rest = bytes
    while let end = rest.firstIndex(of: 0x0A) {
      add(rest[..<end], to: &lines)
      if !isSkipping { lines.append(.whole(pending)) }
      clear()
      rest = rest[(end + 1)...]
    }
    add(rest, to: &lines)
    return lines
  }

  /// What stands behind the last line end; nil when nothing does that was not told already. To be
  /// called at the end of the stream.
  public mutating func finish() -> [UInt8]? {
    defer { clear() }
    return pending.isEmpty ? nil : pending
  }

  /// Whether a line was begun that is longer than allowed.
  public var isOverlong: Bool { isSkipping }

  /// Forgets what was begun.
  public mutating func clear() {
    pending = []
    isSkipping = false
    skipped = 0
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>, to lines: inout [Line]) {
    let room = isSkipping ? 0 : limit - pending.count
    pending += bytes.prefix(room)
    guard bytes.count > room else { return }
    skipped += bytes.count - room
    guard !isSkipping else { return }
    isSkipping = true
    lines.append(.overlong(pending))
    pending = []
  }
}
