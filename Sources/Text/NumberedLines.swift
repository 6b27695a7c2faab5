/// The lines of a file with their numbers, as editors write them: they end in LF or CR LF, and a byte
/// order mark is dropped.
public struct NumberedLines: Sendable {
  /// One line without its line end.
  public struct Line: Hashable, Sendable {
    /// The bytes of the line; empty when it was too long.
    public var bytes: [UInt8]
    /// Its number, counted from 1.
    public var number: Int
    /// Whether it was longer than allowed.
    public var isTooLong: Bool
  }

  private var lines: LineBuffer
  private var number = 0

  /// The lines of a file from its beginning, each of at most `limit` bytes.
  public init(limit: Int) {
    lines = LineBuffer(limit: limit)
  }

  /// Takes the next bytes and returns the lines that ended in them.
  public mutating func read(_ bytes: [UInt8]) -> [Line] {
    lines.takeAll(bytes[...]).map { line in
      switch line {
      case .whole(let bytes): next(bytes)
      case .overlong: next(nil)
      }
    }
  }

  /// Returns the last line when the file does not end in a line end.
  public mutating func finish() -> [Line] {
    lines.finish().map { [next($0)] } ?? []
  }

  private mutating func next(_ bytes: [UInt8]?) -> Line {
    number += 1
    var line = Line(bytes: bytes ?? [], number: number, isTooLong: bytes == nil)
    if line.bytes.last == 0x0D { line.bytes.removeLast() }
    if number == 1, line.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { line.bytes.removeFirst(3) }
    return line
  }
}
