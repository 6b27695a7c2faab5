import GRDB
public import Storage
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

extension SQLiteFile {
  /// Numbers the files that this process makes.
  private static let made = Atomic(0)

  /// Makes a database without tables beside its place, and puts it there when it is whole and on disk: so a
  /// file that is empty is never a new one, whatever ended the process that made it.
  static func make(_ path: String, applicationID: Int32) throws(StorageError) {
    let number = made.wrappingAdd(1, ordering: .relaxed).newValue
    let draft = "\(path).\(getpid())-\(number).new"
    defer { unlink(draft) }
    try create(draft, emptyDatabase(applicationID: applicationID), of: path)
    try put(draft, at: path)
  }

  /// The one page of a database that has no tables yet (SQLite's "Database File Format", 1.3 and 1.6).
  /// Written by hand: a connection for this moment alone would leave threads behind when it is let go of.
  static func emptyDatabase(applicationID: Int32) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: 4_096)
    func put(_ bytes: [UInt8], at place: Int) {
      page.replaceSubrange(place..<place + bytes.count, with: bytes)
    }
    func big(_ number: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    put(Array("SQLite format 3\0".utf8), at: 0)
    // The page's size, no log yet, nothing kept at the end of a page, the fractions that all files have.
    put([0x10, 0x00, 1, 1, 0, 64, 32, 32], at: 16)
    put(big(1), at: 24)
    put(big(1), at: 28)
    put(big(UInt32(bitPattern: applicationID)), at: 68)
    put(big(1), at: 92)
    put(big(3_040_000), at: 96)
    // A leaf of the schema's table without a cell; what cells hold would begin at the page's end.
    put([0x0D, 0, 0, 0, 0, 0x10, 0x00, 0], at: 100)
    return page
  }

  /// Makes no database beside the log of another one, which would be read into it: that one's file was
  /// taken away, and the log has what was committed last.
  static func refuseLogWithoutItsFile(_ path: String) throws(StorageError) {
    var log = stat()
    var file = stat()
    // Looked at in this order: another process may be making the same file just now.
    guard stat(path + "-wal", &log) == 0, log.st_size > 0, stat(path, &file) != 0 else { return }
    throw .corrupt(
      path: path, detail: "the file is gone, and the log beside it, \(path)-wal, is not")
  }

  /// Saves all that the open database holds into a new file beside its place, also when its own file is
  /// not there any more.
  ///
  /// - Returns: the path of the copy, which is on disk.
  public func saveCopy() throws(StorageError) -> String {
    for number in 1...Limits.savedCopies {
      let copy = "\(path).saved-\(number)"
      let descriptor = Glibc.open(copy, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, Limits.fileMode)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw Self.whyNotCreated(copy, errno) }
      Glibc.close(descriptor)
      do throws(StorageError) {
        try Self.perform(queue, copy) { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
        try Self.sync(copy, of: copy)
        try Self.sync(Self.directory(of: copy), of: copy)
      } catch {
        unlink(copy)
        throw error
      }
      return copy
    }
    throw .other(path: path, detail: "there are \(Limits.savedCopies) saved copies of it already")
  }

  /// Gives a whole file its name, unless another process was faster: then its file is as good.
  static func put(_ draft: String, at path: String) throws(StorageError) {
    try sync(draft, of: path)
    if link(draft, path) != 0 {
      switch errno {
      case EEXIST: return
      case EPERM, EOPNOTSUPP, EMLINK:
        // A file system without links: the name is taken over.
        guard access(path, F_OK) == 0 || rename(draft, path) == 0 else {
          throw whyNotCreated(path, errno)
        }
      case let number: throw whyNotCreated(path, number)
      }
    }
    try sync(directory(of: path), of: path)
  }

  static func sync(_ file: String, of path: String) throws(StorageError) {
    let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw whyNotCreated(path, errno) }
    defer { Glibc.close(descriptor) }
    // Some file systems do not sync directories, and say so.
    if fsync(descriptor) != 0, errno != EINVAL, errno != EOPNOTSUPP {
      throw .deviceFailed(path: path, detail: String(cString: strerror(errno)))
    }
  }
}
