/// Cuts a stream of bytes into lines, with their numbers, whatever the chunks it comes in.
public struct LineSplitter: Sendable {
  /// One line without its line end.
  public struct Line: Hashable, Sendable {
    /// The bytes of the line; empty when it was too long.
    public var bytes: [UInt8]
    /// Its number, counted from 1.
    public var number: Int
    /// Whether it was longer than ``Limits/lineBytes``.
    public var isTooLong: Bool
  }

  private var held: [UInt8] = []
  private var isTooLong = false
  private var number = 1

  /// A splitter at the beginning of a file.
  public init() {}

  /// Takes the next bytes and returns the lines that ended in them.
  public mutating func read(_ bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    for byte in bytes {
      if byte == 0x0A {
        lines.append(take())
      } else if held.count < Limits.lineBytes {
        held.append(byte)
      } else {
        isTooLong = true
      }
    }
    return lines
  }

  /// Returns the last line when the stream does not end in a line end.
  public mutating func finish() -> [Line] {
    held.isEmpty && !isTooLong ? [] : [take()]
  }

  private mutating func take() -> Line {
    if held.last == 0x0D {
      held.removeLast()
    }
    if number == 1, held.starts(with: [0xEF, 0xBB, 0xBF]) {
      held.removeFirst(3)
    }
    let line = Line(bytes: isTooLong ? [] : held, number: number, isTooLong: isTooLong)
    held.removeAll(keepingCapacity: true)
    isTooLong = false
    number += 1
    return line
  }
}
