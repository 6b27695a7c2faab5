/// Why the server did not do what was asked, as far as it takes to decide what comes next.
public struct ServerFailure: Error, Hashable, Sendable {
  /// What can be done about it.
  public var kind: Kind
  /// The status of HTTP; nil when nothing answered.
  public var status: Int?
  /// The code in the body: `23505`, `PGRST301`, `refresh_token_not_found`.
  public var code: String?
  /// What happened, for people: no plate, no number and no token stands in it.
  public var words: String
  /// When the server wants to be asked again (`Retry-After`), 1 s to 1 h.
  public var retryAfter: Duration?

  /// A failure.
  public init(
    _ kind: Kind, status: Int? = nil, code: String? = nil, words: String,
    retryAfter: Duration? = nil
  ) {
    self.kind = kind
    self.status = status
    self.code = code
    self.words = words
    self.retryAfter = retryAfter
  }

  /// What can be done about a failure.
  public enum Kind: Hashable, Sendable {
    /// Nothing of our server answered.
    case outage(Outage)
    /// Our server is there and does not take the credential: it has to be renewed.
    case credential
    /// Our server is there and cannot do it now.
    case trouble(Trouble)
    /// The server has this identity already.
    case duplicate
    /// What the passage refers to (post, segment or ranger) is not there; it may come later.
    case reference
    /// Those rights do not allow it.
    case denied
    /// The server will never take this as it is.
    case rejected
    /// What is asked for is not there.
    case absent
  }

  /// Why nothing of our server answered.
  public enum Outage: String, CaseIterable, Hashable, Sendable {
    /// No interface has a link.
    case noLink = "no_link"
    /// There is a link and no way to the server.
    case noRoute = "no_route"
    /// The server's name has no address.
    case noName = "no_name"
    /// What answers does not prove to be the server.
    case untrusted
    /// A page of the network answers in the server's place.
    case captivePortal = "captive_portal"
    /// The machine is there and the service is not: the connection was refused.
    case refused
    /// Nothing answered in time, or the answer was cut off.
    case noAnswer = "no_answer"
    /// This machine cannot ask.
    case cannotAsk = "cannot_ask"
  }

  /// What keeps a server that is there from doing its work.
  public enum Trouble: String, CaseIterable, Hashable, Sendable {
    /// 5xx of the server's own: its database, a lock, a time-out.
    case failing
    /// 429: it is asked too often.
    case busy
    /// 405 with 25006: it takes nothing for now.
    case readOnly = "read_only"
    /// 402: its owner has to pay, or a quota is used up.
    case restricted
    /// PGRST204, PGRST205 and their like: what it knows of its tables is old.
    case staleSchema = "stale_schema"
  }

  /// Whether an answer of our own server stands behind it.
  public var isOfServer: Bool {
    if case .outage = kind { false } else { true }
  }
}
