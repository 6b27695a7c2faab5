import JSON
import SeededRandom
import Testing

/// What comes from outside and is nested without end: a decoder that calls itself for each level ends
/// the process when its stack does.
@Suite struct NestingTests {
  private static func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
    Array(
      (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
  }

  @Test(arguments: [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]"), ("[[] ,", "]")])
  func aDeepValueIsNoValue(open: String, close: String) {
    for depth in [100, 450, 5_000, 200_000] {
      #expect(JSONText.decode(NestingTests.nested(depth, open, close)) == nil, "\(depth)")
      // A line that breaks off is no less deep.
      #expect(JSONText.decode(NestingTests.nested(depth, open, "")) == nil, "\(depth)")
    }
    #expect(JSONText.decode(NestingTests.nested(6, open, close)) != nil)
  }

  @Test func whatStandsInATextOrBesideIsNotDeep() {
    let brackets = String(repeating: "[{", count: 5_000)
    let text =
      #"{"a":"\#(brackets)\"\#(brackets)\\","b":[\#(String(repeating: "[],{},", count: 500))1]}"#
    let value = JSONText.decode(Array(text.utf8))
    #expect(value?["a"]?.text?.utf8.count == 20_002)
    #expect(value?["b"]?.list?.count == 1_001)
  }

  @Test func noBytesEndTheProcess() {
    var random = SplitMix64(seed: 7)
    let letters = Array(#"[]{}":,\a1 "#.utf8)
    for _ in 0..<300 {
      let bytes = (0..<2_000).map { _ in letters.randomElement(using: &random) ?? 0x20 }
      _ = JSONText.decode(bytes)
    }
  }
}
