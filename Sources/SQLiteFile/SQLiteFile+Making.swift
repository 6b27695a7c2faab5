public import GRDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

extension SQLiteFile {
  /// Numbers the files that this process makes.
  private static let made = Atomic(0)

  /// Makes a database beside its place, and puts it there when it is whole and on disk: so a file that is
  /// empty, or has no tables, is never a new one, whatever ended the process that made it.
  static func make(
    _ path: String, applicationID: Int32, migrations: DatabaseMigrator
  ) throws(StorageError) {
    let number = made.wrappingAdd(1, ordering: .relaxed).newValue
    let draft = "\(path).\(getpid())-\(number).new"
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) }
    }
    do throws(StorageError) {
      try create(draft)
      let queue = try connect(
        draft, mode: .readWrite, busyTimeoutSeconds: Limits.busyTimeoutSeconds)
      try setUp(queue, path: draft, applicationID: applicationID, migrations: migrations)
      do {
        // The last connection brings all of it into the one file.
        try queue.close()
      } catch {
        throw classify(error, path: draft)
      }
      try put(draft, at: path)
    } catch {
      throw error.about(path)
    }
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

  /// Saves all that an open database holds into a new file beside its place, also when its own file is
  /// not there any more.
  ///
  /// - Returns: the path of the copy, which is on disk.
  public static func saveCopy(_ queue: DatabaseQueue, _ path: String) throws(StorageError) -> String
  {
    for number in 1...Limits.savedCopies {
      let copy = "\(path).saved-\(number)"
      let descriptor = Glibc.open(copy, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, Limits.fileMode)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { throw whyNotCreated(copy, errno) }
      close(descriptor)
      do throws(StorageError) {
        try perform(queue, copy) { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
        try sync(copy)
        try sync(directory(of: copy))
      } catch {
        unlink(copy)
        throw error
      }
      return copy
    }
    throw .other(path: path, detail: "there are \(Limits.savedCopies) saved copies of it already")
  }

  /// Gives a whole file its name, unless another process was faster: then its file is as good.
  private static func put(_ draft: String, at path: String) throws(StorageError) {
    try sync(draft)
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
    try sync(directory(of: path))
  }

  private static func sync(_ path: String) throws(StorageError) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw whyNotCreated(path, errno) }
    defer { close(descriptor) }
    // Some file systems do not sync directories, and say so.
    if fsync(descriptor) != 0, errno != EINVAL, errno != EOPNOTSUPP {
      throw .deviceFailed(path: path, detail: String(cString: strerror(errno)))
    }
  }
}
