import CSV
import SeededRandom
import Testing

@Suite struct CSVWriterTests {
  private func readBack(_ line: String) -> [CSVRow] {
    var reader = CSVReader()
    return reader.read(Array((line + "\n").utf8)) + reader.finish()
  }

  @Test func quotesWhatNeedsThem() {
    #expect(
      CSVWriter.line(["a", "b, c", "say \"hi\"", "", " x "]) == #"a,"b, c","say ""hi""",," x ""#)
    #expect(CSVWriter.line(["# no comment", "b"]) == "\"# no comment\",b")
  }

  // What spreadsheets reckon out, wherever quotes and blanks stand; the last four are what some take for
  // the narrow ones.
  @Test(arguments: [
    "=1+1", "+9779801234567", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "  +1", "'=1", "''=1",
    "' =1",
    "=HYPERLINK(\"http://x\",\"y\")", "＝1", "＋1", "－1", "＠1", "=", "'-",
  ])
  func noCellIsAFormula(field: String) {
    let line = CSVWriter.line([field, "b"])
    #expect(line.hasPrefix("'") || line.hasPrefix("\"'"), "\(line)")
    let kept = field.replacing("\r", with: " ")
    #expect(readBack(line) == [.fields([kept, "b"], line: 1)])
  }

  @Test(arguments: ["", "a=1", "'", "'tis", "''", "1-2", "बा १ पा १२३४", "'a'", "（1）", "नमस्ते, +1"])
  func otherCellsStayAsTheyAre(field: String) {
    #expect(readBack(CSVWriter.line([field, "b"])) == [.fields([field, "b"], line: 1)])
    #expect(!CSVWriter.line(["b", field]).hasPrefix("b,'\(field)"))
  }

  /// A table of somebody else's may say by a mark that a number is a text.
  @Test func aMarkOfOthersIsTakenAwayToo() {
    #expect(
      readBack("'+9779801234567,\"'=x\",'tis") == [
        .fields(["+9779801234567", "=x", "'tis"], line: 1)
      ])
  }

  @Test func everyTextIsReadBackAsItWas() {
    var random = SplitMix64(seed: 20)
    let letters = Array("=+-@'\t ,\"#aब車;|＝－")
    for _ in 0..<5_000 {
      let fields = (0..<3).map { _ in
        String(
          (0..<Int.random(in: 0...5, using: &random)).map { _ in
            letters[Int.random(in: 0..<letters.count, using: &random)]
          })
      }
      // A record without anything in it is an empty line.
      guard fields.contains(where: { !$0.isEmpty }) else { continue }
      #expect(readBack(CSVWriter.line(fields)) == [.fields(fields, line: 1)], "\(fields)")
    }
  }

  @Test func aRecordIsOneLine() {
    #expect(CSVWriter.line(["a\nb\r\nc\rd", "e"]) == "a b c d,e")
  }
}
