import GRDB

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
    case .SQLITE_READONLY:
      return .readOnly(path: path)
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
      return hasNoSpace(path) ? .diskFull(path: path) : .deviceFailed(path: path, detail: detail)
    case .SQLITE_CONSTRAINT:
      return .refusedChange(path: path, detail: detail)
    default:
      return .other(path: path, detail: detail)
    }
  }

  private static func whyNotOpened(_ path: String, detail: String) -> StorageError {
    do {
      try prepareFile(path, mode: .readOnly)
    } catch {
      return error
    }
    // The file itself is in order, so it is the log or the shared memory beside it that could not
    // be made.
    if hasNoSpace(path) {
      return .diskFull(path: path)
    }
    if access(directory(of: path), W_OK) != 0 {
      return errno == EROFS ? .readOnly(path: path) : .noPermission(path: path)
    }
    return .other(path: path, detail: detail)
  }

  /// Looks at the path before SQLite does, because SQLite says "unable to open database file" for
  /// six different reasons. Creates the file with its permissions when it is to be written and does
  /// not exist; an existing one is never opened here, since closing it would drop SQLite's locks.
  static func prepareFile(_ path: String, mode: Mode) throws(StorageError) {
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR {
        throw .isDirectory(path: path)
      }
      if access(path, R_OK) != 0 {
        throw .noPermission(path: path)
      }
      if mode == .readWrite, access(path, W_OK) != 0 {
        throw .readOnly(path: path)
      }
      return
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
    if stat(directory(of: path), &status) != 0 {
      throw .missingDirectory(path: path)
    }
    if mode == .readOnly {
      throw .missingFile(path: path)
    }
    try create(path)
  }

  private static func create(_ path: String) throws(StorageError) {
    let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, Limits.fileMode)
    if descriptor >= 0 {
      Glibc.close(descriptor)
      return
    }
    switch errno {
    case EEXIST: return
    case EACCES, EPERM: throw .noPermission(path: path)
    case EROFS: throw .readOnly(path: path)
    case ENOSPC, EDQUOT: throw .diskFull(path: path)
    case let other: throw .other(path: path, detail: String(cString: strerror(other)))
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

  /// Bytes that this user may still write on the file system that holds `path`; nil when that
  /// cannot be told.
  public static func freeBytes(_ path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(directory(of: path), &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }
}
