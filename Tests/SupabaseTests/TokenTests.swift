import NodeCore
import Supabase
import Testing

@Suite struct TokenTests {
  @Test(arguments: [
    // {"sub":"u-1","role":"authenticated"}
    ("e30.eyJzdWIiOiJ1LTEiLCJyb2xlIjoiYXV0aGVudGljYXRlZCJ9.x", "u-1"),
    // {"sub":"ÿ?>"}: both digits that stand in URLs alone
    ("e30.eyJzdWIiOiLDvz8-In0.", "ÿ?>"),
    // {"role":"anon"}: the key that everybody has
    ("e30.eyJyb2xlIjoiYW5vbiJ9.x", nil), ("e30.eyJzdWIiOiIifQ.x", nil), ("e30.e.x", nil),
    ("e30.ey+x.x", nil), ("sb_secret_abc", nil), ("", nil), ("a.b", nil), ("...", nil),
    ("e30.eyJzdWIiOiJ1LTEi.x", nil),
  ])
  func aTokenSaysWhoseItIs(_ token: String, _ subject: String?) {
    #expect(Token(token).subject == subject)
  }
}
