public import Time

/// Why there is no connectivity.
public enum OfflineReason: Hashable, Sendable {
  /// No server is configured.
  case noServer
  /// Nothing of our server answers; `words` say what happened.
  case outage(ServerFailure.Outage, words: String)

  /// The reason for people.
  public var words: String {
    switch self {
    case .noServer: "no server is configured"
    case .outage(_, let words): words
    }
  }

  /// The reason's name in snake_case, which never changes.
  public var name: String {
    switch self {
    case .noServer: "no_server"
    case .outage(let outage, _): outage.rawValue
    }
  }
}

/// Why a server that is there takes nothing.
public enum Impairment: Hashable, Sendable {
  /// It does not take what is shown, which has to be renewed.
  case credential
  /// It says itself that it cannot now.
  case trouble(ServerFailure.Trouble)
  /// It answers small questions, and passages get no answer, time after time.
  case unanswered
  /// It looks at passages and refuses each.
  case takesNothing
  /// It does not know this node at this post, so its rules refuse every passage.
  case place(DirectoryFault)

  /// The reason for people.
  public var words: String {
    switch self {
    case .credential: "it does not take this node's credential"
    case .trouble(.failing): "it reports a failure of its own"
    case .trouble(.busy): "it is asked too often"
    case .trouble(.readOnly): "its database is read-only"
    case .trouble(.restricted): "it is restricted until its owner has paid"
    case .trouble(.staleSchema): "what it knows of its tables is old"
    case .unanswered: "it answers small questions only"
    case .takesNothing: "it refuses every passage"
    case .place(let fault): fault.words
    }
  }

  /// The reason's name in snake_case, which never changes.
  public var name: String {
    switch self {
    case .credential: "credential"
    case .trouble(let trouble): trouble.rawValue
    case .unanswered: "unanswered"
    case .takesNothing: "takes_nothing"
    case .place: "place"
    }
  }

  /// The one of that name that a passage can meet; nil where there is none.
  public init?(ofPassages name: String) {
    let trouble = ServerFailure.Trouble(rawValue: name).map { Impairment.trouble($0) }
    let known = [Impairment.credential, .unanswered, .takesNothing] + [trouble].compactMap { $0 }
    guard let found = known.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

/// Whether passages can go to the server.
public enum ConnectivityState: Hashable, Sendable {
  /// Nothing is known yet: the link has not been read, or a question is still out. No text leaves in this
  /// state, because it may turn out to be online.
  case unknown
  /// The link is up, and the server answered within the last minute with no failure since.
  case online
  /// The server is there, and takes nothing.
  case impaired(Impairment)
  /// There is no connectivity.
  case offline(OfflineReason)

  /// Whether the state is ``offline(_:)``.
  public var isOffline: Bool {
    if case .offline = self { true } else { false }
  }

  /// Whether it is the same state for the same reason, whatever the words.
  public func isSame(as other: ConnectivityState) -> Bool {
    switch (self, other) {
    case (.offline(let one), .offline(let other)): one.name == other.name
    default: self == other
    }
  }
}

/// Whether connectivity lets passages leave as texts.
public enum TextGate: Hashable, Sendable {
  /// They may leave.
  case open
  /// They may from that moment on, if connectivity stays as it is.
  case opens(at: BootInstant)
  /// They may not, as long as connectivity stays as it is.
  case closed
}
