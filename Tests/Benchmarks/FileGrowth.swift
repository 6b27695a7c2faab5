import EventLoop
import Glibc
import Time

/// Tells when another process writes to a file.
final class FileGrowth {
  private let watch: Descriptor

  /// Watches a file that is there; what is written from now on is told.
  init(_ path: String) throws {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard number >= 0 else { throw Failure(system: "\(path): watch") }
    watch = Descriptor(owning: number)
    guard inotify_add_watch(number, path, UInt32(IN_MODIFY)) >= 0 else {
      throw Failure(system: "\(path): watch")
    }
  }

  /// Waits until something was written since the last call; false when nothing was by `deadline`.
  func happens(before deadline: BootInstant, _ clocks: any Clocks) -> Bool {
    while clocks.boot() < deadline {
      let found = PollLoop.wait(
        [Interest(descriptor: watch.value)], until: deadline, clocks: clocks)
      guard found[0].contains(.readable) else { continue }
      var events = [UInt8](repeating: 0, count: 4_096)
      while read(watch.value, &events, events.count) > 0 {}
      return true
    }
    return false
  }
}
