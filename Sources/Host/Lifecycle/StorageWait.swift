import EventLoop
import Events
import Glibc
import Log
import Storage
import Text
import Time

/// Makes what needs the disk, and waits while the disk is full, read-only or locked: a post without a
/// service would be worse off than one whose service starts a little later.
struct StorageWait {
  /// Time between two attempts.
  private static let every: Duration = .seconds(5)

  let desk: ControlDesk
  let signals: SignalWatch
  let log: ServiceLog
  let clocks: any Clocks
  let manager: ServiceManager

  /// What `make` makes; nil when the service was asked to end while it waited.
  ///
  /// - Parameter awaitsLock: Whether it also waits while another process has the lock of the database.
  /// - Throws: What `make` throws, unless it passes by itself.
  func callAsFunction<Made>(
    awaitsLock: Bool = false, _ make: () throws -> Made
  ) throws -> Made? {
    var told: StorageError?
    while true {
      do {
        let made = try make()
        if told != nil {
          record("storage_usable", .notice, "the storage is usable again; the service starts")
        }
        return made
      } catch let error as StorageError
        where error.isTransient || awaitsLock && error.kind == .inUse
      {
        if told != error {
          record(
            "storage_awaited", .error,
            "\(error.message) The service waits for that, and tries again every"
              + " \(DurationText.format(StorageWait.every))")
        }
        told = error
        let words = "the service waits for its storage: \(error.message)"
        desk.wait(for: words)
        manager.tell(.starting(status: words, within: StorageWait.every * 12))
        if case .end = signals.wait(until: clocks.boot() + StorageWait.every, clocks: clocks) {
          return nil
        }
      }
    }
  }

  private func record(_ name: String, _ level: LogLevel, _ words: String) {
    log.record(Event(name, level, at: clocks.wall(), words: words))
  }
}
