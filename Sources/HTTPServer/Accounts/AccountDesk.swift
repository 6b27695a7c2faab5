public import Accounts
import EventLoop
import Events
public import Log
import Storage
import Synchronization
public import Time
public import Tokens

/// Signs in, renews and signs out, and says who makes a request: what `Accounts` decides, with the store, the
/// clock and the hashes that it needs.
public final class AccountDesk: Sendable {
  let store: any AccountStore
  let hasher: PasswordHasher
  let clocks: any Clocks
  let log: ServiceLog
  let refusals: RefusalLog
  let gate: Mutex<SignInGate>
  /// Whether the gate was told where names signed in before this start.
  let hasLearntHomes = Mutex(false)
  private let current: Mutex<AccountSettings>
  private let lane = BlockingLane(name: "accounts", waiting: Limits.waitingLookUps)

  /// A desk.
  ///
  /// - Parameters:
  ///   - store: Where accounts are kept; its calls are made on a thread of the desk's own.
  ///   - gate: How those are slowed down who guess.
  public init(
    store: any AccountStore, settings: AccountSettings, hasher: PasswordHasher = PasswordHasher(),
    gate: SignInGate = SignInGate(), clocks: any Clocks, log: ServiceLog
  ) {
    self.store = store
    self.hasher = hasher
    self.gate = Mutex(gate)
    self.clocks = clocks
    self.log = log
    refusals = RefusalLog(clocks: clocks, log: log)
    current = Mutex(settings)
  }

  /// What the settings say now.
  var settings: AccountSettings { current.withLock { $0 } }

  /// Takes up settings that were read again.
  public func change(_ settings: AccountSettings) {
    current.withLock { $0 = settings }
  }

  /// Looks something up, or writes something down, beside the tasks; nil when that cannot be done now.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable (any AccountStore) throws(StorageError) -> Value
  ) async -> Value? {
    let result = await lane.answer { [store] () -> Result<Value, StorageError> in
      do throws(StorageError) {
        return .success(try body(store))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error):
      refusals.record(
        "accounts_unreadable", .error, "who asks cannot be looked up: \(error.problem)")
    case nil:
      refusals.record("accounts_unreadable", .warning, "too many wait for their account")
    }
    return nil
  }

  /// Writes an event about an account, which it names by a part of its identifier.
  func tell(_ name: String, _ level: LogLevel, _ account: AccountID, _ words: String) {
    log.record(
      Event(
        name, level, at: clocks.wall(), subject: "account \(account.text.prefix(8))", words: words))
  }
}
