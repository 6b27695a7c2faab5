import EventLoop
import Glibc
import ModemModel
import Time

/// The place of a process on a network that several processes share.
///
/// Whoever binds the socket first is the network, and the others are its guests. When it goes, each of
/// them looks again: one binds it anew, and the others find that one.
struct NetworkExchange: Sendable {
  /// A change of the place, or of what is heard there.
  enum Change {
    /// The network is this process, a guest's process, or nowhere.
    case moved(NetworkPlace)
    /// The network elsewhere said this, or with a number that guest did.
    case signal(NetworkSignal, from: Int?)
    /// A guest has gone.
    case left(guest: Int)
    /// It cannot be on the network at present, and why.
    case failed(NetworkError)
  }

  private enum Role {
    case looking
    /// A network was found, and has not said yet whether it takes these modems.
    case joining(SignalLink, since: BootInstant)
    case guest(SignalLink)
    case network(Descriptor)
  }

  let path: String
  private let numbers: [String]
  private var role = Role.looking
  private var looksAt: BootInstant
  private var guests: [Int: SignalLink] = [:]
  private var lastGuest = 0
  private var lastFailure: NetworkError?

  init(path: String, numbers: [String], at now: BootInstant) {
    self.path = path
    self.numbers = numbers
    looksAt = now
  }

  /// Looks for the network until this process has its place: for the start, when there is nothing
  /// else to do.
  ///
  /// - Throws: What stands in the way; ``NetworkError/noAnswer(path:)`` after a while.
  mutating func settle(_ clocks: some Clocks) throws(NetworkError) -> NetworkPlace {
    let end = clocks.boot() + Limits.networkAnswer
    while clocks.boot() < end {
      for change in turn(at: clocks.boot()) {
        switch change {
        case .moved(let place) where place != .nowhere: return place
        case .failed(let error):
          close()
          throw error
        default: break
        }
      }
      let deadline = min(deadline ?? end, end)
      _ = PollLoop.wait(interests, until: deadline, clocks: clocks)
    }
    close()
    throw .noAnswer(path: path)
  }

  /// What a poll loop has to wait on.
  var interests: [Interest] {
    switch role {
    case .looking: []
    case .joining(let link, _), .guest(let link): [link.interest]
    case .network(let listener):
      [Interest(descriptor: listener.value)]
        + guests.keys.sorted().compactMap { guests[$0]?.interest }
    }
  }

  /// When there is something to do if nothing comes.
  var deadline: BootInstant? {
    switch role {
    case .looking: looksAt
    case .joining(_, let since): since + Limits.networkAnswer
    case .guest, .network: nil
    }
  }

  /// Sends a signal: to a guest, or to the network.
  mutating func send(_ signal: NetworkSignal, to guest: Int?) {
    if let guest {
      guests[guest]?.send(signal)
    } else if case .guest(var link) = role {
      link.send(signal)
      role = .guest(link)
    }
  }

  /// Gives the place up.
  mutating func close() {
    switch role {
    case .looking: break
    case .joining(let link, _), .guest(let link): link.descriptor.close()
    case .network(let listener):
      // Before it stops listening, or another process might have the path by then.
      unlink(path)
      listener.close()
      for link in guests.values { link.descriptor.close() }
    }
    guests = [:]
    role = .looking
  }

  /// Takes what came, and looks for the network when it is time to.
  mutating func turn(at now: BootInstant) -> [Change] {
    switch role {
    case .looking: return looksAt <= now ? look(now) : []
    case .joining(var link, let since):
      let arrivals = link.arrivals()
      role = .joining(link, since: since)
      return welcome(arrivals, link, since, now)
    case .guest(var link):
      let arrivals = link.arrivals()
      role = .guest(link)
      return heard(arrivals, now)
    case .network(let listener):
      admit(listener)
      return guests.keys.sorted().flatMap { hear(guest: $0) }
    }
  }

  // MARK: Looking

  private mutating func look(_ now: BootInstant) -> [Change] {
    looksAt = now + Limits.networkSearch
    do throws(UnixSocket.Failure) {
      guard UnixSocket.isSocket(path) != false else { throw .notASocket }
      if let listener = try UnixSocket.listen(path, backlog: Limits.connections) {
        role = .network(listener)
        return [.moved(.here)]
      }
      var link = SignalLink(try UnixSocket.connect(path))
      link.send(.join(numbers: numbers))
      role = .joining(link, since: now)
      return []
    } catch .system(_, ECONNREFUSED) {
      return removeStaleSocket(now)
    } catch .system(_, EAGAIN), .system("connect", ENOENT) {
      // It is busy, or has just gone.
      return []
    } catch {
      return failed(NetworkError(error, at: path))
    }
  }

  /// Frees the path that a dead process left, and looks again at once.
  private mutating func removeStaleSocket(_ now: BootInstant) -> [Change] {
    do throws(UnixSocket.Failure) {
      if try UnixSocket.removeStale(path) { looksAt = now }
      return []
    } catch {
      return failed(NetworkError(error, at: path))
    }
  }

  /// Tells a failure once, and not at each look.
  private mutating func failed(_ error: NetworkError) -> [Change] {
    defer { lastFailure = error }
    return error == lastFailure ? [] : [.failed(error)]
  }

  private mutating func welcome(
    _ arrivals: [SignalLink.Arrival], _ link: SignalLink, _ since: BootInstant, _ now: BootInstant
  ) -> [Change] {
    for (place, arrival) in arrivals.enumerated() {
      switch arrival {
      case .signal(.welcome):
        role = .guest(link)
        lastFailure = nil
        return [.moved(.elsewhere)] + heard(Array(arrivals[(place + 1)...]), now)
      case .signal(.numberTaken(let number)):
        return lookAgain(link, now) + failed(.numberTaken(path: path, number: number))
      // It ended before it answered: there will be another.
      case .gone: return lookAgain(link, now)
      case .garbage, .signal: return lookAgain(link, now) + failed(.noAnswer(path: path))
      }
    }
    if since + Limits.networkAnswer <= now {
      return lookAgain(link, now) + failed(.noAnswer(path: path))
    }
    return []
  }

  private mutating func lookAgain(_ link: SignalLink, _ now: BootInstant) -> [Change] {
    link.descriptor.close()
    role = .looking
    looksAt = now + Limits.networkSearch
    return []
  }

  // MARK: As a guest

  private mutating func heard(_ arrivals: [SignalLink.Arrival], _ now: BootInstant) -> [Change] {
    var changes: [Change] = []
    for arrival in arrivals {
      switch arrival {
      case .signal(let signal): changes.append(.signal(signal, from: nil))
      case .gone, .garbage:
        if case .guest(let link) = role { _ = lookAgain(link, now) }
        changes.append(.moved(.nowhere))
      }
    }
    return changes
  }

  // MARK: As the network

  private mutating func admit(_ listener: Descriptor) {
    for _ in 0..<Limits.readsInARow {
      guard let descriptor = UnixSocket.accept(listener) else { return }
      guard guests.count < Int(Limits.connections) else {
        descriptor.close()
        continue
      }
      lastGuest += 1
      guests[lastGuest] = SignalLink(descriptor)
    }
  }

  private mutating func hear(guest: Int) -> [Change] {
    guard var link = guests[guest] else { return [] }
    var changes: [Change] = []
    for arrival in link.arrivals() {
      switch arrival {
      case .signal(let signal): changes.append(.signal(signal, from: guest))
      case .gone, .garbage:
        link.descriptor.close()
        guests[guest] = nil
        return changes + [.left(guest: guest)]
      }
    }
    guests[guest] = link
    return changes
  }
}
