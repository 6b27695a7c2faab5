/// Cuts a stream of bytes into lines, of bounded length.
struct LineBuffer {
  private var pending: [UInt8] = []
  private var isSkipping = false
  private let limit: Int

  /// Lines of at most `limit` bytes; a longer one is left out.
  init(limit: Int) {
    self.limit = limit
  }

  /// Takes bytes and returns the lines that they complete, without their ends.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == 0x0A {
        if !isSkipping {
          lines.append(pending)
        }
        pending.removeAll(keepingCapacity: true)
        isSkipping = false
      } else if isSkipping {
        continue
      } else if pending.count == limit {
        isSkipping = true
        pending.removeAll(keepingCapacity: true)
      } else {
        pending.append(byte)
      }
    }
    return lines
  }

  /// Whether a line was begun that is longer than allowed.
  var isOverlong: Bool { isSkipping }

  /// Forgets what was begun.
  mutating func clear() {
    pending = []
    isSkipping = false
  }
}
