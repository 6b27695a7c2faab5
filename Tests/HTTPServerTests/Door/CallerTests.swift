import SeededRandom
import Testing

@testable import HTTPServer

/// Who calls, by the connection and by what proxies tell, of which the client may have made up a part.
@Suite struct CallerTests {
  static let proxies = ["127.0.0.1", "::1", "10.0.0.0/8"].compactMap { AddressRange($0) }

  func caller(
    _ peer: String?, _ header: ForwardedHeader = .xForwardedFor, _ fields: [(String, String)] = []
  ) throws -> Caller {
    let peer = try peer.map { try #require(IPAddress($0)) }
    let hops = header.hops { name in fields.filter { $0.0 == name }.map(\.1) }
    return Caller(peer: peer, hops: hops) { address in
      CallerTests.proxies.contains { $0.contains(address) }
    }
  }

  func client(_ peer: String?, _ values: String...) throws -> String {
    try caller(peer, .xForwardedFor, values.map { ("x-forwarded-for", $0) }).name
  }

  @Test func whoIsNoProxyOfOursIsNotBelieved() throws {
    let caller = try caller(
      "203.0.113.9", .xForwardedFor,
      [("x-forwarded-for", "198.51.100.1"), ("x-forwarded-proto", "https")])
    #expect(caller.name == "203.0.113.9")
    #expect(caller.way == .network)
    #expect(!caller.isOverTLS)
    #expect(!caller.mayShowSecrets)
  }

  @Test func aProxyOfOursIsBelieved() throws {
    let caller = try caller(
      "127.0.0.1", .xForwardedFor,
      [("x-forwarded-for", "198.51.100.1"), ("x-forwarded-proto", "https")])
    #expect(caller.name == "198.51.100.1")
    #expect(caller.way == .proxy)
    #expect(caller.isOverTLS)
    #expect(caller.mayShowSecrets)
    #expect(caller.hasOwnAddress)
  }

  /// What the client sent stands before what our proxies added.
  @Test func whatTheClientMadeUpIsNotBelieved() throws {
    #expect(try client("127.0.0.1", "1.1.1.1, 198.51.100.1") == "198.51.100.1")
    #expect(try client("127.0.0.1", "1.1.1.1", "198.51.100.1") == "198.51.100.1")
    #expect(try client("127.0.0.1", "127.0.0.1, 198.51.100.1") == "198.51.100.1")
    #expect(try client("127.0.0.1", "198.51.100.1, 10.1.1.1, 10.2.2.2") == "198.51.100.1")
    #expect(try client("127.0.0.1", "1.1.1.1, 198.51.100.1, 10.1.1.1") == "198.51.100.1")
    #expect(try client("127.0.0.1", "\", 198.51.100.1") == "198.51.100.1")
    #expect(try client(nil, "1.1.1.1,198.51.100.1") == "198.51.100.1")
  }

  @Test func anAddressMayHaveAPort() throws {
    #expect(try client("127.0.0.1", "198.51.100.1:4711") == "198.51.100.1")
    #expect(try client("127.0.0.1", "[2001:db8::1]:4711") == "2001:db8::1")
    #expect(try client("127.0.0.1", "[2001:db8::1]") == "2001:db8::1")
    #expect(try client("127.0.0.1", "2001:db8::1") == "2001:db8::1")
    #expect(try client("127.0.0.1", "\t198.51.100.1 ") == "198.51.100.1")
  }

  /// Where the word of a proxy cannot be read, the request is the nearest one's whose word could.
  @Test(arguments: [
    "unknown", "_secret", "", ",", "198.51.100.1:", "198.51.100.1:x", "198.51.100.1:123456",
    "[198.51.100.1]", "[2001:db8::1", "[2001:db8::1]x", "198.51.100.1, nonsense", "::1::",
    String(repeating: "9", count: 8_000),
  ])
  func whatCannotBeReadIsNobodysAddress(_ value: String) throws {
    let caller = try caller(
      "10.1.1.1", .xForwardedFor, [("x-forwarded-for", value), ("x-forwarded-proto", "https")])
    #expect(caller.name == "10.1.1.1")
    #expect(caller.way == .proxy)
    #expect(caller.hasOwnAddress, "it is counted, as nobody knows whose it is")
  }

  @Test func onlyTheHeaderThatIsConfiguredIsLookedAt() throws {
    let fields = [
      ("x-forwarded-for", "198.51.100.1"), ("forwarded", "for=198.51.100.2;proto=https"),
    ]
    #expect(try caller("127.0.0.1", .xForwardedFor, fields).name == "198.51.100.1")
    #expect(try !caller("127.0.0.1", .xForwardedFor, fields).isOverTLS)
    #expect(try caller("127.0.0.1", .forwarded, fields).name == "198.51.100.2")
    #expect(try caller("127.0.0.1", .forwarded, fields).isOverTLS)
  }

  @Test(arguments: [
    ("for=198.51.100.1", "198.51.100.1", false),
    ("For=\"[2001:db8::1]:4711\";Proto=HTTPS;by=_us", "2001:db8::1", true),
    ("proto=https ; for=\"198.51.100.1:80\"", "198.51.100.1", true),
    ("for=1.1.1.1;proto=https, for=198.51.100.1;proto=http", "198.51.100.1", false),
    ("for=\"a,b;c\", for=198.51.100.1;proto=https", "198.51.100.1", true),
    ("for=\"1.1.\\1.1\"", "1.1.1.1", false),
    ("for=198.51.100.1;proto=https, for=10.1.1.1;proto=http", "198.51.100.1", true),
    ("for=unknown;proto=https", "127.0.0.1", true),
    ("for=\"198.51.100.1", "127.0.0.1", false),
    ("", "127.0.0.1", false), (";;,,==", "127.0.0.1", false), ("for", "127.0.0.1", false),
  ])
  func theStandardHeaderIsRead(_ value: String, _ name: String, _ isOverTLS: Bool) throws {
    let caller = try caller("127.0.0.1", .forwarded, [("forwarded", value)])
    #expect(caller.name == name)
    #expect(caller.isOverTLS == isOverTLS)
    #expect(caller.way == .proxy)
  }

  @Test(arguments: [
    ("https", true), ("HTTPS", true), ("http", false), ("http, https", true),
    ("https, http", false),
    ("httpsx", false), ("", false), ("https,", false),
  ])
  func theNearestProxySaysWhetherItWasOverTLS(_ value: String, _ isOverTLS: Bool) throws {
    let caller = try caller(
      nil, .xForwardedFor, [("x-forwarded-for", "198.51.100.1"), ("x-forwarded-proto", value)])
    #expect(caller.isOverTLS == isOverTLS)
    #expect(caller.mayShowSecrets == isOverTLS)
  }

  @Test func whoComesFromThisMachineItselfMayShowSecrets() throws {
    for peer in [nil, "127.0.0.1", "::1"] {
      let caller = try caller(peer)
      #expect(caller.way == .thisMachine)
      #expect(caller.mayShowSecrets)
      #expect(!caller.hasOwnAddress)
    }
    let other = try caller("10.1.1.1")
    #expect(other.way == .silentProxy)
    #expect(!other.mayShowSecrets)
    #expect(!other.hasOwnAddress)
    // A proxy that says only how the request came, and not for whom.
    let plain = try caller("127.0.0.1", .xForwardedFor, [("x-forwarded-proto", "http")])
    #expect(plain.way == .proxy)
    #expect(!plain.mayShowSecrets)
  }

  /// Whatever a header says, the client is nobody but one whom a proxy of ours named.
  @Test func noHeaderMakesAnotherClientThanTheLastOneThatIsNoProxy() throws {
    var random = SplitMix64(seed: 20_261_123)
    let pieces = [
      "1.1.1.1", "for=", "\"", "\\", ",", ";", "=", " ", "[", "]", ":", "proto=https", "10.1.1.1",
      "unknown", "2001:db8::1", "\u{0}", "é",
    ]
    for _ in 0..<2_000 {
      let made = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      #expect(
        try client("127.0.0.1", made, "198.51.100.7") == "198.51.100.7", "\(made)")
      // A value of its own, as a proxy writes that throws away what the client sent.
      let alone = try caller("127.0.0.1", .forwarded, [("forwarded", made)])
      #expect(alone.address != nil)
    }
  }
}
