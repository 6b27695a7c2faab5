import ArgumentParser
import Control
import EventLoop
import Glibc
import JSON
import Text

/// Where results go. Lines are gathered, and written when there are many of them, when `flush()` says
/// so, and at once when somebody watches.
final class StandardOutput {
  private static let capacity = 64 * 1_024
  private let descriptor: Int32
  private let isImmediate: Bool
  private let outlivesReader: Bool
  private var isUnread = false
  private var pending: [UInt8] = []

  /// Writes to `descriptor`; by default to standard output, and at once when that is a terminal.
  ///
  /// - Parameter outlivesReader: Whether the command goes on when its reader has gone away, since what
  ///   it tells is not what it does.
  init(
    descriptor: Int32 = STDOUT_FILENO, isImmediate: Bool? = nil, outlivesReader: Bool = false
  ) {
    self.descriptor = descriptor
    self.outlivesReader = outlivesReader
    self.isImmediate = isImmediate ?? Terminal.isTerminal(descriptor)
  }

  /// Whether somebody reads it at a terminal.
  var isTerminal: Bool { Terminal.isTerminal(descriptor) }

  /// Writes a line, in which nothing is obeyed by a terminal, whoever wrote it.
  ///
  /// - Throws: As ``write(_:)``.
  func line(_ text: String) throws {
    try write(ForeignText.shown(text))
  }

  /// Writes a line of the program's own.
  ///
  /// - Throws: As ``write(_:)``.
  func line(_ shown: ShownText) throws {
    try write(shown.text)
  }

  /// Writes lines.
  ///
  /// - Throws: As ``write(_:)``.
  func lines(_ lines: some Sequence<ShownText>) throws {
    for shown in lines { try line(shown) }
  }

  /// Writes a line as it is.
  ///
  /// - Throws: ``CommandFailure`` when the line cannot be written, and an `ExitCode` without words
  ///   when the reader has gone away, as `head` does, and the command does not outlive it.
  private func write(_ text: String) throws {
    if isUnread { return }
    pending += text.utf8
    pending.append(0x0A)
    if isImmediate || pending.count >= StandardOutput.capacity {
      try flush()
    }
  }

  /// Gathers what the program itself tells a terminal, as it is and without a line end.
  func raw(_ text: String) throws {
    if isUnread { return }
    pending += text.utf8
    if isImmediate || pending.count >= StandardOutput.capacity { try flush() }
  }

  /// Writes a value as one line of JSON.
  func json(_ value: some Encodable) throws {
    do {
      // Safe already, and of any length: it is not gone through twice.
      try write(try JSONText.encode(value))
    } catch let error as EncodingError {
      throw CommandFailure(.system, "the result cannot be written as JSON (\(error)); report this")
    }
  }

  /// Waits until what was written is on disk, where it goes to a file: what is done next may rely on it.
  func keep() throws {
    guard fsync(descriptor) != 0 else { return }
    // A pipe, a terminal and a socket keep nothing.
    guard ![EINVAL, EROFS, ENOTSUP].contains(errno) else { return }
    throw CommandFailure(
      .inputOutput, "standard output: \(systemMessage(errno)); check where it goes")
  }

  /// Writes what was gathered; every command ends with it.
  func flush() throws {
    var rest = pending[...]
    pending = []
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EPIPE where outlivesReader:
        isUnread = true
        return
      case EPIPE: throw ExitCode.success
      case let number:
        throw CommandFailure(
          .inputOutput, "standard output: \(systemMessage(number)); check where it goes")
      }
    }
  }
}
