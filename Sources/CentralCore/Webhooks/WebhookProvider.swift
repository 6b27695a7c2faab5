public import Time

/// A provider that receives texts for us and hands each in by a request of its own form.
///
/// It knows the form and nothing of the server: what proves that a request is the provider's, how the
/// text stands in it, and what the provider does with an answer. Whoever can reach the server can send it
/// anything, so every function is total, and what is not proven is a refusal.
public protocol WebhookProvider: Sendable {
  /// The name under which its texts are kept.
  var provider: Provider { get }

  /// The path that the provider calls: `/functions/v1/sms-webhook`.
  var path: String { get }

  /// How it calls.
  var methods: Set<WebhookMethod> { get }

  /// Looks at a request whose body has not been read.
  ///
  /// - Throws: Why the body need not be read.
  func check(_ head: WebhookHead) throws(WebhookRefusal)

  /// Reads a request, and proves that it is the provider's. The same text handed in again has the same
  /// ``InboundMessage/providerID``.
  ///
  /// - Parameter wall: When it came in.
  /// - Throws: Why it is not taken.
  func message(of request: WebhookRequest, at wall: WallTime) throws(WebhookRefusal)
    -> InboundMessage

  /// What is answered. Some providers send what an answer says back to the sender, as a text to be paid
  /// for.
  func answer(to outcome: WebhookOutcome) -> WebhookAnswer
}

/// How a provider calls.
public enum WebhookMethod: String, CaseIterable, Hashable, Sendable {
  /// With everything in the URL.
  case get = "GET"
  /// With a body.
  case post = "POST"
}

/// What is known of a request before its body is read.
public struct WebhookHead: Hashable, Sendable {
  /// How it calls.
  public var method: WebhookMethod
  /// What stands behind the question mark of the URL, as it came; empty when nothing does.
  public var query: String
  private var headers: [String: String]

  /// The head of a request.
  ///
  /// - Parameter headers: In the order in which they came, however their names are written.
  public init(
    method: WebhookMethod, query: String = "", headers: some Sequence<(name: String, value: String)>
  ) {
    self.method = method
    self.query = query
    self.headers = Dictionary(
      headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
  }

  /// What a header says, by its name in small letters; the values of several of one name are joined by
  /// commas.
  public subscript(_ name: String) -> String? {
    headers[name]
  }

  /// What the body is, without parameters and in small letters; empty when nothing is said.
  public var contentType: String {
    (self["content-type"] ?? "").prefix { $0 != ";" }.lowercased()
  }
}

/// A request as it came, whoever sent it.
public struct WebhookRequest: Hashable, Sendable {
  /// What came before the body.
  public var head: WebhookHead
  /// The body, byte for byte.
  public var body: [UInt8]

  /// A request.
  public init(head: WebhookHead, body: [UInt8]) {
    self.head = head
    self.body = body
  }
}

/// Why a request is not taken.
public struct WebhookRefusal: Error, Hashable, Sendable {
  /// What kind of reason it is, by the name of the log's event.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Nothing is configured for this provider.
    case off = "webhook_off"
    /// It calls in another way than ``WebhookProvider/methods``.
    case method = "webhook_method"
    /// The body is of another kind than the provider's.
    case contentType = "webhook_type"
    /// The body is larger than any text.
    case body = "webhook_body"
    /// The body cannot be read as what it says it is.
    case form = "webhook_form"
    /// It is not proven that the provider sent it.
    case signature = "webhook_signature"
    /// Something is missing in it, or it is not meant for us.
    case parameters = "webhook_parameters"
    /// It is the provider's and whole, and could not be kept.
    case storage = "webhook_storage"
    /// It is the provider's and whole, and no passage, and too many of those wait already.
    case crowded = "webhook_crowded"
  }

  /// What kind of reason it is.
  public var kind: Kind
  /// What is wrong, for the log: no number, no plate and no text of whoever sent it.
  public var words: String

  /// A refusal.
  public init(_ kind: Kind, _ words: String) {
    self.kind = kind
    self.words = words
  }
}

/// What became of a request.
public enum WebhookOutcome: Hashable, Sendable {
  /// Its text is on disk.
  case kept
  /// It was refused.
  case refused(WebhookRefusal.Kind)
  /// It did not come to its end.
  case tooSlow

  /// The status of HTTP that says so.
  public var status: Int {
    switch self {
    case .kept: 200
    case .refused(.off): 404
    case .refused(.method): 405
    case .refused(.contentType): 415
    case .refused(.body): 413
    case .refused(.form): 400
    case .refused(.signature), .refused(.parameters): 403
    case .refused(.storage): 503
    case .refused(.crowded): 429
    case .tooSlow: 408
    }
  }
}

/// What is answered to a provider.
public struct WebhookAnswer: Hashable, Sendable {
  /// The status of HTTP.
  public var status: Int
  /// What the body is.
  public var contentType: String
  /// The body.
  public var body: String

  /// An answer.
  public init(status: Int, contentType: String, body: String) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }
}
