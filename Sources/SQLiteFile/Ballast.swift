#if canImport(Glibc)
  import Glibc
#endif

/// Space held back beside a database, given up the first time that the disk is full.
///
/// On a full disk SQLite cannot even delete: a row that goes needs room in the log first. With this space
/// what is under way can be brought to its end, and written down.
public struct Ballast: Hashable, Sendable {
  /// The file that holds the space.
  public let path: String
  /// How many bytes it holds.
  public let bytes: Int64

  /// That of a database.
  public init(beside database: String, bytes: Int64) {
    path = database + "-ballast"
    self.bytes = bytes
  }

  /// Whether the space is held.
  public var isThere: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size >= bytes
  }

  /// Gives the space back to the disk.
  ///
  /// - Returns: false when there was none.
  public func drop() -> Bool { unlink(path) == 0 }

  /// Holds the space, if it is not held and enough stays free besides: three times as much as it takes,
  /// so that it does not come and go on a disk that is nearly full.
  ///
  /// - Parameter reserve: What has to stay free besides.
  /// - Returns: true when it is held from now on, and was not before.
  public func make(leaving reserve: Int64) -> Bool {
    guard bytes > 0, !isThere, let free = SQLiteFile.freeBytes(path),
      free >= 3 * bytes + reserve
    else { return false }
    let new = path + ".new"
    guard write(to: new), rename(new, path) == 0 else {
      unlink(new)
      return false
    }
    return true
  }

  /// Writes bytes that no file system can leave out or pack.
  private func write(to path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    var block = [UInt64](repeating: 0, count: 8_192)
    var left = Int(bytes)
    while left > 0 {
      for index in block.indices {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        block[index] = state
      }
      let count = block.withUnsafeBytes { Glibc.write(file, $0.baseAddress, min(left, $0.count)) }
      if count <= 0 { return false }
      left -= count
    }
    return fsync(file) == 0
  }
}
