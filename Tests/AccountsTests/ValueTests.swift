import Accounts
import Testing
import Time

@Suite("What people and programs sign in with")
struct ValueTests {
  @Test("a login name is an address in small letters, of the domain where none is typed")
  func login() {
    #expect(LoginName("ram", domain: "bnp.local")?.address == "ram@bnp.local")
    #expect(LoginName(" Ram.B_1-x\n", domain: "bnp.local")?.address == "ram.b_1-x@bnp.local")
    #expect(LoginName("RAM@Other.ORG", domain: "bnp.local")?.address == "ram@other.org")
    let wrong = [
      "", " ", "@", "a@", "@b", "a@b@c", "a b", "a'b", "रम", "a@b c", "a\0b", "a@b/c", "\u{212A}",
      String(repeating: "a", count: 65), "a@" + String(repeating: "b", count: 260),
    ]
    for text in wrong {
      #expect(LoginName(text, domain: "bnp.local") == nil, "\(text)")
    }
  }

  @Test("a password is neither short nor endless, and one line")
  func password() {
    #expect(PasswordRule.fault(of: "tiger-12") == nil)
    #expect(PasswordRule.fault(of: "रामबहादुर थापा") == nil)
    for wrong in [
      "", "1234567", "tiger\n123", "tiger\u{7F}123", String(repeating: "x", count: 257),
    ] {
      #expect(PasswordRule.fault(of: wrong) != nil)
    }
    #expect(PasswordRule.isBounded("x"))
    #expect(!PasswordRule.isBounded(""))
    #expect(!PasswordRule.isBounded(String(repeating: "x", count: 257)))
  }

  @Test("a key is known by its look before it is looked up")
  func keyText() {
    let secret = String(repeating: "A", count: 43)
    #expect(APIKeyText.prefix(of: "cpk.k3v9x2ab.\(secret)") == "k3v9x2ab")
    let wrong = [
      "", "cpk.", "cpk.k3v9x2ab", "cpk.k3v9x2ab.", "cpk.k3v9x2a.\(secret)",
      "cpk.k3v9x2ab.\(secret)A",
      "cpk.k3v9x2aB.\(secret)", "cpk.k3v9x2a'.\(secret)", "eyJ.k3v9x2ab.\(secret)",
      "cpk.k3v9x2ab.\(secret).x",
    ]
    for text in wrong { #expect(APIKeyText.prefix(of: text) == nil, "\(text)") }
    let made = APIKeyText.prefix(from: (0..<32).map { UInt8($0 * 8) })
    #expect(APIKeyText.prefix(of: "cpk.\(made).\(secret)") == made)
  }

  @Test("the use of a key is noted once an hour, and again after the clock went back")
  func use() throws {
    var key = try Example.key(.service)
    #expect(key.isUseToNote(at: Example.now))
    key.usedAt = Example.now
    #expect(!key.isUseToNote(at: Example.now + .seconds(3_599)))
    #expect(key.isUseToNote(at: Example.now + .seconds(3_600)))
    #expect(key.isUseToNote(at: Example.now - .seconds(1)))
  }

  @Test("two hashes are the same when all of their bytes are")
  func digest() throws {
    let one = try #require(TokenDigest([UInt8](repeating: 1, count: 32)))
    for position in 0..<32 {
      var bytes = one.bytes
      bytes[position] ^= 0x80
      #expect(!one.matches(try #require(TokenDigest(bytes))))
    }
    #expect(one.matches(one))
    #expect(TokenDigest([1]) == nil)
  }

  @Test(
    "a password decides nothing about a name that nobody has, and tells only its owner of a ban")
  func decision() throws {
    func refusal(_ account: Account?, _ matches: Bool) -> GrantRefusal? {
      do throws(GrantRefusal) {
        _ = try PasswordDecision.account(account, passwordMatches: matches)
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal(nil, true) == .invalidCredentials)
    #expect(refusal(nil, false) == .invalidCredentials)
    #expect(refusal(try Example.account(), false) == .invalidCredentials)
    #expect(refusal(try Example.account(isActive: false), false) == .invalidCredentials)
    #expect(refusal(try Example.account(isActive: false), true) == .banned)
    #expect(refusal(try Example.account(), true) == nil)
  }
}
