public import CentralCore
public import EventLoop
public import Events
public import NodeCore
public import SeededRandom
public import Storage
public import Supabase
import Synchronization
public import Time

/// Hands passages of a central on to a server of Supabase's kind, for those who may not touch its database: by
/// POST to its table of passages, with the service's key, under the identity that each came under. A passage that
/// is there already is not there twice, so that asking again does no harm.
public final class Forwarder: ServicePart {
  private let store: any ForwardStore
  private let asking: Asking
  private let api: SupabaseAPI
  private let clocks: any Clocks
  private let onEvent: @Sendable (Event) -> Void
  private let wakeup: Wakeup
  private let thread = WorkerThread()
  private let isStopping = Atomic(false)
  private let chance: SplitMix64
  private let failing = Mutex<(since: WallTime, words: String)?>(nil)

  /// Since when nothing can be handed on, and why in words; nil while it can.
  public var trouble: (since: WallTime, words: String)? { failing.withLock { $0 } }

  /// How many passages were handed on, wait and are set aside.
  ///
  /// - Throws: When the store cannot be read.
  public func standing() throws(StorageError) -> ForwardStanding { try store.forwardStanding() }

  /// One that has not started.
  ///
  /// - Parameters:
  ///   - client: The way to the server, which shows the service's key. It is ended with this.
  ///   - chance: From which pauses are drawn.
  ///   - onEvent: Takes each event of the log, on a thread of this; must not block.
  /// - Throws: `LinkError.system` when the process may not open another descriptor.
  public init(
    _ store: any ForwardStore, to client: any ServerClient, api: SupabaseAPI = SupabaseAPI(),
    clocks: any Clocks, chance: SplitMix64, onEvent: @escaping @Sendable (Event) -> Void
  ) throws(LinkError) {
    self.store = store
    self.api = api
    self.clocks = clocks
    self.chance = chance
    self.onEvent = onEvent
    wakeup = try Wakeup()
    asking = try Asking(client)
  }

  /// Says that there may be a passage, from any thread.
  public func wake() { wakeup.signal() }

  /// Starts it; see `ServicePart`.
  public func start(whenEnded: @escaping @Sendable () -> Void) throws {
    try thread.start(name: "forwarder") { [self] in
      run()
      whenEnded()
    }
  }

  /// Asks it to end; what is out is given up.
  public func stop() {
    isStopping.store(true, ordering: .releasing)
    asking.client.end()
    wakeup.signal()
  }

  /// Blocks until it has ended.
  public func join() { thread.join() }

  private func run() {
    var line = ForwardLine(
      store: store, asking: asking, api: api, clocks: clocks, chance: chance,
      isStopping: { [self] in isStopping.load(ordering: .acquiring) }, onEvent: onEvent)
    while !isStopping.load(ordering: .acquiring) {
      wakeup.clear()
      let next = line.go()
      failing.withLock { $0 = line.failing }
      guard !isStopping.load(ordering: .acquiring) else { return }
      _ = PollLoop.wait(
        [Interest(descriptor: wakeup.descriptor)], until: next, clocks: clocks)
    }
  }
}
