import EventLoop
import PostgreSQL
import Synchronization
import Time

/// What a thread of the pool found, for the thread that waits for it.
final class Answer<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, PostgreSQLError>?>(nil)
  private let wakeup: Wakeup

  /// - Throws: `LinkError.system` when the process may not open another descriptor.
  init() throws(LinkError) {
    wakeup = try Wakeup()
  }

  func give(_ value: Result<Value, PostgreSQLError>) {
    result.withLock { $0 = value }
    wakeup.signal()
  }

  /// Blocks until it was given.
  func wait(_ clocks: any Clocks) -> Result<Value, PostgreSQLError> {
    while true {
      if let result = result.withLock({ $0 }) { return result }
      _ = PollLoop.wait([Interest(descriptor: wakeup.descriptor)], until: nil, clocks: clocks)
      wakeup.clear()
    }
  }
}
