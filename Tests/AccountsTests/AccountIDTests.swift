import Accounts
import Testing

@Suite("The name of an account")
struct AccountIDTests {
  @Test("is a UUID in small letters, whichever it was written in")
  func letters() throws {
    let account = try #require(AccountID("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"))
    #expect(account.text == "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")
    #expect(account == AccountID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"))
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "a0eebc99", "a0eebc999c0b4ef8bb6d6bb9bd380a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1",
      "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a111", "g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
      "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1'", "-0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
      "a0eebc99a9c0b-4ef8-bb6d-6bb9bd380a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380aé",
    ])
  func nothingElse(text: String) {
    #expect(AccountID(text) == nil)
  }

  @Test("from random bits is a UUID of version 4")
  func random() {
    #expect(AccountID(random: 0, 0).text == "00000000-0000-4000-8000-000000000000")
    #expect(AccountID(random: .max, .max).text == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    #expect(AccountID(AccountID(random: 17, 4).text) == AccountID(random: 17, 4))
  }
}
