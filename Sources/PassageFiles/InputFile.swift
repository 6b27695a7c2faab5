import EventLoop
import Glibc

/// Why a file cannot be read.
public enum InputFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system does not open it.
  case notOpened(path: String, errno: Int32)
  /// It is a directory.
  case isDirectory(path: String)
  /// It breaks off.
  case unreadable(path: String, errno: Int32)
  /// It is larger than so many bytes.
  case tooLarge(path: String, limit: Int)

  /// What is wrong with which file, and what to do.
  public var description: String {
    switch self {
    case .notOpened(let path, let number):
      "\(path): \(systemMessage(number)); "
        + (number == EACCES
          ? "let this user read it, or hand it in by standard input: - < \(path)"
          : "check the file's name")
    case .isDirectory(let path): "\(path): is a directory; name a file in it"
    case .unreadable(let path, let number): "\(path): \(systemMessage(number))"
    case .tooLarge(let path, let limit):
      "\(path): is larger than \(limit >> 20) MB; name the right file, or split it"
    }
  }
}

/// A file that is read block by block, or standard input.
public final class InputFile {
  private let path: String
  private let descriptor: Int32
  private let owns: Bool
  /// Its size in bytes; nil for what has none, such as a pipe.
  public let size: Int?

  /// Opens a file; `-` is standard input.
  ///
  /// - Throws: ``InputFileError`` that names the file and what is wrong with it.
  public init(_ path: String) throws(InputFileError) {
    self.path = path == "-" ? "standard input" : path
    owns = path != "-"
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .notOpened(path: path, errno: errno) }
    var information = stat()
    let isKnown = fstat(descriptor, &information) == 0
    let kind = information.st_mode & S_IFMT
    if isKnown, kind == S_IFDIR {
      if owns { close(descriptor) }
      throw .isDirectory(path: path)
    }
    size = isKnown && kind == S_IFREG ? Int(information.st_size) : nil
  }

  deinit {
    if owns { close(descriptor) }
  }

  /// All of it.
  ///
  /// - Parameter limit: The most it may be, in bytes.
  /// - Throws: ``InputFileError`` when it is more, or cannot be read.
  public func all(limit: Int) throws(InputFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var isTooLarge = (size ?? 0) > limit
    while !isTooLarge, let block = try next() {
      bytes += block
      isTooLarge = bytes.count > limit
    }
    if isTooLarge { throw .tooLarge(path: path, limit: limit) }
    return bytes
  }

  /// The next block; nil at the end.
  public func next() throws(InputFileError) -> [UInt8]? {
    var block = [UInt8](repeating: 0, count: 64 * 1_024)
    while true {
      let count = read(descriptor, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, errno: errno) }
      return count == 0 ? nil : Array(block[..<count])
    }
  }
}
