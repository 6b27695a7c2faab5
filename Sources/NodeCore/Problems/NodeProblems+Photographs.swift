import Events
import Text
import Time

// What the node may keep of its disk, and what becomes of photographs where that is little.
extension NodeProblems {
  /// That what the node may keep is nearly used: by its settings, or by what else is on its disk.
  func capacity(_ overview: StoreOverview) -> Problem? {
    let database = overview.databaseBytes - overview.unusedBytes
    let room = StorageRoom(
      usedBytes: database + facts.photoBytes, freeBytes: overview.freeBytes,
      capacityBytes: facts.capacityBytes)
    guard room.isFilling, let allowed = room.allowedBytes else { return nil }
    func text(_ bytes: Int64) -> String { ByteCountText.format(bytes) }
    let isByDisk = allowed != facts.capacityBytes
    // Where no passage is recorded, that says it.
    if isByDisk, self.room(overview) != nil { return nil }
    return Problem(
      "storage_filling", room.isShort ? .critical : .warning,
      "the node's database takes \(text(database)) and its photographs \(text(facts.photoBytes)), of"
        + " \(text(allowed)) that \(isByDisk ? "the disk has for them" : "they may take")"
        + (room.isShort ? ": photographs are refused" : ""),
      remedy: isByDisk
        ? "make room on that disk; what the server has of photographs goes first"
        : "raise storage.capacity where the disk allows, or see why the server does not take what waits"
    )
  }

  /// That passages of the last day have no photograph though one was taken.
  func leftOut(_ overview: StoreOverview) -> Problem? {
    let count = overview.photosLeftOut
    guard count > 0 else { return nil }
    let reason = overview.photoLeftOutReason.map { "; the last one: \($0)" } ?? ""
    return Problem(
      "photos_left_out", .warning,
      "\(count) passage\(count == 1 ? " was" : "s were") recorded without \(count == 1 ? "its" : "their")"
        + " photograph\(count == 1 ? "" : "s") in the last day\(reason)",
      remedy: "make room where room is short; libvips-tools scales down what is too large",
      since: overview.photosLeftOutSince.map(wall))
  }
}
