import CLinux
import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// Where the files of an open database stood when it was opened: the database, its log and what its
/// connections share.
///
/// SQLite goes on writing to files that were deleted or replaced, and reports success: what it commits
/// then is in no file that anybody finds again.
struct FilePlace: Sendable {
  /// What a file is known by, whatever it is called; inode numbers are those of one file system.
  private struct Identity: Hashable {
    var device: UInt64 = 0
    var inode: UInt64 = 0

    init?(_ path: String) {
      guard clinux_file_identity(path, &device, &inode) == 0 else { return nil }
    }
  }

  private let path: String
  private let database: Identity?
  private let companions: [(path: String, identity: Identity)]

  /// Notes which files are there now.
  init(of path: String) {
    self.path = path
    database = Identity(path)
    // SQLite follows a link, and keeps the other two beside what it leads to.
    var space = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let place =
      realpath(path, &space) == nil
      ? path
      : String(
        decoding: space.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    companions = [place + "-wal", place + "-shm"].compactMap { file in
      Identity(file).map { (file, $0) }
    }
  }

  /// Finds that the database is where it was: enough for what is only read, at a third of the calls.
  ///
  /// - Throws: `StorageError.replaced` when it is not.
  func checkDatabase() throws(StorageError) {
    if let database, Identity(path) != database {
      throw .replaced(path: path)
    }
  }

  /// Finds that every file is where it was.
  ///
  /// - Throws: `StorageError.replaced` when one is not.
  func check() throws(StorageError) {
    try checkDatabase()
    for file in companions where Identity(file.path) != file.identity {
      throw .replaced(path: path)
    }
  }
}
