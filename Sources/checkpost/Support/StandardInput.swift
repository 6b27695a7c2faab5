import Control
import EventLoop
import Glibc
import Text

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
  private var lines: LineBuffer
  private var waiting: [LineBuffer.Line] = []
  private var isAtEnd = false

  /// Lines of at most `limit` bytes; by default of standard input.
  init(descriptor: Int32 = STDIN_FILENO, limit: Int = 16 * 1_024) {
    self.descriptor = descriptor
    self.limit = limit
    lines = LineBuffer(limit: max(limit, LineReader.shownBytes))
  }

  /// Whether a line has come already.
  var hasLine: Bool { !waiting.isEmpty || isAtEnd }

  /// The next line without its end (LF or CR LF); nil at the end of the input.
  ///
  /// - Throws: ``CommandFailure`` when the input cannot be read.
  mutating func next() throws(CommandFailure) -> Line? {
    while waiting.isEmpty {
      guard !isAtEnd else { return nil }
      try fill()
    }
    switch waiting.removeFirst() {
    case .overlong(let start): return unreadable(.overlong(limit: limit), start)
    case .whole(let bytes) where bytes.count > limit:
      return unreadable(.overlong(limit: limit), bytes)
    case .whole(var bytes):
      if bytes.last == 0x0D { bytes.removeLast() }
      return String(validating: bytes, as: UTF8.self).map { .text($0) }
        ?? unreadable(.notText, bytes)
    }
  }

  private func unreadable(_ fault: Fault, _ bytes: [UInt8]) -> Line {
    .unreadable(fault, shown: String(decoding: bytes.prefix(LineReader.shownBytes), as: UTF8.self))
  }

  private mutating func fill() throws(CommandFailure) {
    var block = [UInt8](repeating: 0, count: LineReader.blockBytes)
    while true {
      let count = read(descriptor, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure(
          .inputOutput, "standard input: \(systemMessage(errno)); check where it comes from")
      }
      isAtEnd = count == 0
      waiting = isAtEnd ? lines.finish().map { [.whole($0)] } ?? [] : lines.takeAll(block[..<count])
      return
    }
  }
}
