import Time

/// The calls that wait for a connection, and the owners of connections that wait for a call. Who came first is
/// served first, and no more wait than there is room for.
struct PoolQueue<Call> {
  struct Waiting {
    var ticket: UInt64
    /// Until when it has to have begun.
    var deadline: BootInstant
    var call: Call
  }

  /// What became of a call that was added.
  enum Added: Hashable {
    /// It waits; that owner is to be woken, if one is named.
    case waits(wake: Int?)
    /// There is no room.
    case overloaded
    /// It is over.
    case ended
  }

  private(set) var waiting: [Waiting] = []
  /// Owners with a connection and nothing to do, in the order in which they became so.
  private(set) var free: [Int] = []
  private(set) var isEnded = false
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
  }

  mutating func add(_ call: Call, ticket: UInt64, deadline: BootInstant) -> Added {
    guard !isEnded else { return .ended }
    guard waiting.count < capacity else { return .overloaded }
    waiting.append(Waiting(ticket: ticket, deadline: deadline, call: call))
    return .waits(wake: free.isEmpty ? nil : free.removeFirst())
  }

  /// The next call for an owner; where there is none it counts as free, until it is woken.
  mutating func take(for owner: Int) -> Call? {
    free.removeAll { $0 == owner }
    guard !waiting.isEmpty else {
      free.append(owner)
      return nil
    }
    return waiting.removeFirst().call
  }

  /// An owner lost its connection.
  mutating func leave(_ owner: Int) {
    free.removeAll { $0 == owner }
  }

  /// Takes out a call that nobody wants any more; nil when it is not there, or not any more.
  mutating func withdraw(_ ticket: UInt64) -> Call? {
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return waiting.remove(at: index).call
  }

  /// Takes out the calls whose time is over.
  mutating func expire(at now: BootInstant) -> [Call] {
    let late = waiting.filter { $0.deadline <= now }
    guard !late.isEmpty else { return [] }
    waiting.removeAll { $0.deadline <= now }
    return late.map(\.call)
  }

  /// When the next call's time is over.
  var earliest: BootInstant? { waiting.map(\.deadline).min() }

  /// Takes no more; the calls that wait.
  mutating func end() -> [Call] {
    isEnded = true
    defer { waiting = [] }
    return waiting.map(\.call)
  }
}
