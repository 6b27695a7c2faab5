public import Storage

/// What can be wrong with a database file, in words that name the file and the act that helps.
extension StorageError {
  /// The file refuses to be written.
  public static func readOnly(path: String) -> StorageError {
    StorageError(
      .denied, of: path,
      problem: "The database \(path) is read-only, so nothing can be stored in it",
      remedy:
        "Start the service, which stores for its group; or run this as the user who owns the file")
  }

  /// The file system of the file refuses to be written: mounted so, or made so by the kernel after
  /// errors of its device.
  public static func readOnlyFileSystem(path: String) -> StorageError {
    StorageError(
      .readOnly, of: path,
      problem:
        "The file system of the database \(path) is read-only, so nothing can be stored in it",
      remedy:
        "Look at the kernel's log for errors of the disk, and mount it read-write again (mount"
        + " -o remount,rw)")
  }

  /// Another process held the lock for longer than the busy timeout.
  public static func locked(path: String) -> StorageError {
    StorageError(
      .busy, of: path, problem: "The database \(path) is locked by another process",
      remedy: "Wait for the other process or end it (fuser names it), then try again")
  }

  /// A transaction was ended, because it took longer than it may.
  public static func tookTooLong(path: String) -> StorageError {
    StorageError(
      .busy, of: path, problem: "What was asked of the database \(path) took longer than it may",
      remedy: "Ask for less at once, or for what its indexes find")
  }

  /// The content is damaged; `detail` is what SQLite found.
  public static func corrupt(path: String, detail: String) -> StorageError {
    StorageError(
      .damaged, of: path, problem: "The database \(path) is damaged (\(detail))",
      remedy:
        "Stop the service, keep a copy of the file, and restore a backup or recover what can be"
        + " read with: sqlite3 FILE .recover",
      detail: detail)
  }

  /// The file system is full, or the file has reached the size it may have.
  public static func diskFull(path: String) -> StorageError {
    StorageError(
      .full, of: path, problem: "There is no space left for the database \(path)",
      remedy: "Free space on that file system, then try again")
  }

  /// The user of this process may not open the file or its directory.
  public static func noPermission(path: String) -> StorageError {
    StorageError(
      .denied, of: path, problem: "This user has no permission to use the database \(path)",
      remedy:
        "Run as the user who owns the file, or change the owner of the file and its directory")
  }

  /// The directory that should hold the file does not exist.
  public static func missingDirectory(path: String) -> StorageError {
    StorageError(
      .missing, of: path, problem: "The directory of the database \(path) does not exist",
      remedy: "Create the directory, or correct the path in the configuration")
  }

  /// The file was to be read and does not exist.
  public static func missingFile(path: String) -> StorageError {
    StorageError(
      .missing, of: path, problem: "The database \(path) does not exist",
      remedy: "Correct the path, or start the service, which makes it")
  }

  /// The path is a symbolic link to something that is not there.
  public static func brokenLink(path: String) -> StorageError {
    StorageError(
      .missing, of: path,
      problem: "The database \(path) is a symbolic link to something that does not exist",
      remedy: "Mount what holds it, or correct the link")
  }

  /// The file has no content, which a database always has, also a new one.
  public static func emptyFile(path: String) -> StorageError {
    StorageError(
      .damaged, of: path,
      problem: "The database \(path) is an empty file: it was cut off, or is no database yet",
      remedy:
        "Restore a backup; if there was never anything in it, remove it, and a new one is made")
  }

  /// The file, or the log beside it, is not the one any more that was opened: it was deleted, moved,
  /// replaced, or another file system was mounted over it.
  public static func replaced(path: String) -> StorageError {
    StorageError(
      .lost, of: path,
      problem:
        "The database \(path) is not the file any more that was opened: it, or the -wal or -shm"
        + " beside it, was deleted, moved or replaced, so nothing is stored in it",
      remedy: "Put the file back, or start the service again, which then uses what is there")
  }

  /// The path names a directory.
  public static func isDirectory(path: String) -> StorageError {
    StorageError(
      .missing, of: path, problem: "\(path) is a directory, not a database file",
      remedy: "Name a file inside it")
  }

  /// The file holds something else than an SQLite database.
  public static func notADatabase(path: String) -> StorageError {
    StorageError(
      .notOurs, of: path, problem: "The file \(path) is not an SQLite database",
      remedy: "Correct the path, or move that file away")
  }

  /// The file is a database of another program or of another role of this one.
  public static func foreignDatabase(path: String, found: Int32) -> StorageError {
    StorageError(
      .notOurs, of: path,
      problem: "The database \(path) belongs to something else (application id \(found))",
      remedy: "Correct the path: every role keeps a database of its own")
  }

  /// The file was written by a newer version of this program.
  public static func newerSchema(path: String) -> StorageError {
    StorageError(
      .otherVersion, of: path,
      problem: "The database \(path) was written by a newer version of this program",
      remedy: "Install the version that wrote it, or restore a backup made before")
  }

  /// The file was written by an older version and is only to be read, so it cannot be migrated.
  public static func olderSchema(path: String) -> StorageError {
    StorageError(
      .otherVersion, of: path,
      problem: "The database \(path) was written by an older version of this program",
      remedy: "Start the service once, which brings it up to date")
  }

  /// `PRAGMA synchronous` could not be made FULL; what was read back is in `found`.
  public static func notDurable(path: String, found: String) -> StorageError {
    StorageError(
      .notDurable, of: path,
      problem: "The database \(path) does not sync its commits to the disk (\(found))",
      remedy: "Use a build of SQLite that accepts PRAGMA synchronous = FULL")
  }

  /// Another running service owns this store.
  public static func inUse(path: String) -> StorageError {
    StorageError(
      .inUse, of: path, problem: "Another running service already owns the store \(path)",
      remedy: "Stop the other service first")
  }

  /// The device failed while reading, writing or syncing.
  public static func deviceFailed(path: String, detail: String) -> StorageError {
    StorageError(
      .failed, of: path, problem: "The disk failed under the database \(path) (\(detail))",
      remedy: "Check the disk and the kernel's log, then start the service again", detail: detail)
  }

  /// A rule of the schema refused the change: a fault of this program, never of the file.
  public static func refusedChange(path: String, detail: String) -> StorageError {
    StorageError(
      .refused, of: path,
      problem:
        "The database \(path) refused a change that its rules do not allow (\(detail))",
      remedy: "Report this with the log of the last minutes; nothing was changed", detail: detail)
  }

  /// Anything else, in SQLite's words.
  public static func other(path: String, detail: String) -> StorageError {
    StorageError(
      .failed, of: path, problem: "The database \(path) cannot be used (\(detail))",
      remedy: "Check the file and its file system", detail: detail)
  }
}
