import GRDB
public import NodeCore
import SQLiteFile
public import Storage
import Time

/// A node's passages on disk: what was recorded, where each passage stands, and every text with
/// its outcome.
///
/// Several processes may have the file open: the service, and commands that record or look. Only
/// one service may own it; see `ServiceLock`.
public final class SQLiteNodeStore: Sendable {
  /// The database file.
  public let path: String
  /// The node's clock in this boot of the machine.
  public let clock: NodeClock

  let file: SQLiteFile
  let reserveBytes: Int64

  /// Opens the store, and creates it when it does not exist.
  ///
  /// - Parameters:
  ///   - path: the database file, or `SQLiteFile.inMemory`.
  ///   - bootID: what names this boot of the machine: `/proc/sys/kernel/random/boot_id`.
  ///   - checks: whether to check the file's integrity; the service does, a command that runs
  ///     beside it need not.
  ///   - reserveBytes: space that must stay free when a passage is recorded.
  public init(
    path: String, bootID: String, checks: Bool = true,
    reserveBytes: Int64 = Limits.reserveBytes
  ) throws(StorageError) {
    file = try SQLiteFile.open(
      path, applicationID: NodeSchema.applicationID, migrations: NodeSchema.migrations,
      checks: checks)
    self.path = path
    self.reserveBytes = path == SQLiteFile.inMemory ? 0 : reserveBytes
    clock = try file.write { try NodeClock.carriedOver($0, bootID: bootID) }
  }

  /// Opens the store of `path` for looking only; its clock is the one last written down.
  public init(readingFrom path: String) throws(StorageError) {
    file = try SQLiteFile.open(
      path, applicationID: NodeSchema.applicationID, migrations: NodeSchema.migrations,
      mode: .readOnly,
      checks: false)
    self.path = path
    reserveBytes = 0
    let offset = try file.read { try Meta.integer($0, .clockOffset) ?? 0 }
    clock = NodeClock(offset: .nanoseconds(offset))
  }

  /// Closes the file; nothing can be done with the store afterwards.
  public func close() throws(StorageError) {
    try file.close()
  }

  /// Saves all that the store holds into a new file beside it, also when its own file is not there any
  /// more; returns the path of that file.
  public func saveCopy() throws(StorageError) -> String {
    try file.saveCopy()
  }

  /// Why no further passage may be recorded: too little is free for the outcomes of those that are
  /// recorded already.
  public var shortage: StorageError? {
    guard reserveBytes > 0, let free = SQLiteFile.freeBytes(path), free < reserveBytes else {
      return nil
    }
    return .diskFull(path: path)
  }
}

extension SQLiteNodeStore: NodeStore {
  /// Runs `body` in one transaction that is on disk when this returns, and undone when it throws.
  ///
  /// - Throws: What `body` throws, or why the file could not be written.
  public func transaction<Value>(
    _ body: (any NodeTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try file.write { try body(StoreTransaction(database: $0, path: path)) }
  }
}
