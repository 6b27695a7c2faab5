import CLinux
import Glibc

/// Wakes a poll loop from any thread, by an eventfd that the loop waits on with its links.
public final class Wakeup: Sendable {
  private let held: Descriptor

  /// A wakeup nobody has signalled yet.
  ///
  /// - Throws: ``LinkError/system`` when the process may not open another descriptor.
  public init() throws(LinkError) {
    let number = clinux_eventfd()
    guard number >= 0 else {
      throw .system(path: "eventfd", operation: "open", errno: errno)
    }
    held = Descriptor(owning: number)
  }

  /// What `poll` waits on.
  public var descriptor: Int32 { held.value }

  /// Wakes the loop, now or as soon as it waits again.
  public func signal() {
    var one: UInt64 = 1
    _ = Glibc.write(held.value, &one, 8)
  }

  /// Takes back all signals so far; called by the loop when it woke.
  public func clear() {
    var count: UInt64 = 0
    _ = Glibc.read(held.value, &count, 8)
  }
}
