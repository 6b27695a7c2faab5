import Accounts
import Testing
import Time
import Tokens

@Suite("A key that is made")
struct KeyTextTests {
  @Test("is shown whole once, and kept as its hash and its name")
  func made() throws {
    let now = WallTime(epochSeconds: 1_790_000_000)
    let (key, text) = APIKey.make(.service, name: "dashboard", at: now)
    #expect(APIKeyText.prefix(of: text) == key.prefix)
    #expect(key.digest.matches(TokenDigest(of: text)))
    #expect(key.counts(at: now))
    #expect(APIKey.make(.service, name: "dashboard", at: now).text != text)
    // What clients of Supabase take for a key.
    #expect(text.wholeMatch(of: /[A-Za-z0-9\-_=]+\.[A-Za-z0-9\-_=]+\.?[A-Za-z0-9\-_.+\/=]*/) != nil)
  }
}
