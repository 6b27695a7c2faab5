import SeededRandom
import Testing

@testable import Text

/// Lines for a terminal of a width.
@Suite struct WrappedTextTests {
  @Test func wordsStayWhole() {
    #expect(
      WrappedText.lines("one two three four", columns: 9) == ["one two", "three", "four"])
    #expect(WrappedText.lines("short", columns: 9) == ["short"])
    #expect(WrappedText.lines("", columns: 9) == [""])
  }

  @Test func whatStandsBeforeALineIsCounted() {
    #expect(
      WrappedText.lines("aaaa bbbb cccc dddd", columns: 14, first: 9, indent: 4)
        == ["aaaa", "bbbb cccc", "dddd"])
  }

  @Test func aWordThatIsTooLongIsCut() {
    #expect(
      WrappedText.lines("a /var/lib/checkpost/node.db", columns: 10)
        == ["a", "/var/lib/c", "heckpost/n", "ode.db"])
  }

  @Test func columnsAreCountedAndNotLetters() {
    #expect(WrappedText.lines("車車車車 車車車車", columns: 8) == ["車車車車", "車車車車"])
    #expect(WrappedText.lines("車車車車車", columns: 8) == ["車車車車", "車"])
  }

  @Test func noLineIsTooLongAndNothingIsLost() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<300 {
      let words = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        String(repeating: "x", count: Int.random(in: 1...30, using: &random))
      }
      let text = words.joined(separator: " ")
      let columns = Int.random(in: 12...80, using: &random)
      let lines = WrappedText.lines(text, columns: columns, indent: 4)
      #expect(lines.dropFirst().allSatisfy { $0.count <= max(8, columns - 4) })
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
  }
}
