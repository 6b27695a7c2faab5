import Glibc
public import Time

/// A directory in which users of a group put down files for a service of another user, which takes them.
/// Each file is written beside and renamed, so that a power cut leaves a whole one or none.
public struct DropDirectory: Hashable, Sendable {
  /// Why something cannot be put down or read.
  public enum Failure: Error, Hashable, Sendable {
    /// There is no such directory.
    case missing
    /// This user may not use it.
    case denied
    /// It holds so much already that no more is taken.
    case full
    /// It is no ordinary file, or larger than such a one can be.
    case unreadable
    /// What else the system says.
    case system(reason: String)
  }

  /// How long a file stays that was never finished.
  private static let unfinished: Duration = .seconds(3_600)

  /// Where it lies.
  public let path: String

  /// The directory of that path, which need not exist.
  public init(_ path: String) {
    self.path = path
  }

  /// Whether this user may put something down there.
  public var isUsable: Bool { access(path, W_OK | X_OK) == 0 }

  /// Puts a file down; it and its name are on disk when this returns.
  ///
  /// - Parameters:
  ///   - name: Its name, which no other file has.
  ///   - most: Files that there may be, and bytes that they may have together.
  public func put(
    _ bytes: [UInt8], as name: String, most: (files: Int, bytes: Int)
  ) throws(Failure) {
    guard isUsable else { throw failure(errno) }
    let names = SystemFile.names(in: path, limit: most.files)
    let used = names.reduce(bytes.count) { sum, name in
      var status = stat()
      return lstat("\(path)/\(name)", &status) == 0 ? sum + Int(status.st_size) : sum
    }
    guard names.count < most.files, used <= most.bytes else { throw .full }
    let draft = "\(path)/.\(name)"
    let number = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw failure(errno) }
    let descriptor = Descriptor(owning: number)
    defer {
      descriptor.close()
      unlink(draft)
    }
    // The service is another user. Nobody else may enter the directory, whatever the file allows.
    guard fchmod(number, 0o644) == 0 else { throw failure(errno) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(errno) }
      rest = rest.dropFirst(count)
    }
    guard fsync(number) == 0, Glibc.rename(draft, "\(path)/\(name)") == 0 else {
      throw failure(errno)
    }
    try keepNames()
  }

  /// Makes the directory where it is missing and the group may pass to it; what stands in the way keeps nobody
  /// from anything but its use.
  public func make() {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    var status = stat()
    guard stat(parent.isEmpty ? "/" : parent, &status) == 0, status.st_mode & 0o010 != 0,
      mkdir(path, 0o770) == 0
    else { return }
    // Who put a file down may take it back, and nobody else of the group.
    if chmod(path, 0o3770) != 0 { chmod(path, 0o1770) }
  }

  /// The names of the files that wait and end so, sorted.
  public func names(ending: String) -> [String] {
    SystemFile.names(in: path, limit: 10_000) { $0.hasSuffix(ending) && !$0.hasPrefix(".") }
      .sorted()
  }

  /// Reads a file of at most `limit` bytes. What is no ordinary file is not followed, nor waited for.
  public func read(_ name: String, limit: Int) throws(Failure) -> [UInt8] {
    let number = open("\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw errno == ELOOP ? .unreadable : failure(errno) }
    defer { close(number) }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= limit
    else { throw .unreadable }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16 * 1_024)
    while bytes.count <= limit {
      let count = Glibc.read(number, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      if count == 0 { return bytes }
      bytes += block[..<count]
    }
    throw .unreadable
  }

  /// Removes a file.
  public func remove(_ name: String) {
    unlink("\(path)/\(name)")
    try? keepNames()
  }

  /// Gives a file another name.
  public func rename(_ name: String, to other: String) {
    _ = Glibc.rename("\(path)/\(name)", "\(path)/\(other)")
  }

  /// Removes what somebody began to write and never finished.
  public func tidy(at now: WallTime) {
    for name in SystemFile.names(in: path, where: { $0.hasPrefix(".") }) {
      var status = stat()
      let draft = "\(path)/\(name)"
      guard lstat(draft, &status) == 0 else { continue }
      let changed = WallTime(epochSeconds: Int64(status.st_mtim.tv_sec))
      if now - changed > DropDirectory.unfinished { unlink(draft) }
    }
  }

  /// Waits until the names in the directory are on disk as they are.
  private func keepNames() throws(Failure) {
    let parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { throw failure(errno) }
    defer { close(parent) }
    guard fsync(parent) == 0 else { throw failure(errno) }
  }

  private func failure(_ number: Int32) -> Failure {
    switch number {
    case ENOENT, ENOTDIR: .missing
    case EACCES, EPERM: .denied
    default: .system(reason: systemMessage(number))
    }
  }
}
