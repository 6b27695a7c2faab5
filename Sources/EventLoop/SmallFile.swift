import Glibc
import Time

/// Reads whole files that are small by nature, and makes others.
public enum SmallFile {
  /// Why a file cannot be read.
  public enum Failure: Error, Hashable, Sendable {
    /// There is no such file.
    case missing
    /// It is a directory.
    case isDirectory
    /// It is larger than what is asked for can be.
    case tooLarge
    /// It is a pipe, and nobody writes all of it.
    case silentPipe
    /// What else the system says.
    case system(reason: String, isPermission: Bool)
  }

  /// The content of a file and the bits of its permissions.
  public struct Content: Hashable, Sendable {
    /// All of it.
    public var bytes: [UInt8]
    /// The bits of its permissions.
    public var permissions: UInt32
  }

  /// Reads a file of at most `limit` bytes; of a pipe, what is written into it within
  /// five seconds.
  public static func read(_ path: String, limit: Int) throws(Failure) -> Content {
    // Opening a pipe would wait for somebody to write into it.
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw failure(errno) }
    let descriptor = Descriptor(owning: number)
    defer { descriptor.close() }
    var status = stat()
    guard fstat(number, &status) == 0 else { throw failure(errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .isDirectory }
    let clocks = SystemClocks()
    let isFile = status.st_mode & S_IFMT == S_IFREG
    let deadline = clocks.boot() + Limits.pipePatience
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1_024)
    while true {
      if !isFile {
        let isReady = PollLoop.wait(
          [Interest(descriptor: number)], until: deadline, clocks: clocks)
        guard isReady[0] != [] || clocks.boot() < deadline else { throw .silentPipe }
      }
      let count = Glibc.read(number, &buffer, buffer.count)
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count >= 0 else { throw failure(errno) }
      if count == 0 { break }
      bytes += buffer[..<count]
      guard bytes.count <= limit else { throw .tooLarge }
    }
    return Content(bytes: bytes, permissions: UInt32(status.st_mode & 0o777))
  }

  /// Whether there is such a file.
  public static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  /// Makes a file that only its owner may read, unless it exists already; what is written is on disk
  /// when this returns. False when another process made it first.
  public static func create(_ path: String, bytes: [UInt8]) throws(Failure) -> Bool {
    // Written beside and linked into place, so that a power cut leaves a whole file or none.
    let draft = "\(path).\(getpid()).new"
    let number = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw failure(errno) }
    let descriptor = Descriptor(owning: number)
    defer {
      descriptor.close()
      unlink(draft)
    }
    guard write(number, bytes, bytes.count) == bytes.count, fsync(number) == 0 else {
      throw failure(errno)
    }
    if link(draft, path) == 0 { return true }
    guard errno == EEXIST else { throw failure(errno) }
    return false
  }

  /// Writes a file that only its owner may read, in place of one that may be there; it is on disk, with
  /// its name, when this returns.
  public static func replace(_ path: String, bytes: [UInt8]) throws(Failure) {
    let draft = "\(path).\(getpid()).new"
    let number = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw failure(errno) }
    let descriptor = Descriptor(owning: number)
    defer {
      descriptor.close()
      unlink(draft)
    }
    guard write(number, bytes, bytes.count) == bytes.count, fsync(number) == 0,
      rename(draft, path) == 0
    else { throw failure(errno) }
    // The name is on disk once its directory is.
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let parent = open(directory.isEmpty ? "/" : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { throw failure(errno) }
    defer { close(parent) }
    guard fsync(parent) == 0 else { throw failure(errno) }
  }

  private static func failure(_ number: Int32) -> Failure {
    switch number {
    case ENOENT, ENOTDIR: .missing
    case EISDIR: .isDirectory
    default:
      .system(
        reason: systemMessage(number), isPermission: number == EACCES || number == EPERM)
    }
  }
}
