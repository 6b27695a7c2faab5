/// What a fuzzer was given, read from its beginning: a few bytes that choose, then the rest.
public struct Input {
  private var rest: ArraySlice<UInt8>

  /// The bytes that libFuzzer hands over.
  public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
  }

  /// Whether nothing is left.
  public var isEmpty: Bool { rest.isEmpty }

  /// Takes the next byte; zero when nothing is left.
  public mutating func byte() -> UInt8 {
    rest.popFirst() ?? 0
  }

  /// Takes at most `count` bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    let taken = rest.prefix(count)
    rest = rest.dropFirst(count)
    return Array(taken)
  }

  /// Takes all that is left.
  public mutating func all() -> [UInt8] {
    bytes(rest.count)
  }
}
