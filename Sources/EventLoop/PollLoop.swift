import Glibc
public import Time

/// What became of one descriptor while the loop waited.
public struct Readiness: OptionSet, Hashable, Sendable {
  /// What became of it, a bit each.
  public let rawValue: Int16

  /// What those bits say.
  public init(rawValue: Int16) {
    self.rawValue = rawValue
  }

  /// There is something to read, perhaps only the news that the other side is gone.
  public static let readable = Readiness(rawValue: 1)
  /// A write would take at least one byte.
  public static let writable = Readiness(rawValue: 2)
  /// The other side is gone (`POLLHUP`, `POLLERR`, `POLLNVAL`).
  public static let hungUp = Readiness(rawValue: 4)
}

/// One descriptor to wait on, and for what.
public struct Interest: Hashable, Sendable {
  /// The descriptor; a negative one is passed over, as `poll` does.
  public var descriptor: Int32
  /// Whether to wait until there is something to read.
  public var readable: Bool
  /// Whether to wait until there is room to write.
  public var writable: Bool

  /// Waits for bytes to read, and when asked for room to write.
  public init(descriptor: Int32, readable: Bool = true, writable: Bool = false) {
    self.descriptor = descriptor
    self.readable = readable
    self.writable = writable
  }
}

/// Waiting, in one place: `poll` over a few descriptors until one is ready or a deadline has come.
///
/// There is no timer thread and no tick: a loop with nothing to do sleeps until its next deadline,
/// so that an idle service costs the checkpost's battery nothing.
public enum PollLoop {
  /// Waits until one of `interests` is ready or `deadline` on the clock `clocks` has passed; no
  /// deadline waits for ever. The answer has the order of `interests`; all empty means the
  /// deadline came, or a signal, and the caller looks at its clock again.
  public static func wait(
    _ interests: [Interest], until deadline: BootInstant?, clocks: some Clocks
  ) -> [Readiness] {
    var entries = interests.map { interest in
      pollfd(
        fd: interest.descriptor,
        events: Int16((interest.readable ? POLLIN : 0) | (interest.writable ? POLLOUT : 0)),
        revents: 0)
    }
    let count = poll(&entries, until: deadline, clocks: clocks)
    guard count > 0 else { return interests.map { _ in [] } }
    return entries.map { entry in
      let events = Int32(entry.revents)
      var readiness: Readiness = []
      if events & POLLIN != 0 { readiness.insert(.readable) }
      if events & POLLOUT != 0 { readiness.insert(.writable) }
      if events & (POLLHUP | POLLERR | POLLNVAL) != 0 { readiness.insert(.hungUp) }
      return readiness
    }
  }

  private static func poll(
    _ entries: inout [pollfd], until deadline: BootInstant?, clocks: some Clocks
  ) -> Int32 {
    guard let deadline else {
      return Glibc.poll(&entries, nfds_t(entries.count), -1)
    }
    // Rounded up, so that the deadline has come when the wait is over. An hour at most, so that a
    // clock handed in that runs differently is looked at again.
    let left = min(max(clocks.boot().duration(to: deadline), .zero), .seconds(3_600))
    let milliseconds = (left.wholeNanoseconds + 999_999) / 1_000_000
    return Glibc.poll(&entries, nfds_t(entries.count), Int32(milliseconds))
  }
}
