import GRDB
public import Storage

#if canImport(Glibc)
  import Glibc
#endif

extension SQLiteFile {
  /// Sorts any error that came out of a database call into what can be done about it.
  public static func classify(_ error: any Error, path: String) -> StorageError {
    if let sorted = error as? StorageError {
      return sorted
    }
    guard let failure = error as? DatabaseError else {
      return .other(path: path, detail: String(describing: error))
    }
    let detail = failure.message ?? failure.resultCode.description
    switch failure.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return .locked(path: path)
    case .SQLITE_READONLY where failure.extendedResultCode == .SQLITE_READONLY_DBMOVED:
      return .replaced(path: path)
    case .SQLITE_READONLY:
      return isOnReadOnlyFileSystem(path)
        ? .readOnlyFileSystem(path: path) : .readOnly(path: path)
    case .SQLITE_CORRUPT:
      return .corrupt(path: path, detail: detail)
    case .SQLITE_NOTADB:
      return .notADatabase(path: path)
    case .SQLITE_FULL:
      return .diskFull(path: path)
    case .SQLITE_PERM, .SQLITE_AUTH:
      return .noPermission(path: path)
    case .SQLITE_CANTOPEN:
      return whyNotOpened(path, detail: detail)
    case .SQLITE_IOERR:
      if isOnReadOnlyFileSystem(path) { return .readOnlyFileSystem(path: path) }
      return hasNoSpace(path) ? .diskFull(path: path) : .deviceFailed(path: path, detail: detail)
    case .SQLITE_INTERRUPT:
      return .tookTooLong(path: path)
    case .SQLITE_CONSTRAINT:
      return .refusedChange(path: path, detail: detail)
    default:
      return .other(path: path, detail: detail)
    }
  }

  private static func whyNotOpened(_ path: String, detail: String) -> StorageError {
    do {
      _ = try isThere(path, mode: .readOnly)
    } catch {
      return error
    }
    // The file itself is in order, so it is the log or the shared memory beside it that could not
    // be made.
    if hasNoSpace(path) {
      return .diskFull(path: path)
    }
    if access(directory(of: path), W_OK) != 0 {
      return errno == EROFS ? .readOnlyFileSystem(path: path) : .noPermission(path: path)
    }
    return .other(path: path, detail: detail)
  }

  /// Looks at the path before SQLite does, because SQLite says "unable to open database file" for
  /// six different reasons. Tells whether there is a file; one that is to be written and is not there
  /// can be made. It is never opened here, since closing it would drop SQLite's locks.
  static func isThere(_ path: String, mode: Mode) throws(StorageError) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR {
        throw .isDirectory(path: path)
      }
      if status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
        throw .emptyFile(path: path)
      }
      if access(path, R_OK) != 0 {
        throw .noPermission(path: path)
      }
      if mode != .readOnly, access(path, W_OK) != 0 {
        throw errno == EROFS ? .readOnlyFileSystem(path: path) : .readOnly(path: path)
      }
      return true
    }
    let reason = errno
    if reason == EACCES {
      throw .noPermission(path: path)
    }
    guard reason == ENOENT else {
      throw reason == ENOTDIR
        ? .missingDirectory(path: path)
        : .other(path: path, detail: String(cString: strerror(reason)))
    }
    if lstat(path, &status) == 0 {
      throw .brokenLink(path: path)
    }
    if stat(directory(of: path), &status) != 0 {
      throw .missingDirectory(path: path)
    }
    guard mode == .readWrite else {
      throw .missingFile(path: path)
    }
    return false
  }

  /// Creates a file that only its owner and its group may read, in place of one that a process with the
  /// same number may have left. It is to become the database `path`.
  static func create(
    _ file: String, _ content: [UInt8], of path: String
  ) throws(StorageError) {
    unlink(file)
    let descriptor = Glibc.open(file, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, Limits.fileMode)
    guard descriptor >= 0 else { throw whyNotCreated(path, errno) }
    defer { Glibc.close(descriptor) }
    let count = Glibc.write(descriptor, content, content.count)
    guard count == content.count else {
      throw count < 0 ? whyNotCreated(path, errno) : .diskFull(path: path)
    }
  }

  static func whyNotCreated(_ path: String, _ number: Int32) -> StorageError {
    switch number {
    case EACCES, EPERM: .noPermission(path: path)
    case EROFS: .readOnlyFileSystem(path: path)
    case ENOSPC, EDQUOT: .diskFull(path: path)
    case let other: .other(path: path, detail: String(cString: strerror(other)))
    }
  }

  /// The directory part of a path: what stands before the last slash.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func hasNoSpace(_ path: String) -> Bool {
    guard let free = freeBytes(path) else { return false }
    return free < 64 << 10
  }

  /// Whether the file system that holds `path` refuses to be written: mounted so, or made so by the
  /// kernel after errors of its device.
  public static func isOnReadOnlyFileSystem(_ path: String) -> Bool {
    let directory = directory(of: path)
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return false }
    if status.f_flag & readOnlyFlag != 0 { return true }
    // Newer kernels do not show it when they made a file system read-only after an error: only who
    // writes is told. A file without a name costs nothing, and is gone when it is closed.
    let probe = Glibc.open(directory, unnamedFile | O_WRONLY | O_CLOEXEC, 0o600)
    if probe >= 0 {
      Glibc.close(probe)
      return false
    }
    return errno == EROFS
  }

  /// `ST_RDONLY` of statvfs(3).
  private static let readOnlyFlag: UInt = 1
  /// `O_TMPFILE` of open(2), which is no constant that Swift reads.
  private static let unnamedFile = 0o20_000_000 | O_DIRECTORY

  /// Bytes that this user may still write on the file system that holds the file `path`; nil when that
  /// cannot be told.
  public static func freeBytes(_ path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(directory(of: path), &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }
}
