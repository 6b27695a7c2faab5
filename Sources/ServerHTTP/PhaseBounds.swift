import NodeCore

/// How long each phase may take that comes before a request can be sent.
///
/// The library has one time for all of them: a name server that is silent would use up what a slow
/// handshake needs.
struct PhaseBounds: Hashable, Sendable {
  var name: Duration
  var connection: Duration
  var encryption: Duration

  init(_ endpoint: ServerEndpoint) {
    name = endpoint.nameTimeout
    connection = endpoint.connectTimeout
    encryption = endpoint.tlsTimeout
  }

  /// How long a phase may take; nil where the exchange's own time is the only one.
  subscript(phase: ServerPhase) -> Duration? {
    switch phase {
    case .name: name
    case .connection: connection
    case .encryption: encryption
    case .answer: nil
    }
  }

  /// All of them together, for the library: what a phase of ours does not see ends by that.
  var sum: Duration { name + connection + encryption }
}

/// Which phase an exchange is in, and since when.
struct PhaseWatch<Moment: InstantProtocol> where Moment.Duration == Duration {
  private(set) var phase = ServerPhase.name
  private var since: Moment
  private let bounds: PhaseBounds

  init(_ bounds: PhaseBounds, at moment: Moment) {
    self.bounds = bounds
    since = moment
  }

  /// Takes in how far the exchange has come: each phase has its time from its own beginning.
  mutating func see(_ phase: ServerPhase, at moment: Moment) {
    guard phase != self.phase else { return }
    self.phase = phase
    since = moment
  }

  /// When the phase has to be over; nil where it has no time of its own.
  var deadline: Moment? { bounds[phase].map { since.advanced(by: $0) } }

  /// Whether it takes too long.
  func isOver(at moment: Moment) -> Bool { deadline.map { $0 <= moment } ?? false }
}
