import CLinux
import Glibc

/// Tells a poll loop that something appeared in a directory: a modem's node in `/dev`, a link in
/// `/dev/serial/by-id`.
///
/// A driver that waits for an unplugged modem wakes when the node comes back instead of looking
/// every second for years.
public final class PathWatch: Sendable {
  private let held: Descriptor

  /// Watches `directory`; nil when it does not exist or the system allows no more watches, and
  /// then the caller falls back to looking at intervals.
  public init?(directory: String) {
    let number = clinux_watch_directory(directory)
    guard number >= 0 else { return nil }
    held = Descriptor(owning: number)
  }

  /// Watches who opens `path`; nil when it does not exist or the system allows no more watches.
  public init?(openingsOf path: String) {
    let number = clinux_watch_openings(path)
    guard number >= 0 else { return nil }
    held = Descriptor(owning: number)
  }

  /// What `poll` waits on.
  public var descriptor: Int32 { held.value }

  /// Takes back what was told so far; the caller then looks for itself. False when nothing was told.
  @discardableResult
  public func clear() -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4_096) { space in
      var isTold = false
      while Glibc.read(held.value, space.baseAddress, 4_096) > 0 { isTold = true }
      return isTold
    }
  }
}
