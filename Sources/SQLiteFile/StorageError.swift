/// Why a database file cannot be used.
///
/// Every case names the file, and ``message`` says in words what is wrong and what to do about it.
/// SQLite's own codes are sorted into these cases once, in ``SQLiteFile/classify(_:path:)``, by what
/// can be done about them.
public enum StorageError: Error, Hashable, Sendable {
  /// The file refuses to be written.
  case readOnly(path: String)
  /// The file system of the file refuses to be written: mounted so, or made so by the kernel after
  /// errors of its device.
  case readOnlyFileSystem(path: String)
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
  /// The path is a symbolic link to something that is not there.
  case brokenLink(path: String)
  /// The file has no content, which a database always has, also a new one.
  case emptyFile(path: String)
  /// The file, or the log beside it, is not the one any more that was opened: it was deleted, moved,
  /// replaced, or another file system was mounted over it.
  case replaced(path: String)
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
    case .readOnly(let path), .readOnlyFileSystem(let path), .locked(let path),
      .diskFull(let path), .noPermission(let path), .missingDirectory(let path),
      .missingFile(let path), .brokenLink(let path), .emptyFile(let path), .replaced(let path),
      .isDirectory(let path), .notADatabase(let path), .newerSchema(let path),
      .olderSchema(let path), .inUse(let path):
      path
    case .corrupt(let path, _), .notDurable(let path, _), .deviceFailed(let path, _),
      .refusedChange(let path, _), .other(let path, _):
      path
    case .foreignDatabase(let path, _):
      path
    }
  }

  /// Whether the same call may succeed later with the same file as it is: the lock is released, space is
  /// freed, the file system is writable again, the file is put back.
  public var isTransient: Bool {
    switch self {
    case .locked, .diskFull, .readOnlyFileSystem, .replaced: true
    case .readOnly, .corrupt, .noPermission, .missingDirectory, .missingFile, .brokenLink,
      .emptyFile, .isDirectory, .notADatabase, .foreignDatabase, .newerSchema, .olderSchema,
      .notDurable, .inUse,
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
    case .readOnlyFileSystem(let path):
      "The file system of the database \(path) is read-only, so nothing can be stored in it"
    case .locked(let path): "The database \(path) is locked by another process"
    case .corrupt(let path, let detail): "The database \(path) is damaged (\(detail))"
    case .diskFull(let path): "There is no space left for the database \(path)"
    case .noPermission(let path): "This user has no permission to use the database \(path)"
    case .missingDirectory(let path):
      "The directory of the database \(path) does not exist"
    case .missingFile(let path): "The database \(path) does not exist"
    case .brokenLink(let path):
      "The database \(path) is a symbolic link to something that does not exist"
    case .emptyFile(let path):
      "The database \(path) is an empty file: it was cut off, or is no database yet"
    case .replaced(let path):
      "The database \(path) is not the file any more that was opened: it, or the -wal or -shm beside"
        + " it, was deleted, moved or replaced, so nothing is stored in it"
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
    case .readOnly: "Give this user write permission on the file"
    case .readOnlyFileSystem:
      "Look at the kernel's log for errors of the disk, and mount it read-write again (mount -o"
        + " remount,rw)"
    case .locked: "Wait for the other process or end it (fuser names it), then try again"
    case .corrupt:
      "Stop the service, keep a copy of the file, and restore a backup or recover what can be"
        + " read with: sqlite3 FILE .recover"
    case .diskFull: "Free space on that file system, then try again"
    case .noPermission:
      "Run as the user who owns the file, or change the owner of the file and its directory"
    case .missingDirectory: "Create the directory, or correct the path in the configuration"
    case .missingFile: "Start the service once to create it, or correct the path"
    case .brokenLink: "Mount what holds it, or correct the link"
    case .emptyFile:
      "Restore a backup; if there was never anything in it, remove it, and a new one is made"
    case .replaced: "Put the file back, or start the service again, which then uses what is there"
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

extension StorageError {
  /// The same, of the file that was meant: a database is made under another name first.
  func about(_ path: String) -> StorageError {
    switch self {
    case .readOnly: .readOnly(path: path)
    case .readOnlyFileSystem: .readOnlyFileSystem(path: path)
    case .locked: .locked(path: path)
    case .corrupt(_, let detail): .corrupt(path: path, detail: detail)
    case .diskFull: .diskFull(path: path)
    case .noPermission: .noPermission(path: path)
    case .missingDirectory: .missingDirectory(path: path)
    case .missingFile: .missingFile(path: path)
    case .brokenLink: .brokenLink(path: path)
    case .emptyFile: .emptyFile(path: path)
    case .replaced: .replaced(path: path)
    case .isDirectory: .isDirectory(path: path)
    case .notADatabase: .notADatabase(path: path)
    case .foreignDatabase(_, let found): .foreignDatabase(path: path, found: found)
    case .newerSchema: .newerSchema(path: path)
    case .olderSchema: .olderSchema(path: path)
    case .notDurable(_, let found): .notDurable(path: path, found: found)
    case .inUse: .inUse(path: path)
    case .deviceFailed(_, let detail): .deviceFailed(path: path, detail: detail)
    case .refusedChange(_, let detail): .refusedChange(path: path, detail: detail)
    case .other(_, let detail): .other(path: path, detail: detail)
    }
  }
}

extension StorageError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }
}
