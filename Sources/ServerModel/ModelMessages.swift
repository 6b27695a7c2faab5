public import JSON

/// A request to the model, as it came over the line.
public struct ModelRequest: Hashable, Sendable {
  /// The method: `POST`.
  public var method: String
  /// The path with its query: `/rest/v1/vehicle_passages?select=id`.
  public var target: String
  /// The header fields by their names in small letters.
  public var headers: [String: String]
  /// The body.
  public var body: [UInt8]

  /// A request; the names of the header fields may be in any case.
  public init(
    _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.headers = Dictionary(
      headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    self.body = body
  }
}

/// What the model answers, and how that reaches whoever asked.
public struct ModelResponse: Hashable, Sendable {
  /// What becomes of an answer on its way.
  public enum Delivery: Hashable, Sendable {
    /// It arrives.
    case whole
    /// The connection is reset before a byte of it arrives.
    case reset
    /// Nothing comes, and the connection stays.
    case silence
    /// The connection ends after so many bytes of the body.
    case cut(after: Int)
    /// It arrives a byte at a time, that far apart.
    case slow(Duration)
  }

  /// A header field.
  public struct Header: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: String

    /// A header field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The status of HTTP.
  public var status: Int
  /// The header fields; the length is one of them only where the body is left out.
  public var headers: [Header]
  /// The body.
  public var body: [UInt8]
  /// What becomes of it on its way.
  public var delivery: Delivery

  /// An answer.
  public init(
    status: Int, headers: [Header] = [], body: [UInt8] = [], delivery: Delivery = .whole
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delivery = delivery
  }

  /// An answer whose body is JSON.
  init(_ status: Int, _ value: JSONValue, type: String = "application/json; charset=utf-8") {
    self.init(
      status: status, headers: [Header("Content-Type", type)],
      body: Array(JSONText.line(value).utf8))
  }

  /// The value of a header field, by its name in any case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The body as JSON; nil when it is none.
  public var json: JSONValue? { JSONText.decode(body) }
}
