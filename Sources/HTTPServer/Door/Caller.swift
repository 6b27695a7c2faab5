/// Whoever sent a request, as far as that is known.
struct Caller: Hashable, Sendable {
  /// How the request came.
  enum Way: Hashable, Sendable {
    /// From a process of this machine: through the socket, or from a loopback address.
    case thisMachine
    /// From another machine, without a proxy of ours between.
    case network
    /// Through a proxy of ours, which says for whom.
    case proxy
    /// From a proxy of ours on another machine, which does not say for whom.
    case silentProxy
  }

  /// The address; nil for whoever came through the socket without a proxy's word.
  let address: IPAddress?
  /// How the request came.
  let way: Way
  /// Whether it came over TLS, to the proxy.
  let isOverTLS: Bool

  private init(_ address: IPAddress?, _ way: Way, isOverTLS: Bool) {
    self.address = address
    self.way = way
    self.isOverTLS = isOverTLS
  }

  /// Whoever calls from there, by the connection alone.
  ///
  /// - Parameter peer: The other end of the connection; nil when it is a socket of this machine.
  init(peer: IPAddress?) {
    self.init(peer, peer?.isLoopback ?? true ? .thisMachine : .network, isOverTLS: false)
  }

  /// Whoever calls, by the connection and by what our proxies tell.
  ///
  /// Each proxy adds whom it had the request from. Read from the end, all are believed that one of ours
  /// wrote: the first address that is none of ours is the client's, and what stands before it is what
  /// the client made up.
  ///
  /// - Parameters:
  ///   - peer: The other end of the connection; nil when it is a socket of this machine, on which only a
  ///     proxy of ours can be.
  ///   - hops: What the request's header says, the one nearest to the client first.
  ///   - isProxy: Whether an address is a proxy of ours.
  init(peer: IPAddress?, hops: [ForwardedHop], isProxy: (IPAddress) -> Bool) {
    guard peer.map(isProxy) ?? true else {
      self.init(peer: peer)
      return
    }
    guard !hops.isEmpty else {
      self.init(peer, peer?.isLoopback ?? true ? .thisMachine : .silentProxy, isOverTLS: false)
      return
    }
    var address = peer
    var isOverTLS = false
    for hop in hops.reversed().prefix(Limits.forwardedHops) {
      isOverTLS = hop.isOverTLS ?? false
      guard let next = hop.address else { break }
      address = next
      if !isProxy(next) { break }
    }
    self.init(address, .proxy, isOverTLS: isOverTLS)
  }

  /// Whether what it sends went over no wire on which others can read it, so that a password may be
  /// among it.
  var mayShowSecrets: Bool { isOverTLS || way == .thisMachine }

  /// Whether its address is its own, so that what it does counts against nobody else.
  var hasOwnAddress: Bool { way == .network || way == .proxy }

  /// Who it is, for the log.
  var name: String { address?.description ?? "this machine" }
}
