import EventLoop
import PostgreSQL
import Storage
import Synchronization
import Time

/// A connection in a transaction, for a thread that does not own it: what that thread asks, one thing after the
/// other, runs on the owner's.
final class LentConnection: Sendable {
  private struct State {
    /// What is to run next.
    var work: (@Sendable (PostgreSQLConnection) -> Void)?
    /// Whether it is to be committed, once nothing more is to run.
    var commits: Bool?
    /// How the transaction ended.
    var outcome: Result<Void, PostgreSQLError>?
    /// What the server refused first.
    var failure: PostgreSQLError?
  }

  private let place: String
  private let clocks: any Clocks
  private let state = Mutex(State())
  private let owner: Wakeup
  private let borrower: Wakeup

  /// - Throws: `LinkError.system` when the process may not open another descriptor.
  init(of place: String, clocks: any Clocks) throws(LinkError) {
    self.place = place
    self.clocks = clocks
    owner = try Wakeup()
    borrower = try Wakeup()
  }

  // MARK: Whoever borrows it

  /// Runs `work` in the transaction, and returns what it returns.
  ///
  /// - Throws: Why it could not be done. The transaction is undone then, whatever follows, but where `work` itself
  ///   takes back what was refused.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) throws(StorageError) -> Value {
    let answer = Mailslot<Value>()
    state.withLock { state in
      state.work = { connection in
        do throws(PostgreSQLError) {
          answer.put(.success(try work(connection)))
        } catch {
          answer.put(.failure(error))
        }
      }
    }
    owner.signal()
    while true {
      if let result = answer.result {
        switch result {
        case .success(let value): return value
        case .failure(let error):
          note(error)
          throw StorageError(error, of: place)
        }
      }
      if case .failure(let error)? = state.withLock({ $0.outcome }) {
        throw StorageError(error, of: place)
      }
      wait(for: borrower)
    }
  }

  /// Ends the transaction, and waits until it has ended.
  ///
  /// - Returns: Why it is not done, or may not be; nil when it is.
  @discardableResult
  func end(commits: Bool) -> PostgreSQLError? {
    state.withLock { $0.commits = commits }
    owner.signal()
    while true {
      switch state.withLock({ $0.outcome }) {
      case .success?: return nil
      case .failure(let error)?: return error
      case nil: wait(for: borrower)
      }
    }
  }

  /// Whether surely nothing of it was done, and the same may succeed at once.
  var mayTryAgain: Bool {
    state.withLock { state in
      if case .failure(let error)? = state.outcome { return error.isUndone }
      return state.failure?.isUndone ?? false
    }
  }

  private func note(_ error: PostgreSQLError) {
    state.withLock { $0.failure = $0.failure ?? error }
  }

  // MARK: The thread that owns it

  /// Runs what is asked until the end.
  ///
  /// - Returns: Whether it is to be committed.
  func serve(_ connection: PostgreSQLConnection) -> Bool {
    while true {
      let (work, commits) = state.withLock { state in
        defer { state.work = nil }
        return (state.work, state.commits)
      }
      if let work {
        work(connection)
        borrower.signal()
      } else if let commits {
        return commits
      } else {
        wait(for: owner)
      }
    }
  }

  /// The transaction ended so.
  func isOver(_ outcome: Result<Void, PostgreSQLError>) {
    state.withLock { $0.outcome = outcome }
    borrower.signal()
  }

  private func wait(for wakeup: Wakeup) {
    _ = PollLoop.wait([Interest(descriptor: wakeup.descriptor)], until: nil, clocks: clocks)
    wakeup.clear()
  }
}

/// Where the owner's thread puts what came of a piece of work.
private final class Mailslot<Value: Sendable>: Sendable {
  private let content = Mutex<Result<Value, PostgreSQLError>?>(nil)

  var result: Result<Value, PostgreSQLError>? { content.withLock { $0 } }

  func put(_ result: Result<Value, PostgreSQLError>) {
    content.withLock { $0 = result }
  }
}
