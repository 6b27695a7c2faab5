import Accounts
import EventLoop
import Testing

@testable import Tokens

@Suite("What is kept of a password")
struct PasswordTests {
  private let least = PasswordHash.Cost.least

  @Test("is known again, and differs each time")
  func known() throws {
    let one = try #require(PasswordHash(of: "tiger-12", cost: least))
    let other = try #require(PasswordHash(of: "tiger-12", cost: least))
    #expect(one.description != other.description)
    #expect(one.matches("tiger-12") == true)
    #expect(one.matches("tiger-13") == false)
    #expect(one.matches("") == false)
    #expect(PasswordHash(one.description) == one)
    #expect(one.description.hasPrefix("$scrypt$ln=10,r=8,p=1$"))
    #expect(!one.description.contains("tiger"))
  }

  @Test("is scrypt's, as others reckon it")
  func foreign() throws {
    // hashlib.scrypt(b"tiger-12", salt=bytes(range(16)), n=1024, r=8, p=1, dklen=32)
    let kept =
      "$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$u4B0r4Vkqi5LKvBKT1FDG53ia6McgLhdw9krVXsgz84"
    let hash = try #require(PasswordHash(kept))
    #expect(hash.matches("tiger-12") == true)
    #expect(hash.matches("tiger-1") == false)
    #expect(hash.description == kept)
  }

  @Test("is not read where it is another kind, or would cost more than is ever asked for")
  func unreadable() {
    let salt = "AAECAwQFBgcICQoLDA0ODw"
    let hash = String(repeating: "A", count: 43)
    #expect(PasswordHash("$scrypt$ln=15,r=8,p=1$\(salt)$\(hash)") != nil)
    for text in [
      "", "$", "$$$$", "$argon2id$ln=15,r=8,p=1$\(salt)$\(hash)",
      "$scrypt$ln=21,r=8,p=1$\(salt)$\(hash)", "$scrypt$ln=9,r=8,p=1$\(salt)$\(hash)",
      "$scrypt$ln=20,r=32,p=1$\(salt)$\(hash)", "$scrypt$ln=15,r=8,p=17$\(salt)$\(hash)",
      "$scrypt$ln=-1,r=8,p=1$\(salt)$\(hash)", "$scrypt$ln=15,r=8$\(salt)$\(hash)",
      "$scrypt$r=8,ln=15,p=1$\(salt)$\(hash)", "$scrypt$ln=15,r=8,p=1$\(salt)$",
      "$scrypt$ln=15,r=8,p=1$$\(hash)", "$scrypt$ln=15,r=8,p=1$\(salt)$\(hash)$",
      "$scrypt$ln=99999999999999999999,r=8,p=1$\(salt)$\(hash)",
    ] {
      #expect(PasswordHash(text) == nil, "\(text)")
    }
  }

  @Test("is compared beside the tasks, and is wrong where there is nothing to compare with")
  func hasher() async throws {
    let hasher = PasswordHasher(cost: least)
    let kept = try #require(await hasher.hash("tiger-12"))
    #expect(await hasher.compare("tiger-12", with: kept) == .right)
    #expect(await hasher.compare("tiger-13", with: kept) == .wrong)
    #expect(await hasher.compare("tiger-12", with: nil) == .wrong)
    #expect(await hasher.compare("tiger-12", with: "nonsense") == .wrong)
  }

  @Test("waits for its turn while others are reckoned, and is not begun where too many wait")
  func bounded() async throws {
    let hasher = PasswordHasher(
      cost: least, lane: BlockingLane(name: "test", waiting: 2))
    let kept = try #require(PasswordHash(of: "tiger-12", cost: least)).description
    let answers = await withTaskGroup(of: PasswordHasher.Answer.self) { group in
      for _ in 0..<200 { group.addTask { await hasher.compare("tiger-12", with: kept) } }
      return await group.reduce(into: [PasswordHasher.Answer]()) { $0.append($1) }
    }
    #expect(answers.count == 200)
    #expect(answers.allSatisfy { $0 != .wrong })
    #expect(answers.contains(.right))
    // Whatever came, it works on.
    #expect(await hasher.compare("tiger-12", with: kept) == .right)
  }
}

@Suite("Tokens that say nothing")
struct OpaqueTokenTests {
  @Test("follow from their parent and the random bytes, and from neither alone")
  func refresh() {
    let parent = RefreshToken.first()
    let nonce = RefreshToken.nonce()
    let child = RefreshToken.next(after: parent, nonce: nonce)
    #expect(child == RefreshToken.next(after: parent, nonce: nonce))
    #expect(child != RefreshToken.next(after: parent, nonce: RefreshToken.nonce()))
    #expect(child != RefreshToken.next(after: RefreshToken.first(), nonce: nonce))
    for token in [parent, child] {
      #expect(token.utf8.count == 43)
      #expect(
        token.utf8.allSatisfy { Base64URL.bytes([$0, UInt8(ascii: "A"), $0, $0]) != nil })
    }
  }

  @Test("are kept as SHA-256")
  func digest() {
    // FIPS 180-4's example: "abc".
    let hexadecimal = TokenDigest(of: "abc").bytes.map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }.joined()
    #expect(
      hexadecimal == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test(
    "base64 for URLs has one form",
    arguments: ["A", "AB", "AAB", "A=", "A+AA", "AA/A", "AA A", "é"])
  func strict(text: String) {
    #expect(Base64URL.bytes(text.utf8) == nil)
  }

  @Test("base64 for URLs is read as it was written")
  func base64() {
    for count in 0...40 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 200) }
      #expect(Base64URL.bytes(Base64URL.text(bytes).utf8) == bytes)
    }
  }
}
