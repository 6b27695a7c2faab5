import RestAPI
import Testing

@Suite struct PatternTests {
  @Test(arguments: [
    ("BA1", "xBA1PA1234", true), ("^BA1", "xBA1PA1234", false), ("^BA1.*4$", "BA1PA1234", true),
    ("1234$", "BA1PA12345", false), ("^$", "", true), ("^$", "a", false), ("", "a", true),
    ("^BA[1-3]PA\\d{4}$", "BA2PA1234", true), ("^BA[1-3]PA\\d{4}$", "BA4PA1234", false),
    ("^[^0-9]+$", "BAPA", true), ("^[^0-9]+$", "BA1", false), ("a|b|cd", "xcd", true),
    ("^(a|bc)*$", "abcbca", true), ("^(a|bc)*$", "abcb", false), ("^a{2,3}$", "aa", true),
    ("^a{2,3}$", "aaaa", false), ("^a{2,}$", "aaaa", true), ("^a?b$", "b", true),
    ("^(a*)*$", "aaa", true), ("^(a*)*b$", "aaa", false), ("\\.", "a.b", true),
    ("\\.", "ab", false),
    ("[]a]", "]", true), ("[a-]", "-", true), ("[\\]]", "]", true), ("^.$", "\u{915}", true),
    ("^..$", "\u{915}", false), ("(^a|b)c", "bc", true), ("a(b|)c", "ac", true),
    ("^.{255}$", String(repeating: "a", count: 255), true), ("^((a?){14}){14}b", "aab", true),
    ("^a+?b", "aab", true), ("x$|y", "xy", true), ("^[\\d-]+$", "1-2", true),
  ])
  func isFound(pattern: String, text: String, isFound: Bool) throws {
    let read = try #require(RestPattern(reading: pattern, ignoresCase: false))
    #expect(read.isFound(in: text) == isFound)
  }

  @Test func lettersMayBeTheSame() throws {
    let read = try #require(RestPattern(reading: "^ba[p-q]\u{E9}$", ignoresCase: true))
    #expect(read.isFound(in: "BAP\u{C9}") && !read.isFound(in: "BAX\u{C9}"))
    let other = try #require(RestPattern(reading: "^[^a]$", ignoresCase: true))
    #expect(!other.isFound(in: "A") && other.isFound(in: "B"))
  }

  @Test(arguments: [
    "(", ")", "a)", "[a", "*a", "a**", "+", "a{", "a{2", "a{3,2}", "a{256}", "(?=a)", "(?i)a", "\\",
    "\\w",
    "\\1", "[[:alpha:]]", "[b-a]", "^*", "$?", "***:a", "((((((((((a))))))))))",
    "(((a{255}){255}){255})", String(repeating: "a", count: 201),
    // PostgreSQL reads these for seconds.
    "((a?){45}){44}b", "((a?){20}){20}b", "(((.?){10}){10}){19}b",
  ])
  func whatIsNoneIsRefused(pattern: String) {
    #expect(RestPattern(reading: pattern, ignoresCase: false) == nil)
  }

  /// What takes a backtracking search longer than anybody lives.
  @Test func noPatternTakesLongerThanItsText() throws {
    let read = try #require(RestPattern(reading: "^(a|a)*(a|aa)+(a*)*$", ignoresCase: false))
    #expect(!read.isFound(in: String(repeating: "a", count: 4_000) + "b"))
  }
}
