/// How often an address and a key may ask, in a minute; all of it may come at once. 0 bounds nothing.
public struct RequestLimits: Hashable, Sendable {
  /// Requests of an address with a wrong signature, before its next ones are refused unread.
  public var badSignatures = 10
  /// Passwords that an address shows.
  public var signIns = 30
  /// Requests of an address that read.
  public var reads = 3_000
  /// Requests of an address that write, those of a provider not among them.
  public var writes = 6_000
  /// Requests with one key or of one account that read.
  public var keyReads = 6_000
  /// Requests with one key or of one account that write.
  public var keyWrites = 12_000

  /// The limits; as configured by default.
  public init() {}
}

/// What the server makes of whoever calls.
public struct DoorRules: Hashable, Sendable {
  /// Which header the proxies tell the client's address in; which ones they are stands in
  /// ``AddressBounds/proxies``.
  public var forwarded = ForwardedHeader.xForwardedFor
  /// How often an address and a key may ask.
  public var limits = RequestLimits()
  /// The origins whose pages may read answers: `https://desk.example.org`; `*` for any, which then
  /// reads what needs no key.
  public var origins: [String] = []

  /// The rules; as configured by default.
  public init() {}
}
