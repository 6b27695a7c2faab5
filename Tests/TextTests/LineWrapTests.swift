import SeededRandom
import Testing
import Text

struct LineWrapTests {
  @Test func breaksAtSpaces() {
    #expect(LineWrap.lines("", columns: 10) == [""])
    #expect(LineWrap.lines("one two", columns: 7) == ["one two"])
    #expect(LineWrap.lines("one two three", columns: 8) == ["one two", "three"])
    #expect(LineWrap.lines("one  two", columns: 5) == ["one ", "two"])
  }

  @Test func aWordThatIsTooLongIsBroken() {
    #expect(LineWrap.lines("a 0123456789 b", columns: 4) == ["a", "0123", "4567", "89 b"])
    #expect(LineWrap.lines("ab", columns: 0) == ["ab"])
  }

  @Test func columnsAreCountedAndNotCharacters() {
    #expect(LineWrap.lines("車輛 車輛", columns: 5) == ["車輛", "車輛"])
    #expect(LineWrap.lines("車輛車輛", columns: 5) == ["車輛", "車輛"])
    #expect(LineWrap.lines("बा १ पा १२३४", columns: 12) == ["बा १ पा १२३४"])
  }

  @Test func nothingIsLostAndNoLineIsTooLong() {
    var random = SplitMix64(seed: 11)
    let letters: [Character] = ["a", "b", " ", "車", "पा", "🚗", "-"]
    for _ in 0..<2_000 {
      let text = String(
        (0..<Int.random(in: 0...60, using: &random)).compactMap { _ in
          letters.randomElement(using: &random)
        })
      let columns = Int.random(in: 2...30, using: &random)
      let lines = LineWrap.lines(text, columns: columns)
      #expect(lines.allSatisfy { ForeignText.width($0) <= columns }, "\(text)")
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
  }
}
