/// What a node takes of its disk, and how much it may take.
public struct StorageRoom: Hashable, Sendable {
  /// Bytes that the database and the photographs take; what was freed in the database does not count.
  public var usedBytes: Int64
  /// Bytes that are free where they lie; nil when that cannot be told.
  public var freeBytes: Int64?
  /// Bytes that the settings give them; nil for as many as there are.
  public var capacityBytes: Int64?

  /// What is taken, and what may be.
  public init(usedBytes: Int64, freeBytes: Int64?, capacityBytes: Int64?) {
    self.usedBytes = usedBytes
    self.freeBytes = freeBytes
    self.capacityBytes = capacityBytes
  }

  /// What they may take with photographs: what the settings give, or what the disk has beside the space that is kept
  /// for passages, whichever is less. Nil when nobody knows.
  public var allowedBytes: Int64? {
    let onDisk = freeBytes.map { max(0, usedBytes + $0 - Limits.photoReserveBytes) }
    return [onDisk, capacityBytes].compactMap { $0 }.min()
  }

  /// Whether somebody should know: four fifths are taken.
  public var isFilling: Bool { allowedBytes.map { usedBytes >= $0 / 5 * 4 } ?? false }

  /// Whether no photograph has room, and what the server has goes.
  public var isShort: Bool { allowedBytes.map { usedBytes >= $0 } ?? false }

  /// Whether it is the settings that make it so: then it helps as well to remove passages.
  public var isShortBySettings: Bool { capacityBytes.map { usedBytes >= $0 } ?? false }
}
