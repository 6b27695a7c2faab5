import CDispatch
import CentralCore
import Glibc
import Synchronization

/// Where photographs lie that were handed in over HTTP: a file each, in one directory.
///
/// One that was kept is on disk with its name, as durable as the database: written beside its place, synced,
/// renamed, and the directory synced. Its calls block.
public final class ObjectDirectory: Sendable {
  /// Why a photograph cannot be kept or read.
  enum Fault: Error, Hashable {
    /// It is there, and is not to be replaced.
    case isThere
    /// It is not there.
    case isMissing
    /// There is no room.
    case full
    /// The caller has too many there already whose passages have not come.
    case tooMany
    /// The system refuses.
    case system(errno: Int32)

    init(_ number: Int32) {
      switch number {
      case ENOENT: self = .isMissing
      case EEXIST: self = .isThere
      case ENOSPC, EDQUOT: self = .full
      default: self = .system(errno: number)
      }
    }
  }

  /// What becomes of one that is there.
  enum Replacing: Hashable {
    /// It is replaced.
    case always
    /// It stays.
    case never
    /// It is replaced, and has to be there.
    case only
  }

  let path: String
  private let reserveBytes: Int64
  private let drafts = Atomic<UInt64>(0)
  let waiting = Mutex(WaitingPhotographs())

  /// How the name of one begins that is being written.
  static let draftStart = ".draft-"

  /// A directory, which is made with the first photograph; its parent has to be there.
  ///
  /// - Parameter reserveBytes: Space that has to stay free: a passage matters more.
  public init(_ path: String, reserveBytes: Int64 = 256 << 20) {
    self.path = path
    self.reserveBytes = reserveBytes
  }

  /// Keeps a photograph. It is on disk when this returns; nothing of it is there when it throws.
  ///
  /// - Parameter owner: Who hands it in, of one whose passage has not come; nil of every other one.
  func keep(
    _ content: [UInt8], as name: PhotoName, _ replacing: Replacing,
    waitingOf owner: PhotographOwner? = nil
  ) throws(Fault) {
    try make()
    guard let owner else {
      try put(content, as: name, replacing)
      forget(waiting: [name])
      return
    }
    guard access("\(path)/\(name.text)", F_OK) != 0 else { throw .isThere }
    // Whose it is, is known before it is there, whatever happens in between.
    try note(waiting: name, content.count, of: owner)
    do throws(Fault) {
      try put(content, as: name, .never)
    } catch {
      forget(waiting: [name])
      throw error
    }
  }

  private func put(
    _ content: [UInt8], as name: PhotoName, _ replacing: Replacing
  ) throws(Fault) {
    var room = statvfs()
    if statvfs(path, &room) == 0,
      Int64(
        clamping: UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize))
          .partialValue) < reserveBytes
    {
      throw .full
    }
    let file = "\(path)/\(name.text)"
    if replacing == .only, access(file, F_OK) != 0 { throw Fault(errno) }
    // Names of photographs do not begin with a point, and other processes have other numbers.
    let number = drafts.add(1, ordering: .relaxed).newValue
    let draft = "\(path)/\(ObjectDirectory.draftStart)\(getpid())-\(number)"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
    guard descriptor >= 0 else { throw Fault(errno) }
    do throws(Fault) {
      defer { close(descriptor) }
      try ObjectDirectory.write(content, to: descriptor)
      guard fsync(descriptor) == 0 else { throw Fault(errno) }
    } catch {
      unlink(draft)
      throw error
    }
    // A link does not replace what is there, whoever put it there in between.
    let isPlaced = replacing == .never ? link(draft, file) == 0 : rename(draft, file) == 0
    let failure = errno
    if replacing == .never || !isPlaced { unlink(draft) }
    guard isPlaced else { throw Fault(failure) }
    try ObjectDirectory.sync(path)
  }

  /// A photograph.
  func read(_ name: PhotoName) throws(Fault) -> StoredObject {
    // What waits for a writer, or is a device, is no photograph, and is not waited for.
    let descriptor = open("\(path)/\(name.text)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw Fault(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .isMissing
    }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard (1...Limits.photoBytes).contains(size), lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw .isMissing
    }
    var content = [UInt8](repeating: 0, count: size)
    var place = 0
    while place < content.count {
      let count = content[place...].withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw count == 0 ? .isMissing : Fault(errno) }
      place += count
    }
    guard let kind = ObjectKind(content) else { throw .isMissing }
    return StoredObject(kind: kind, content: content)
  }

  /// A photograph by the path that a passage has for it; nil where it is not here.
  public func photograph(at path: String) -> (mediaType: String, content: [UInt8])? {
    guard let object = PhotoName(path: path).flatMap({ try? read($0) }) else { return nil }
    return (object.kind.rawValue, object.content)
  }

  /// Removes photographs by the paths that passages have for them.
  ///
  /// - Returns: Those that are not there any more, and those that are none of this directory.
  public func remove(_ paths: [String]) -> [String] {
    let gone = paths.filter { path in
      guard let name = PhotoName(path: path) else { return true }
      return unlink("\(self.path)/\(name.text)") == 0 || errno == ENOENT || errno == ENOTDIR
    }
    guard !gone.isEmpty, access(path, F_OK) == 0 else { return gone }
    do throws(Fault) {
      try ObjectDirectory.sync(path)
      return gone
    } catch {
      // Not known to be gone for good, so asked for again.
      return []
    }
  }

  private func make() throws(Fault) {
    if mkdir(path, 0o750) == 0 {
      let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
      try ObjectDirectory.sync(parent ?? ".")
    } else if errno != EEXIST {
      throw .system(errno: errno)
    }
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Fault) {
    var place = 0
    while place < bytes.count {
      let count = bytes[place...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Fault(errno) }
      place += count
    }
  }

  private static func sync(_ directory: String) throws(Fault) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno: errno) }
    defer { close(descriptor) }
    // Some file systems do not sync directories, and say so.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw .system(errno: errno)
    }
  }
}
