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
  ///
  /// - Parameter used: Bytes that the database and the photographs take; nil for what their files have.
  public func demandRoom(
    for photograph: Photograph, used: Int64? = nil
  ) throws(PhotoStorageError) {
    if let capacity, (used ?? usedBytes) + Int64(photograph.bytes.count) > capacity {
      var error = PhotoStorageError(path, ENOSPC)
      error.capacity = capacity
      throw error
    }
    guard let freeBytes, freeBytes < Limits.photoReserveBytes + Int64(photograph.bytes.count) else {
      return
    }
    throw PhotoStorageError(path, ENOSPC)
  }

  /// Bytes that the photographs take, and the database that they share their room with.
  public var usedBytes: Int64 { content().bytes + databaseBytes }

  private var databaseBytes: Int64 {
    guard let database else { return 0 }
    return [database, "\(database)-wal"].reduce(0) { sum, file in
      var status = stat()
      return stat(file, &status) == 0 ? sum + Int64(status.st_size) : sum
    }
  }
}
