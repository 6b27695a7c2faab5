import EventLoop
import Glibc
public import NodeCore

/// A photograph in memory, known to be one by its content.
public struct Photograph: Hashable, Sendable {
  /// All of the file.
  public let bytes: [UInt8]
  /// What it is.
  public let kind: PhotoKind

  /// A photograph of these bytes.
  ///
  /// - Throws: Why they are none.
  public init(_ bytes: [UInt8]) throws(PhotoFault) {
    kind = try PhotoKind(of: bytes)
    self.bytes = bytes
  }

  /// Reads a photograph. Nothing is waited for, and no more is read than one may have.
  ///
  /// - Throws: What is wrong with the file.
  public init(readingFrom path: String) throws(PhotoFileError) {
    // Opening a pipe would wait for somebody to write into it, and a terminal would be taken over.
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else { throw .notOpened(path: path, errno: errno) }
    let descriptor = Descriptor(owning: number)
    defer { descriptor.close() }
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .unreadable(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .notAFile(path: path, what: Photograph.word(for: status.st_mode))
    }
    guard status.st_size <= Limits.photoBytes else { throw .refused(path: path, .tooLarge) }
    // It may grow while it is read, and then it is too large all the same.
    var bytes = [UInt8](repeating: 0, count: Limits.photoBytes + 1)
    var filled = 0
    while filled < bytes.count {
      let count = bytes[filled...].withUnsafeMutableBytes { read(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, errno: errno) }
      if count == 0 { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    do throws(PhotoFault) {
      try self.init(bytes)
    } catch {
      throw .refused(path: path, error)
    }
  }

  private static func word(for mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "a directory"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }
}

/// Why a file that was named is not taken as a photograph.
public enum PhotoFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system does not open it.
  case notOpened(path: String, errno: Int32)
  /// It is no plain file, but this.
  case notAFile(path: String, what: String)
  /// It breaks off while it is read.
  case unreadable(path: String, errno: Int32)
  /// Its content is not taken.
  case refused(path: String, PhotoFault)

  /// What is wrong with which file, and what to do.
  public var description: String {
    switch self {
    case .notOpened(let path, _), .notAFile(let path, _), .unreadable(let path, _),
      .refused(let path, _):
      "\(path): \(reason)"
    }
  }

  /// What is wrong with the file, without its name, and what to do.
  public var reason: String {
    switch self {
    case .notOpened(_, let number):
      "\(systemMessage(number)); check the file's name and its permissions"
    case .notAFile(_, let what): "is \(what); name a file with a JPEG or PNG photograph"
    case .unreadable(_, let number): "cannot be read: \(systemMessage(number))"
    case .refused(_, let fault): fault.description
    }
  }
}
