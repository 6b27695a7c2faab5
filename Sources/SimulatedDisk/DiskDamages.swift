import CSimulatedDisk

/// How often each fault befell the files of a ``SimulatedDisk``.
public struct DiskDamages: Hashable, Sendable {
  /// Reads that failed.
  public var failedReads = 0
  /// Writes that failed.
  public var failedWrites = 0
  /// Syncs that failed.
  public var failedSyncs = 0
  /// Writes for which there was too little room.
  public var writesWithoutSpace = 0
  /// Changes that the file system refused because it takes none.
  public var writesRefused = 0
  /// Power cuts.
  public var powerCuts = 0
  /// Changes that power cuts took back, whole or in part.
  public var changesLost = 0

  /// Nothing has befallen them.
  public init() {}

  init(counting count: (csimulated_disk_counter) -> Int) {
    failedReads = count(CSIMULATED_DISK_FAILED_READS)
    failedWrites = count(CSIMULATED_DISK_FAILED_WRITES)
    failedSyncs = count(CSIMULATED_DISK_FAILED_SYNCS)
    writesWithoutSpace = count(CSIMULATED_DISK_WRITES_WITHOUT_SPACE)
    writesRefused = count(CSIMULATED_DISK_WRITES_REFUSED)
    powerCuts = count(CSIMULATED_DISK_POWER_CUTS)
    changesLost = count(CSIMULATED_DISK_CHANGES_LOST)
  }
}
