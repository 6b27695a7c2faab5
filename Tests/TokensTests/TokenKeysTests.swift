import Accounts
import Crypto
import CryptoExtras
import JSON
import Testing
import Time
import Tokens

/// Tokens as others make them: signed here, by the letter of RFC 7515, without the library under test.
private enum Forge {
  static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var text = ""
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    for start in stride(from: 0, to: bits.count, by: 6) {
      var value = 0
      for offset in 0..<6 {
        value = value << 1 | (start + offset < bits.count ? Int(bits[start + offset]) : 0)
      }
      text.append(alphabet[value])
    }
    return text
  }

  static let claims =
    "{\"sub\":\"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\",\"aud\":\"authenticated\",\"role\":\"authenticated\","
    + "\"email\":\"sita@bnp.local\",\"session_id\":\"s\",\"iss\":\"central\",\"iat\":1790000000,\"exp\":1790001800}"

  static func token(
    header: String, claims: String = Forge.claims, sign: ([UInt8]) throws -> [UInt8]
  ) rethrows -> String {
    let text = "\(base64URL(Array(header.utf8))).\(base64URL(Array(claims.utf8)))"
    return "\(text).\(base64URL(try sign(Array(text.utf8))))"
  }

  static func hmac(_ secret: String) -> ([UInt8]) -> [UInt8] {
    {
      Array(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: Array(secret.utf8))))
    }
  }
}

@Suite("Access tokens")
struct TokenKeysTests {
  private static let secret = "correct horse battery staple correct horse"
  private static let curve = P256.Signing.PrivateKey()
  private static let rsa = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

  private let claims = TokenClaims(
    subject: AccountID(random: 1, 2), session: "5e55", email: "sita@bnp.local", issuer: "central",
    issuedAt: 1_790_000_000, expiresAt: 1_790_001_800)

  private func all() throws -> [TokenKey] {
    [
      try TokenKey(Self.secret), try TokenKey(Self.curve.pemRepresentation),
      try TokenKey(try Self.rsa.get().pemRepresentation),
    ]
  }

  @Test("say with each kind of key what was put into them")
  func roundTrip() async throws {
    for key in try all() {
      let keys = try #require(TokenKeys([key]))
      let token = try #require(await keys.token(claims))
      #expect(try await keys.claims(of: token) == claims)
      #expect(token.utf8.count < 1_000)
    }
  }

  @Test("are signed with the first key and taken from any, by name or without")
  func several() async throws {
    let keys = try all()
    for first in keys {
      let one = try #require(TokenKeys([first]))
      let token = try #require(await one.token(claims))
      let rest = keys.filter { $0.id != first.id }
      #expect(try await TokenKeys(rest + [first])?.claims(of: token) == claims)
      await #expect(throws: TokenFault.notOurs) { try await TokenKeys(rest)?.claims(of: token) }
    }
    let nameless = Forge.token(
      header: "{\"alg\":\"HS256\"}", sign: Forge.hmac(Self.secret))
    #expect(try await TokenKeys(keys)?.claims(of: nameless).email == "sita@bnp.local")
  }

