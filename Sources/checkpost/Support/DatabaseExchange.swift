import Control
import Glibc
import Host
import SQLiteFile
import Settings
import Storage

/// What the commands share that save a database of either role, or put a saved one in its place.
struct DatabaseExchange {
  /// Whose database it is, as people are told: `the node's`, `central's`.
  let owner: String
  /// The file that is written or read.
  let file: String
  /// Whether `--force` was given.
  let force: Bool

  /// Refuses to write over a file without `--force`, and over the database itself in any case.
  ///
  /// - Parameter database: The database's file; nil where it has none.
  func mayWrite(besides database: String?) throws {
    guard access(file, F_OK) == 0 else { return }
    guard force else {
      throw CommandFailure(.usage, "\(file): is there already; name another, or add --force")
    }
    if let database { try isAnother(than: database, "another file") }
  }

  /// Refuses the database itself as the file to read or write.
  ///
  /// - Parameter wanted: What is to be named instead.
  func isAnother(than database: String, _ wanted: String) throws {
    guard DatabaseExchange.identity(file) != DatabaseExchange.identity(database) else {
      throw CommandFailure(.usage, "\(file): is \(owner) database itself; name \(wanted)")
    }
  }

  /// What a file is known by, whatever it is called.
  private static func identity(_ path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  /// Runs `exchange` while no service has the database: a running one closes it, and goes on with what is there
  /// when this returns.
  ///
  /// - Parameters:
  ///   - path: The database's file.
  ///   - isReleased: What is looked at once a running service has closed it.
  func alone<Result>(
    with path: String, _ settings: Settings, lock: ServiceLock?,
    isReleased: () throws -> Void = {}, exchange: () throws -> Result
  ) throws -> Result {
    var lock = lock
    // The service goes on when this is let go of, and the lock is free by then.
    var released: ReleasedStore?
    defer { withExtendedLifetime(released) {} }
    defer { lock?.release() }
    if lock == nil {
      released = try release(settings, database: path)
      lock = try DatabaseExchange.lock(path)
      guard lock != nil else { throw inUse(path) }
      try isReleased()
    }
    return try exchange()
  }

  /// The right to replace the database; nil while a service has it.
  static func lock(_ path: String) throws -> ServiceLock? {
    do {
      return try ServiceLock(forStoreAt: path)
    } catch {
      guard error.kind == .inUse else { throw error }
      return nil
    }
  }

  /// The database, closed by the running service.
  ///
  /// - Parameter path: Its file, or what else it is called.
  func release(_ settings: Settings, database path: String) throws -> ReleasedStore {
    do {
      return try ReleasedStore(settings, database: path)
    } catch let error as ControlRefusal where error.exitCode == ExitStatus.tryAgain.code {
      throw error
    } catch {
      throw CommandFailure(.tryAgain, "\(inUse(path).message): \(error)")
    }
  }

  private func inUse(_ path: String) -> CommandFailure {
    CommandFailure(
      .tryAgain,
      "a service has \(path) and does not give it; stop it (systemctl stop checkpost), restore, and start it"
        + " again")
  }

  /// Asks whether to replace the database all the same, unless `--force` says so.
  ///
  /// - Parameter what: What would be lost.
  func confirm(_ what: String) throws {
    try Confirmation.ask(
      what, "Replace it all the same", refused: "nothing was replaced", isGiven: force,
      nobody: CommandFailure(.badData, "\(what); add --force to replace it all the same"))
  }
}
