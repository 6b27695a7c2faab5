import Synchronization

/// Transactions that come one after the other: in this process, so that those who wait hold no connection, and by a
/// lock of the database in all.
final class Turn: Sendable {
  private let own = Mutex(())
  /// The statement that takes the lock until the transaction's end.
  let lock: String

  /// - Parameter number: The lock's, which nothing else uses.
  init(lock number: Int) {
    lock = "SELECT pg_advisory_xact_lock(\(number), 0)"
  }

  func withLock<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try own.withLock { _ throws(Failure) in try body() }
  }
}
