import Control
import EventLoop
import Glibc

/// Reads lines from a descriptor, of bounded length, without reading ahead further than one block.
struct LineReader {
  /// One line of what is read.
  enum Line: Hashable {
    case text(String)
    /// The line cannot be taken, of which the beginning is shown.
    case unreadable(Fault, shown: String)
  }

  /// Why a line cannot be taken.
  enum Fault: Hashable, CustomStringConvertible {
    /// It is longer than so many bytes.
    case overlong(limit: Int)
    /// It is not UTF-8.
    case notText

    var description: String {
      switch self {
      case .overlong(let limit): "longer than \(limit) bytes"
      case .notText: "not text in UTF-8"
      }
    }
  }

  /// Bytes of a line that cannot be read which are shown all the same.
  private static let shownBytes = 80
  private static let blockBytes = 64 * 1_024
  private let descriptor: Int32
  private let limit: Int
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// Lines of at most `limit` bytes; by default of standard input.
  init(descriptor: Int32 = STDIN_FILENO, limit: Int = 16 * 1_024) {
    self.descriptor = descriptor
    self.limit = limit
  }

  /// The next line without its end (LF or CR LF); nil at the end of the input.
  ///
  /// - Throws: ``CommandFailure`` when the input cannot be read.
  mutating func next() throws(CommandFailure) -> Line? {
    var line: [UInt8] = []
    var isOverlong = false
    var start: [UInt8] = []
    while true {
      if let end = buffer[position...].firstIndex(of: 0x0A) {
        if start.isEmpty { start = Array(buffer[position..<end].prefix(LineReader.shownBytes)) }
        isOverlong = !append(buffer[position..<end], to: &line) || isOverlong
        position = end + 1
        break
      }
      if start.isEmpty { start = Array(buffer[position...].prefix(LineReader.shownBytes)) }
      isOverlong = !append(buffer[position...], to: &line) || isOverlong
      try fill()
      if isAtEnd {
        guard !line.isEmpty || isOverlong else { return nil }
        break
      }
    }
    if isOverlong {
      return .unreadable(
        .overlong(limit: limit), shown: String(decoding: start, as: UTF8.self))
    }
    if line.last == 0x0D {
      line.removeLast()
    }
    guard let text = String(validating: line, as: UTF8.self) else {
      return .unreadable(
        .notText, shown: String(decoding: line.prefix(LineReader.shownBytes), as: UTF8.self))
    }
    return .text(text)
  }

  private func append(_ bytes: ArraySlice<UInt8>, to line: inout [UInt8]) -> Bool {
    guard line.count + bytes.count <= limit else {
      line = []
      return false
    }
    line += bytes
    return true
  }

  private mutating func fill() throws(CommandFailure) {
    buffer = [UInt8](repeating: 0, count: LineReader.blockBytes)
    position = 0
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure(
          .inputOutput, "standard input: \(systemMessage(errno)); check where it comes from")
      }
      buffer.removeLast(buffer.count - count)
      isAtEnd = count == 0
      return
    }
  }
}
