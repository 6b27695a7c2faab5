import EventLoop
import Glibc
public import NodeCore

/// Where a node keeps photographs until the server has them.
public struct PhotoDirectory: Hashable, Sendable {
  /// The directory.
  public let path: String
  /// What its photographs share their room with: the node's database.
  let database: String?
  /// How many bytes both may take together; nil for as much as there is.
  let capacity: Int64?

  /// A directory, which is made with the first photograph; its parent has to be there.
  ///
  /// - Parameters:
  ///   - database: What its photographs share their room with.
  ///   - capacity: How many bytes both may take together; nil for as much as there is.
  public init(_ path: String, beside database: String? = nil, capacity: Int64? = nil) {
    self.path = path
    self.database = database
    self.capacity = capacity
  }

  /// The path of a photograph's file; nil for a name that is none of ours.
  public func file(_ name: String) -> String? {
    PhotoDirectory.isOurs(name) ? "\(path)/\(name)" : nil
  }

  /// Keeps a photograph under a new name. It is on disk, with its name, when this returns.
  ///
  /// - Throws: Why it is not kept; then nothing of it is left.
  public func keep(_ photograph: Photograph) throws(PhotoStorageError) -> StoredPhoto {
    try make()
    var random = SystemRandomNumberGenerator()
    let name = PhotoDirectory.name(random.next(), random.next(), photograph.kind)
    let (file, draft) = ("\(path)/\(name)", "\(path)/\(name)\(PhotoDirectory.draftEnd)")
    let number = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
    guard number >= 0 else { throw PhotoStorageError(draft, errno) }
    let descriptor = Descriptor(owning: number)
    do throws(PhotoStorageError) {
      defer { descriptor.close() }
      try write(photograph.bytes, to: number, draft)
      guard fsync(number) == 0 else { throw PhotoStorageError(draft, errno) }
      guard rename(draft, file) == 0 else { throw PhotoStorageError(file, errno) }
      try PhotoDirectory.sync(path)
    } catch {
      unlink(draft)
      unlink(file)
      throw error
    }
    return StoredPhoto(
      path: name, count: photograph.bytes.count, contentType: photograph.kind.contentType)
  }

  /// Whether a photograph lies here as it was kept.
  public func has(_ photo: StoredPhoto) -> Bool {
    guard let file = file(photo.path) else { return false }
    var status = stat()
    return lstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_size == photo.count
  }

  /// Removes a photograph. One that is gone already is no error.
  public func remove(_ name: String) throws(PhotoStorageError) {
    guard let file = file(name) else { return }
    guard unlink(file) == 0 || errno == ENOENT else { throw PhotoStorageError(file, errno) }
  }

  /// The names of all photographs, and how many bytes they take together.
  public func content() -> (names: [String], bytes: Int64) {
    let names = SystemFile.names(in: path) { PhotoDirectory.isOurs($0) }
    var bytes: Int64 = 0
    for name in names {
      var status = stat()
      if lstat("\(path)/\(name)", &status) == 0 { bytes += Int64(status.st_size) }
    }
    return (names, bytes)
  }

  private func make() throws(PhotoStorageError) {
    if mkdir(path, 0o750) == 0 {
      try PhotoDirectory.sync(PhotoDirectory.parent(of: path))
    } else if errno != EEXIST {
      throw PhotoStorageError(path, errno)
    }
  }

  private func write(
    _ bytes: [UInt8], to number: Int32, _ file: String
  ) throws(PhotoStorageError) {
    var place = 0
    while place < bytes.count {
      let count = bytes[place...].withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PhotoStorageError(file, errno) }
      place += count
    }
  }

  private static func sync(_ directory: String) throws(PhotoStorageError) {
    let number = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw PhotoStorageError(directory, errno) }
    defer { close(number) }
    // Some file systems do not sync directories, and say so.
    if fsync(number) != 0, errno != EINVAL, errno != EOPNOTSUPP {
      throw PhotoStorageError(directory, errno)
    }
  }

  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

// MARK: Names

extension PhotoDirectory {
  static let draftEnd = ".new"
  private static let digits = 32

  private static func name(_ first: UInt64, _ second: UInt64, _ kind: PhotoKind) -> String {
    let halves = [first, second].map { number in
      let text = String(number, radix: 16)
      return String(repeating: "0", count: digits / 2 - text.count) + text
    }
    return halves.joined() + "." + kind.suffix
  }

  /// Whether a name is one that ``keep(_:)`` gives: so no name leads out of the directory.
  public static func isOurs(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].utf8.count == digits
      && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      && PhotoKind.allCases.contains { $0.suffix == parts[1] }
  }

  static func isDraft(_ name: String) -> Bool {
    name.hasSuffix(draftEnd) && isOurs(String(name.dropLast(draftEnd.count)))
  }
}

/// Why a photograph is not kept.
public struct PhotoStorageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or directory that it failed at.
  public var path: String
  /// The system's number for why.
  public var errno: Int32
  /// How many bytes the settings give to photographs and database, where that is why.
  public var capacity: Int64?

  /// A failure with the system's number for it.
  public init(_ path: String, _ errno: Int32) {
    self.path = path
    self.errno = errno
  }

  /// What is wrong, with which file, and what to do.
  public var description: String {
    if let capacity {
      return
        "\(path): photographs and database have the \(capacity >> 20) MB that they may have; raise"
        + " storage.capacity, or wait until the server has taken some"
    }
    let remedy =
      switch errno {
      case ENOSPC, EDQUOT: "make room on that disk"
      case EACCES, EPERM: "correct node.photo_directory, or the owner of that directory"
      case ENOENT, ENOTDIR, ELOOP: "correct node.photo_directory; its parent has to be there"
      case EROFS: "look at the kernel's log, and mount it read-write again"
      default: "look at the kernel's log for errors of that disk"
      }
    return "\(path): \(systemMessage(errno)); \(remedy)"
  }
}
