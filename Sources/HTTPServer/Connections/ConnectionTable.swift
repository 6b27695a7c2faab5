import CentralCore
import Events
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization
import Time

/// The connections that are open, by address, and which of them gives way when there are no more.
///
/// Whoever holds many connections open and sends little on them must not keep others out: a connection
/// that has waited for its request longer than a genuine one does is closed for a new one. One whose
/// request is being answered never is.
final class ConnectionTable: Sendable {
  private struct Entry {
    let channel: any Channel
    /// Whose it is; nil for a proxy's.
    let address: IPAddress?
    /// Since when its request is awaited; nil while one is answered.
    var waitsSince: NIODeadline?
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var next = 0
    var isFull = false
    /// When connections ran out last, of all and of one address.
    var fullAt: BootInstant?
    var refusedAt: BootInstant?
  }

  private let state = Mutex(State())
  private let bounds: ConnectionBounds
  private let proxies: [AddressRange]
  private let clocks: any Clocks
  private let refusals: RefusalLog

  init(bounds: ConnectionBounds, clocks: any Clocks, refusals: RefusalLog) {
    self.bounds = bounds
    proxies = bounds.addresses.proxies.compactMap { AddressRange($0) }
    self.clocks = clocks
    self.refusals = refusals
  }

  /// Takes a connection in; nil when its address has too many.
  func admit(_ channel: any Channel) -> Int? {
    // On a socket of this machine there are proxies alone.
    let peer = channel.remoteAddress.flatMap { IPAddress($0) }
    let address = peer.flatMap { peer in
      proxies.contains { $0.contains(peer) } ? nil : peer.counted
    }
    let now = clocks.boot()
    let id = state.withLock { state -> Int? in
      if let address {
        let count = state.entries.values.count { $0.address == address }
        guard count < bounds.addresses.connectionsPerAddress else {
          state.refusedAt = now
          return nil
        }
      }
      state.next += 1
      state.entries[state.next] = Entry(channel: channel, address: address, waitsSince: .now())
      return state.next
    }
    guard let id else {
      refusals.record(
        "http_address_full", .warning,
        "closed a connection of \(peer?.description ?? "a proxy"), which has"
          + " \(bounds.addresses.connectionsPerAddress) already; a proxy belongs into"
          + " central.http.proxies")
      return nil
    }
    channel.closeFuture.whenComplete { [weak self] _ in self?.remove(id) }
    return id
  }

  /// Notes that a connection awaits a request from now on, or that one is answered.
  func mark(_ id: Int, isWaiting: Bool) {
    state.withLock { $0.entries[id]?.waitsSince = isWaiting ? .now() : nil }
  }

  /// How many there may be, and when they ran out.
  var facts: CentralFacts.Connections {
    let now = clocks.boot()
    let (fullAt, refusedAt) = state.withLock { ($0.fullAt, $0.refusedAt) }
    var facts = CentralFacts.Connections(
      most: bounds.connections, mostPerAddress: bounds.addresses.connectionsPerAddress)
    facts.fullAgo = fullAt.map { now - $0 }
    facts.refusedAgo = refusedAt.map { now - $0 }
    return facts
  }

  private func remove(_ id: Int) {
    state.withLock { state in _ = state.entries.removeValue(forKey: id) }
  }

  /// Notes that there is room for a connection more.
  fileprivate func hasRoom() {
    state.withLock { $0.isFull = false }
  }

  /// Makes room: now, or once a connection has waited for long enough.
  fileprivate func makeRoom() {
    let now = clocks.boot()
    let isAskedAgain = state.withLock { state in
      state.fullAt = now
      defer { state.isFull = true }
      return state.isFull
    }
    refusals.record(
      "http_connections_full", .warning,
      "all \(bounds.connections) connections are in use; the one that waits the longest for its request"
        + " gives way to a new one")
    // One search for room goes on at a time.
    if !isAskedAgain { look() }
  }

  private func look() {
    let givesWay = NIODeadline.now() - bounds.givesWayAfter
    let (victims, loop) = state.withLock { state -> ([any Channel], (any EventLoop)?) in
      guard state.isFull else { return ([], nil) }
      let loop = state.entries.values.first?.channel.eventLoop
      let waiting = state.entries.compactMap { id, entry in
        entry.waitsSince.flatMap { $0 <= givesWay ? (id: id, since: $0) : nil }
      }
      let needed = max(1, state.entries.count - bounds.connections + 1)
      let oldest = waiting.sorted { $0.since < $1.since }.prefix(needed)
      // What is asked to go is not asked again, unless it stays after all.
      for victim in oldest { state.entries[victim.id]?.waitsSince = nil }
      return (oldest.compactMap { state.entries[$0.id]?.channel }, loop)
    }
    for victim in victims { victim.triggerUserOutboundEvent(GivesWay(), promise: nil) }
    // Whether that was enough shows when they have closed; until there is room, it is looked for.
    loop?.scheduleTask(in: .milliseconds(Limits.roomLookMilliseconds)) { [weak self] in
      self?.look()
    }
  }
}

/// Lets the server take connections while there is room.
struct Admission: AvailableConnectionsDelegate {
  let table: ConnectionTable
  let most: Int
  private var open = 0

  init(table: ConnectionTable, most: Int) {
    self.table = table
    self.most = most
  }

  mutating func connectionOpened() {
    open += 1
  }

  mutating func connectionClosed() {
    open -= 1
  }

  func isAcceptingNewConnections() -> Bool {
    guard open >= most else {
      table.hasRoom()
      return true
    }
    table.makeRoom()
    return false
  }
}