  @Test("of others that are right are taken: HS256, ES256 and RS256 made without the library")
  func foreign() async throws {
    let keys = try #require(TokenKeys(try all()))
    let rsa = try Self.rsa.get()
    let tokens = [
      Forge.token(
        header: "{\"typ\":\"JWT\",\"alg\":\"HS256\"}", sign: Forge.hmac(Self.secret)),
      try Forge.token(header: "{\"alg\":\"ES256\"}") {
        Array(try Self.curve.signature(for: $0).rawRepresentation)
      },
      try Forge.token(header: "{\"alg\":\"RS256\"}") {
        Array(
          try rsa.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5)
            .rawRepresentation)
      },
    ]
    for token in tokens {
      #expect(try await keys.claims(of: token).expiresAt == 1_790_001_800)
    }
  }

  @Test("are refused that name no algorithm, another one, or one with the public key as its secret")
  func confusion() async throws {
    let keys = try #require(TokenKeys(try all()))
    let curvePEM = Self.curve.publicKey.pemRepresentation
    let rsa = try Self.rsa.get()
    var forged = [
      Forge.token(header: "{\"alg\":\"none\"}") { _ in [] },
      Forge.token(header: "{\"alg\":\"none\"}", sign: Forge.hmac(Self.secret)),
      Forge.token(header: "{\"alg\":\"None\"}", sign: Forge.hmac(Self.secret)),
      Forge.token(header: "{\"alg\":\"\"}", sign: Forge.hmac(Self.secret)),
      Forge.token(header: "{}", sign: Forge.hmac(Self.secret)),
      Forge.token(header: "{\"alg\":\"HS512\"}", sign: Forge.hmac(Self.secret)),
      Forge.token(header: "{\"alg\":\"hs256\"}", sign: Forge.hmac(Self.secret)),
      Forge.token(header: "{\"alg\":[\"HS256\"]}", sign: Forge.hmac(Self.secret)),
      Forge.token(
        header: "{\"alg\":\"HS256\",\"crit\":[\"exp\"]}", sign: Forge.hmac(Self.secret)),
      Forge.token(
        header: "{\"alg\":\"HS256\",\"b64\":false}", sign: Forge.hmac(Self.secret)),
      Forge.token(
        header: "{\"alg\":\"HS256\",\"kid\":\"other\"}", sign: Forge.hmac(Self.secret)),
      Forge.token(header: "{\"alg\":\"HS256\",\"kid\":null}", sign: Forge.hmac(Self.secret)),
      Forge.token(header: "{\"alg\":\"HS256\"}", sign: Forge.hmac(Self.secret + "x")),
      Forge.token(header: "{\"alg\":\"HS256\"}", sign: Forge.hmac("")),
      Forge.token(header: "{\"alg\":\"HS256\"}") { _ in [] },
      Forge.token(header: "{\"alg\":\"ES256\"}") { _ in [UInt8](repeating: 0, count: 64) },
      Forge.token(header: "{\"alg\":\"ES256\"}", sign: Forge.hmac(Self.secret)),
      Forge.token(header: "{\"alg\":\"RS256\"}", sign: Forge.hmac(Self.secret)),
    ]
    // The classic: what everybody may know, taken as what nobody may.
    for pem in [curvePEM, rsa.publicKey.pemRepresentation] {
      for key in try all() {
        forged.append(
          Forge.token(
            header: "{\"alg\":\"HS256\",\"kid\":\"\(key.id)\"}", sign: Forge.hmac(pem)))
      }
    }
    for token in forged {
      await #expect(throws: TokenFault.notOurs, "\(token.prefix(40))") {
        try await keys.claims(of: token)
      }
    }
  }

  @Test("are refused that are none, or say what no token of ours does, and cost no memory")
  func malformed() async throws {
    let keys = try #require(TokenKeys(try all()))
    let token = Forge.token(header: "{\"alg\":\"HS256\"}", sign: Forge.hmac(Self.secret))
    let parts = token.split(separator: ".").map(String.init)
    let none = "{\"sub\":\"x\"}"
    let wrong = [
      "", ".", "..", "...", "a.b.c", parts[0], "\(parts[0]).\(parts[1])",
      "\(parts[0]).\(parts[1]).", ".\(parts[1]).\(parts[2])", token + ".", token + "=",
      " " + token, "\(parts[0]).\(parts[1]).\(parts[2]).\(parts[2])", token + "A",
      String(token.dropLast()), String(repeating: "a", count: 5_000),
      token + String(repeating: "A", count: 1 << 20),
      Forge.token(header: "{\"alg\":\"HS256\"}", claims: none, sign: Forge.hmac(Self.secret)),
      Forge.token(header: "{\"alg\":\"HS256\"}", claims: "", sign: Forge.hmac(Self.secret)),
      Forge.token(
        header: String(repeating: "[", count: 1_000), sign: Forge.hmac(Self.secret)),
      Forge.token(
        header: "{\"alg\":\"HS256\"}", claims: Forge.claims.replacing("1790001800", with: "1e400"),
        sign: Forge.hmac(Self.secret)),
      Forge.token(
        header: "{\"alg\":\"HS256\"}",
        claims: Forge.claims.replacing("a0eebc99-", with: "a0eebc9'-"),
        sign: Forge.hmac(Self.secret)),
    ]
    for token in wrong {
      await #expect(throws: TokenFault.notOurs, "\(token.prefix(40))") {
        try await keys.claims(of: token)
      }
    }
    // Any bit of it counts.
    for position in token.indices where token[position] != "." {
      var changed = token
      let letter: Character = token[position] == "A" ? "B" : "A"
      changed.replaceSubrange(position...position, with: [letter])
      await #expect(throws: TokenFault.notOurs) { try await keys.claims(of: changed) }
    }
  }

  @Test("can be checked by anybody with the keys that are published, among which is no secret")
  func published() async throws {
    let keys = try #require(TokenKeys(try all()))
    let list = try #require(keys.publicKeys["keys"]?.list)
    #expect(list.map { $0["kty"]?.text } == ["EC", "RSA"])
    #expect(list.map { $0["alg"]?.text } == ["ES256", "RS256"])
    #expect(list.allSatisfy { $0["d"] == nil && $0["k"] == nil && $0["p"] == nil })
    let point = Self.curve.publicKey.x963Representation
    #expect(list[0]["x"]?.text == Forge.base64URL(point[1..<33]))
    #expect(list[0]["y"]?.text == Forge.base64URL(point[33...]))
    #expect(list[1]["e"]?.text == "AQAB")
    let names = try all()[1...].map(\.id)
    #expect(list.map { $0["kid"]?.text } == names)
  }

  @Test("are checked with a public key, which cannot sign")
  func publicOnly() async throws {
    for (privatePEM, publicPEM) in [
      (Self.curve.pemRepresentation, Self.curve.publicKey.pemRepresentation),
      (
        try Self.rsa.get().pemRepresentation, try Self.rsa.get().publicKey.pemRepresentation
      ),
    ] {
      let key = try TokenKey(publicPEM)
      #expect(!key.canSign)
      #expect(key.id == (try TokenKey(privatePEM)).id)
      #expect(TokenKeys([key]) == nil)
      let token = try #require(await TokenKeys([try TokenKey(privatePEM)])?.token(claims))
      let keys = try #require(TokenKeys([try TokenKey(Self.secret), key]))
      #expect(try await keys.claims(of: token) == claims)
    }
  }

  @Test("need keys that are long enough, open, and of a kind that is known")
  func badKeys() throws {
    #expect(throws: TokenKey.Fault.shortSecret) { try TokenKey("tiger") }
    #expect(throws: TokenKey.Fault.shortSecret) { try TokenKey("") }
    #expect(throws: TokenKey.Fault.unknownKind) {
      try TokenKey(P384.Signing.PrivateKey().pemRepresentation)
    }
    #expect(throws: TokenKey.Fault.unknownKind) {
      try TokenKey("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
    }
    let small = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1_024))
    #expect(throws: TokenKey.Fault.rsaSize) { try TokenKey(small.pemRepresentation) }
    #expect(TokenKeys([]) == nil)
    #expect(TokenKeys(try (0..<9).map { try TokenKey("\($0)" + Self.secret) }) == nil)
    let shown = "\(try TokenKey(Self.secret))"
    #expect(!shown.contains("horse"))
  }
}
