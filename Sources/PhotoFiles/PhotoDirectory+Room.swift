import Glibc
import NodeCore

extension PhotoDirectory {
  /// Bytes that this user may still write where the directory lies; nil when that cannot be told.
  public var freeBytes: Int64? {
    var room = statvfs()
    guard statvfs(path, &room) == 0 || statvfs(PhotoDirectory.parent(of: path), &room) == 0 else {
      return nil
    }
    return Int64(
      clamping: UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize))
        .partialValue)
  }

  /// Finds that there is room for a photograph beside what the passages need: photographs are refused long
  /// before a passage is.
  public func demandRoom(for photograph: Photograph) throws(PhotoStorageError) {
    guard let freeBytes, freeBytes < Limits.photoReserveBytes + Int64(photograph.bytes.count) else {
      return
    }
    throw PhotoStorageError(path, ENOSPC)
  }
}
