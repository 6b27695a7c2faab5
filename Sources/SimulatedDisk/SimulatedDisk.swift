import CSimulatedDisk

/// A disk in memory for the files of one database: it knows of each what was written and what was synced,
/// so that a power cut takes back what was not, and it fails when it is told to.
///
/// SQLite reaches it by the name of the file alone, so whatever opens a database opens it on the disk
/// without knowing. A database that lies at that name in the file system is taken over as it is, and
/// stays there unchanged.
public final class SimulatedDisk {
  /// What a power cut leaves of the changes that were not synced.
  public enum Rest: CaseIterable, Hashable, Sendable {
    /// None of them.
    case nothing
    /// All of them.
    case everything
    /// The first ones, and of the next one its first sectors.
    case beginning
    /// Any sectors of them, whichever was written first.
    case any

    fileprivate var number: csimulated_disk_rest {
      switch self {
      case .nothing: CSIMULATED_DISK_NOTHING
      case .everything: CSIMULATED_DISK_EVERYTHING
      case .beginning: CSIMULATED_DISK_BEGINNING
      case .any: CSIMULATED_DISK_ANY
      }
    }
  }

  /// A call that can be made to fail.
  public enum Call: CaseIterable, Hashable, Sendable {
    /// Content is asked for.
    case read
    /// Content is changed.
    case write
    /// What was written is to be kept.
    case sync

    fileprivate var number: csimulated_disk_call {
      switch self {
      case .read: CSIMULATED_DISK_READ
      case .write: CSIMULATED_DISK_WRITE
      case .sync: CSIMULATED_DISK_SYNC
      }
    }
  }

  /// The database's name. All names that begin with it are those of files of this disk.
  public let path: String
  private let disk: OpaquePointer

  /// An empty disk for the database of that name.
  public init(path: String) {
    guard let made = csimulated_disk_make(path) else {
      preconditionFailure("there is no memory for a disk")
    }
    self.path = path
    disk = made
  }

  deinit {
    csimulated_disk_let_go(disk)
  }

  /// Changes of files so far: writes, truncations, syncs, files made and deleted.
  public var changes: Int { Int(csimulated_disk_changes(disk)) }

  // MARK: Power

  /// The power fails in the middle of the change after `changes` more; until ``powerCut(_:seed:)``
  /// every call fails.
  public func cutPower(after changes: Int) {
    csimulated_disk_cut_after(disk, UInt64(changes))
  }

  /// Whether the power has failed and is not back.
  public var isOff: Bool { csimulated_disk_is_off(disk) != 0 }

  /// The power fails, if it has not yet, and comes back: what was synced is there, and of all else what
  /// `rest` says and `seed` draws. Whatever had files open is dead.
  public func powerCut(_ rest: Rest, seed: UInt64) {
    csimulated_disk_power_cut(disk, rest.number, seed)
  }

  /// The processes that have files open die, and the machine goes on: all that was written is there.
  public func crash() {
    csimulated_disk_crash(disk)
  }

  // MARK: Faults

  /// Bytes that all files together may have; nil for any number.
  public var capacity: Int64? {
    didSet { csimulated_disk_set_capacity(disk, capacity ?? -1) }
  }

  /// Bytes that all files together have.
  public var used: Int64 { csimulated_disk_used(disk) }

  /// Whether the file system takes no changes.
  public var isReadOnly = false {
    didSet { csimulated_disk_set_read_only(disk, isReadOnly ? 1 : 0) }
  }

  /// Whether syncs do nothing and say that they have, as those of some memory cards.
  public var isLying = false {
    didSet { csimulated_disk_set_lying(disk, isLying ? 1 : 0) }
  }

  /// Makes calls fail with an error of the device, after `after` more that do not.
  ///
  /// - Parameter times: how many fail; nil for all from then on, and 0 for none.
  public func fail(_ call: Call, after: Int = 0, times: Int? = 1) {
    csimulated_disk_fail(disk, call.number, UInt64(after), times.map { Int64($0) } ?? -1)
  }

  /// Turns a bit over in a file of this disk: ``path``, or that with an ending.
  ///
  /// - Returns: whether the file has such a byte.
  @discardableResult
  public func damage(_ file: String, at offset: Int64, bit: Int) -> Bool {
    csimulated_disk_damage(disk, file, offset, Int32(bit)) != 0
  }

  /// Lets all faults end; what was damaged stays so.
  public func heal() {
    capacity = nil
    isReadOnly = false
    isLying = false
    for call in Call.allCases { fail(call, times: 0) }
    csimulated_disk_cut_after(disk, .max >> 1)
  }

  // MARK: Going back

  /// Keeps each change from now on, for ``goBack(to:in:)``. The disk must be empty.
  public func remember() {
    csimulated_disk_remember(disk)
  }

  /// Makes another disk what this one was after so many changes, with the next one begun and not
  /// finished; its power is off until ``powerCut(_:seed:)``.
  public func goBack(to changes: Int, in copy: SimulatedDisk) {
    csimulated_disk_go_back(disk, UInt64(changes), copy.disk)
  }

  /// What befell the files so far.
  public var damages: DiskDamages {
    DiskDamages { Int(csimulated_disk_count(disk, $0)) }
  }
}
