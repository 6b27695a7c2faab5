public import GRDB
public import Storage

#if canImport(Glibc)
  import Glibc
#endif

extension SQLiteFile {
  /// Copies all that a database holds into a file, whatever others write meanwhile: one moment of it, whole
  /// and on disk when this returns, in place of what may have been there.
  ///
  /// - Parameters:
  ///   - source: the database; it is looked through before it is copied, and not changed.
  ///   - path: the file that the copy becomes.
  ///   - applicationID: the number that marks files of this role; another one is refused.
  ///   - finishing: changes the copy before it gets its name; what it removes leaves no trace.
  /// - Throws: what is wrong with one of them; then nothing is left at `path` that was not there.
  public static func copy(
    _ source: String, to path: String, applicationID: Int32,
    finishing: (Database) throws -> Void = { _ in }
  ) throws(StorageError) {
    guard access(source, F_OK) == 0 else { throw .missingFile(path: source) }
    let draft = "\(path).\(getpid()).new"
    let descriptor = Glibc.open(
      draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, Limits.copyMode)
    guard descriptor >= 0 else { throw whyNotCreated(path, errno) }
    Glibc.close(descriptor)
    defer {
      for end in ["", "-journal", "-wal", "-shm"] { unlink(draft + end) }
    }
    try fill(draft, from: source, applicationID: applicationID, for: path, finishing)
    try sync(draft, of: path)
    guard rename(draft, path) == 0 else { throw whyNotCreated(path, errno) }
    try sync(directory(of: path), of: path)
  }

  private static func fill(
    _ draft: String, from source: String, applicationID: Int32, for path: String,
    _ finishing: (Database) throws -> Void
  ) throws(StorageError) {
    let from = try connect(source, mode: .readOnly, busyTimeoutSeconds: Limits.busyTimeoutSeconds)
    try perform(from, source) { database in
      try refuseForeign(database, path: source, applicationID: applicationID)
      try check(database, path: source)
    }
    let to: DatabaseQueue
    do {
      to = try DatabaseQueue(path: draft)
    } catch {
      throw classify(error, path: path)
    }
    do {
      try from.backup(to: to)
      try to.inDatabase { database in
        // One file, without a log beside it.
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
        try database.execute(sql: "PRAGMA secure_delete = ON")
        try finishing(database)
        let answer = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard answer == "ok" else {
          throw StorageError.corrupt(path: path, detail: answer ?? "no answer from quick_check")
        }
      }
      try to.close()
      try from.close()
    } catch {
      throw classify(error, path: path)
    }
  }

  /// Puts a whole database in the place of another one, which is kept beside it under a new name. At no
  /// moment is there none.
  ///
  /// - Parameter why: stands in that name.
  /// - Returns: where the other one is now; nil when there was none.
  public static func exchange(
    _ new: String, for path: String, keptAs why: String = "before-restore"
  ) throws(StorageError) -> String? {
    // Who could use the other one can use it.
    var other = stat()
    let mode = stat(path, &other) == 0 ? other.st_mode & 0o777 : Limits.fileMode
    guard chmod(new, mode) == 0 else { throw whyNotCreated(path, errno) }
    guard access(path, F_OK) == 0 else {
      try put(new, at: path)
      unlink(new)
      return nil
    }
    for number in 1...Limits.savedCopies {
      let kept = "\(path).\(why)-\(number)"
      if link(path, kept) != 0 {
        if errno == EEXIST, !isSame(path, kept) { continue }
        guard isSame(path, kept) else { throw whyNotCreated(kept, errno) }
      }
      // What was not brought into the file yet belongs to it, and never to the other one.
      for end in ["-wal", "-shm"] { rename(path + end, kept + end) }
      guard rename(new, path) == 0 else { throw whyNotCreated(path, errno) }
      try sync(directory(of: path), of: path)
      return kept
    }
    throw .other(
      path: path,
      detail: "\(Limits.savedCopies) databases that were replaced are kept beside it; remove those"
        + " that nobody needs")
  }

  /// Whether two names are of one file.
  static func isSame(_ one: String, _ other: String) -> Bool {
    var first = stat()
    var second = stat()
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }
}
