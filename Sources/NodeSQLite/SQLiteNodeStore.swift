import GRDB
public import NodeCore
import SQLiteFile
public import Storage
import Synchronization
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

  /// What the store was made of when it was opened, where what was there was damaged.
  public let salvage: StoreSalvage?
  /// Whether it needed the space that was held back, in order to be opened.
  public let neededBallast: Bool

  let file: SQLiteFile
  let reserveBytes: Int64
  private let ballast: Ballast?
  private let isBallastHeld: Atomic<Bool>

  /// Opens the store, and creates it when it does not exist.
  ///
  /// - Parameters:
  ///   - path: the database file, or `SQLiteFile.inMemory`.
  ///   - bootID: what names this boot of the machine: `/proc/sys/kernel/random/boot_id`.
  ///   - checks: whether to check the file's integrity; the service does, a command that runs
  ///     beside it need not.
  ///   - reserveBytes: space that must stay free when a passage is recorded.
  ///   - ballastBytes: space that is held back for a full disk, see ``restoreBallast()``; the service
  ///     holds some, a command needs none.
  ///   - salvages: whether a damaged file is set aside, and what is legible in it taken over; only
  ///     whoever holds the `ServiceLock` may do that.
  public init(
    path: String, bootID: String, checks: Bool = true,
    reserveBytes: Int64 = Limits.reserveBytes, ballastBytes: Int64 = 0, salvages: Bool = false
  ) throws(StorageError) {
    let held =
      path == SQLiteFile.inMemory || ballastBytes == 0
      ? nil : Ballast(beside: path, bytes: ballastBytes)
    let begun: Beginning
    do {
      begun = try Self.begin(path, bootID: bootID, checks: checks, salvages: salvages)
      neededBallast = false
    } catch {
      // A service that ended on a full disk begins again with the space that was held back.
      guard error.kind == .full, let held, held.drop() else { throw error }
      begun = try Self.begin(path, bootID: bootID, checks: checks, salvages: salvages)
      neededBallast = true
    }
    (file, clock, salvage) = begun
    self.path = path
    self.reserveBytes = path == SQLiteFile.inMemory ? 0 : reserveBytes
    ballast = held
    isBallastHeld = Atomic(held?.isThere ?? false)
  }

  private typealias Beginning = (SQLiteFile, NodeClock, StoreSalvage?)

  private static func begin(
    _ path: String, bootID: String, checks: Bool, salvages: Bool
  ) throws(StorageError) -> Beginning {
    let suspicion = Suspicion(of: path)
    var salvage: StoreSalvage?
    func open() throws(StorageError) -> SQLiteFile {
      try SQLiteFile.open(
        path, applicationID: NodeSchema.applicationID, migrations: NodeSchema.migrations,
        checks: checks, isSuspect: suspicion.isThere)
    }
    var file: SQLiteFile
    do {
      file = try open()
    } catch {
      guard salvages, let salvaged = try NodeSalvage.tryToSave(path, error) else { throw error }
      salvage = salvaged
      suspicion.drop()
      file = try open()
    }
    if checks { suspicion.drop() }
    return (file, try file.write { try NodeClock.carriedOver($0, bootID: bootID) }, salvage)
  }

  /// Opens the store of `path` for looking only; its clock is the one last written down.
  public init(readingFrom path: String) throws(StorageError) {
    file = try SQLiteFile.open(
      path, applicationID: NodeSchema.applicationID, migrations: NodeSchema.migrations,
      mode: .readOnly,
      checks: false)
    self.path = path
    reserveBytes = 0
    ballast = nil
    salvage = nil
    neededBallast = false
    isBallastHeld = Atomic(false)
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
  /// Bytes that are free where it lies; nil in memory, and where no space is to stay free.
  public var freeBytes: Int64? { reserveBytes > 0 ? SQLiteFile.freeBytes(path) : nil }

  /// Runs `body` in one transaction that is on disk when this returns, and undone when it throws.
  ///
  /// - Throws: What `body` throws, or why the file could not be written.
  public func transaction<Value>(
    _ body: (any NodeTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    do {
      return try file.write { try body(StoreTransaction(database: $0, path: path)) }
    } catch {
      if error.kind == .damaged { Suspicion(of: path).raise() }
      // What was undone is done again with the space that was held back.
      guard error.kind == .full, let ballast, ballast.drop() else { throw error }
      isBallastHeld.store(false, ordering: .relaxed)
      return try file.write { try body(StoreTransaction(database: $0, path: path)) }
    }
  }

  /// Whether space is held back for a full disk; nil where none is to be.
  public var hasBallast: Bool? {
    ballast == nil ? nil : isBallastHeld.load(ordering: .relaxed)
  }

  /// Holds back space again that was given up, or never was held, once enough is free.
  ///
  /// - Returns: true when it is held from now on, and was not before.
  public func restoreBallast() -> Bool {
    guard let ballast, !isBallastHeld.load(ordering: .relaxed) else { return false }
    let isMade = ballast.make(leaving: reserveBytes)
    if isMade { isBallastHeld.store(true, ordering: .relaxed) }
    return isMade
  }
}
