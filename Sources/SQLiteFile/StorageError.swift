/// Why a database file cannot be used.
///
/// Every case names the file, and ``message`` says in words what is wrong and what to do about it.
/// SQLite's own codes are sorted into these cases once, in ``SQLiteFile/classify(_:path:)``, by what
/// can be done about them.
public enum StorageError: Error, Hashable, Sendable {
  /// The file or its file system refuses to be written.
  case readOnly(path: String)
  /// Another process held the lock for longer than the busy timeout.
  case locked(path: String)
  /// The content is damaged; `detail` is what SQLite found.
  case corrupt(path: String, detail: String)
  /// The file system is full, or the file has reached the size it may have.
  case diskFull(path: String)
  /// The user of this process may not open the file or its directory.
  case noPermission(path: String)
  /// The directory that should hold the file does not exist.
  case missingDirectory(path: String)
  /// The file was to be read and does not exist.
  case missingFile(path: String)
  /// The path names a directory.
  case isDirectory(path: String)
  /// The file holds something else than an SQLite database.
  case notADatabase(path: String)
  /// The file is a database of another program or of another role of this one.
  case foreignDatabase(path: String, found: Int32)
  /// The file was written by a newer version of this program.
  case newerSchema(path: String)
  /// The file was written by an older version and is only to be read, so it cannot be migrated.
  case olderSchema(path: String)
  /// `PRAGMA synchronous` could not be made FULL; what was read back is in `found`.
  case notDurable(path: String, found: String)
  /// Another running service owns this store.
  case inUse(path: String)
  /// The device failed while reading, writing or syncing.
  case deviceFailed(path: String, detail: String)
  /// A rule of the schema refused the change: a fault of this program, never of the file.
  case refusedChange(path: String, detail: String)
  /// Anything else, in SQLite's words.
  case other(path: String, detail: String)
}

extension StorageError {
  /// The file the error is about.
  public var path: String {
    switch self {
    case .readOnly(let path), .locked(let path), .diskFull(let path), .noPermission(let path),
      .missingDirectory(let path), .missingFile(let path), .isDirectory(let path),
      .notADatabase(let path), .newerSchema(let path), .olderSchema(let path), .inUse(let path):
      path
    case .corrupt(let path, _), .notDurable(let path, _), .deviceFailed(let path, _),
      .refusedChange(let path, _), .other(let path, _):
      path
    case .foreignDatabase(let path, _):
      path
    }
  }

  /// Whether the same call may succeed later without anybody touching the file itself: the lock is
  /// released, or space is freed.
  public var isTransient: Bool {
    switch self {
    case .locked, .diskFull: true
    case .readOnly, .corrupt, .noPermission, .missingDirectory, .missingFile, .isDirectory,
      .notADatabase, .foreignDatabase, .newerSchema, .olderSchema, .notDurable, .inUse,
      .deviceFailed,
      .refusedChange, .other:
      false
    }
  }

  /// The error in one sentence, followed by the act that helps.
  public var message: String {
    "\(whatIsWrong). \(whatToDo)."
  }

  private var whatIsWrong: String {
    switch self {
    case .readOnly(let path): "The database \(path) is read-only, so nothing can be stored in it"
    case .locked(let path): "The database \(path) is locked by another process"
    case .corrupt(let path, let detail): "The database \(path) is damaged (\(detail))"
    case .diskFull(let path): "There is no space left for the database \(path)"
    case .noPermission(let path): "This user has no permission to use the database \(path)"
    case .missingDirectory(let path):
      "The directory of the database \(path) does not exist"
    case .missingFile(let path): "The database \(path) does not exist"
    case .isDirectory(let path): "\(path) is a directory, not a database file"
    case .notADatabase(let path): "The file \(path) is not an SQLite database"
    case .foreignDatabase(let path, let found):
      "The database \(path) belongs to something else (application id \(found))"
    case .newerSchema(let path):
      "The database \(path) was written by a newer version of this program"
    case .olderSchema(let path):
      "The database \(path) was written by an older version of this program"
    case .notDurable(let path, let found):
      "The database \(path) does not sync its commits to the disk (\(found))"
    case .inUse(let path): "Another running service already owns the store \(path)"
    case .deviceFailed(let path, let detail):
      "The disk failed under the database \(path) (\(detail))"
    case .refusedChange(let path, let detail):
      "The database \(path) refused a change that its rules do not allow (\(detail))"
    case .other(let path, let detail): "The database \(path) cannot be used (\(detail))"
    }
  }

  private var whatToDo: String {
    switch self {
    case .readOnly:
      "Mount the file system read-write, or give this user write permission on the file"
    case .locked: "Wait for the other process or end it (fuser names it), then try again"
    case .corrupt:
      "Stop the service, keep a copy of the file, and restore a backup or recover what can be"
        + " read with: sqlite3 FILE .recover"
    case .diskFull: "Free space on that file system, then try again"
    case .noPermission:
      "Run as the user who owns the file, or change the owner of the file and its directory"
    case .missingDirectory: "Create the directory, or correct the path in the configuration"
    case .missingFile: "Start the service once to create it, or correct the path"
    case .isDirectory: "Name a file inside it"
    case .notADatabase: "Correct the path, or move that file away"
    case .foreignDatabase: "Correct the path: every role keeps a database of its own"
    case .newerSchema: "Install the version that wrote it, or restore a backup made before"
    case .olderSchema: "Start the service once, which brings it up to date"
    case .notDurable: "Use a build of SQLite that accepts PRAGMA synchronous = FULL"
    case .inUse: "Stop the other service first"
    case .deviceFailed: "Check the disk and the kernel's log, then start the service again"
    case .refusedChange: "Report this with the log of the last minutes; nothing was changed"
    case .other: "Check the file and its file system"
    }
  }
}

extension StorageError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }
}
