/// Cuts a stream of bytes into lines, of bounded length.
public struct LineBuffer {
  /// What a stream of bytes has in it.
  public enum Line: Equatable, Sendable {
    /// A line, without its end.
    case whole([UInt8])
    /// The place of a line that is longer than allowed, as soon as that shows.
    case overlong
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
  public mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    takeAll(bytes).compactMap { line in
      if case .whole(let bytes) = line { bytes } else { nil }
    }
  }

  /// Takes bytes and returns the lines that they complete, and the places of those that are too long.
  public mutating func takeAll(_ bytes: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in bytes {
      if byte == 0x0A {
        if !isSkipping {
          lines.append(.whole(pending))
        }
        pending.removeAll(keepingCapacity: true)
        isSkipping = false
        skipped = 0
      } else if isSkipping {
        skipped += 1
      } else if pending.count == limit {
        isSkipping = true
        lines.append(.overlong)
        pending.removeAll(keepingCapacity: true)
      } else {
        pending.append(byte)
      }
    }
    return lines
  }

  /// Whether a line was begun that is longer than allowed.
  public var isOverlong: Bool { isSkipping }

  /// Forgets what was begun.
  public mutating func clear() {
    pending = []
    isSkipping = false
    skipped = 0
  }
}
