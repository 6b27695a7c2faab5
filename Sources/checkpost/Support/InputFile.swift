import Control
import EventLoop
import Glibc

/// A file that is read block by block, or standard input.
final class InputFile {
  private let path: String
  private let descriptor: Int32
  private let owns: Bool
  /// Its size in bytes; nil for what has none, such as a pipe.
  let size: Int?

  /// Opens a file; `-` is standard input.
  ///
  /// - Throws: ``CommandFailure`` that names the file and what is wrong with it.
  init(_ path: String) throws(CommandFailure) {
    self.path = path == "-" ? "standard input" : path
    owns = path != "-"
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let status: ExitStatus = errno == EACCES ? .noPermission : .inputOutput
      throw CommandFailure(status, "\(path): \(systemMessage(errno)); check the file's name")
    }
    var information = stat()
    let isKnown = fstat(descriptor, &information) == 0
    let kind = information.st_mode & S_IFMT
    if isKnown, kind == S_IFDIR {
      if owns { close(descriptor) }
      throw CommandFailure(.inputOutput, "\(path): is a directory; name a file in it")
    }
    size = isKnown && kind == S_IFREG ? Int(information.st_size) : nil
  }

  deinit {
    if owns { close(descriptor) }
  }

  /// All of it.
  ///
  /// - Parameter limit: The most it may be, in bytes.
  /// - Throws: ``CommandFailure`` when it is more, or cannot be read.
  func all(limit: Int) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var isTooLarge = (size ?? 0) > limit
    while !isTooLarge, let block = try next() {
      bytes += block
      isTooLarge = bytes.count > limit
    }
    if isTooLarge {
      throw CommandFailure(
        .badData, "\(path): is larger than \(limit >> 20) MB; name the right file, or split it")
    }
    return bytes
  }

  /// The next block; nil at the end.
  func next() throws(CommandFailure) -> [UInt8]? {
    var block = [UInt8](repeating: 0, count: 64 * 1_024)
    while true {
      let count = read(descriptor, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure(.inputOutput, "\(path): \(systemMessage(errno))")
      }
      return count == 0 ? nil : Array(block[..<count])
    }
  }
}
