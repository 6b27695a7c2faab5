import SeededRandom
import Testing
import Text

/// Lines of a stream, whatever the chunks it comes in.
@Suite struct LineBufferTests {
  private func whole(_ texts: String...) -> [LineBuffer.Line] {
    texts.map { .whole(Array($0.utf8)) }
  }

  @Test func linesAreWholeHoweverTheyCome() {
    let bytes = Array("one\n\ntwo\r\nthree".utf8)
    for seed in 1...100 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      var buffer = LineBuffer(limit: 5)
      var lines: [LineBuffer.Line] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = min(rest.count, Int.random(in: 1...4, using: &random))
        lines += buffer.takeAll(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(lines == whole("one", "", "two\r"))
      #expect(buffer.finish() == Array("three".utf8))
      #expect(buffer.finish() == nil)
    }
  }

  @Test func aLineThatIsTooLongIsToldOnceAndCounted() {
    var buffer = LineBuffer(limit: 3)
    #expect(buffer.takeAll(Array("abc\nabc".utf8)[...]) == whole("abc"))
    #expect(buffer.takeAll(Array("de".utf8)[...]) == [.overlong(Array("abc".utf8))])
    #expect(buffer.isOverlong && buffer.skipped == 2)
    #expect(buffer.takeAll(Array("fg\nh\n".utf8)[...]) == whole("h"))
    #expect(!buffer.isOverlong && buffer.skipped == 0)
    #expect(buffer.take(Array("abcd\nx\n".utf8)[...]) == [Array("x".utf8)])
    #expect(buffer.takeAll(Array("abcd".utf8)[...]) == [.overlong(Array("abc".utf8))])
    #expect(buffer.finish() == nil, "it was told")
  }

  @Test func linesOfAFileAreNumbered() {
    var lines = NumberedLines(limit: 6)
    let read = lines.read(Array("\u{FEFF}a\r\nlonger than six\n\n\u{FEFF}b\nc".utf8))
    #expect(read.map(\.number) == [1, 2, 3, 4])
    #expect(read.map(\.isTooLong) == [false, true, false, false])
    #expect(read.map(\.bytes) == ["a", "", "", "\u{FEFF}b"].map { Array($0.utf8) })
    #expect(lines.finish().map(\.number) == [5])
    #expect(lines.finish().isEmpty)
  }
}
