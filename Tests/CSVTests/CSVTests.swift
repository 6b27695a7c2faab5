import CSV
import Testing

@Suite struct CSVTests {
  private func rows(_ text: String, chunk: Int = .max) -> [CSVRow] {
    var reader = CSVReader()
    var rows: [CSVRow] = []
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, chunk == .max ? bytes.count : start + chunk)
      rows += reader.read(Array(bytes[start..<end]))
      start = end
    }
    return rows + reader.finish()
  }

  @Test func readsQuotedFieldsAndDoubledQuotes() {
    #expect(
      rows("a,\"b, c\",\"say \"\"hi\"\"\"\r\n 1 , 2 ,3")
        == [.fields(["a", "b, c", "say \"hi\""], line: 1), .fields(["1", "2", "3"], line: 2)])
  }

  @Test func losesOneRecordToABrokenOne() {
    #expect(
      rows("a,b\n\"open,b\n1,2\n\"x\"y,2\n3,4\n")
        == [
          .fields(["a", "b"], line: 1), .broken(.unclosedQuote, line: 2),
          .fields(["1", "2"], line: 3), .broken(.textAfterQuote, line: 4),
          .fields(["3", "4"], line: 5),
        ])
  }

  @Test func passesOverEmptyLinesAndCommentsAndDropsTheByteOrderMark() {
    #expect(
      rows("\u{FEFF}a,b\n\n# note\n,\n1,2") == [
        .fields(["a", "b"], line: 1), .fields(["1", "2"], line: 5),
      ])
  }

  @Test(arguments: [1, 2, 3, 7]) func chunksDoNotMatter(chunk: Int) {
    let text = "प्लेट,\"b\"\r\nबा १ पा,2\n\"x\n"
    #expect(rows(text, chunk: chunk) == rows(text))
  }

  @Test func reportsBytesThatAreNoText() {
    var reader = CSVReader()
    #expect(
      reader.read([0x61, 0xFF, 0x0A, 0x62, 0x0A]) == [
        .broken(.invalidUTF8, line: 1), .fields(["b"], line: 2),
      ])
  }

  @Test func passesOverALineThatIsTooLong() {
    var reader = CSVReader()
    let long = [UInt8](repeating: 0x61, count: Limits.lineBytes + 1) + [0x0A, 0x62, 0x0A]
    #expect(reader.read(long) == [.broken(.lineTooLong, line: 1), .fields(["b"], line: 2)])
  }

  @Test func tableNamesColumnsAndCountsFields() throws {
    var table = CSVTable(requiring: ["plate"])
    let entries = try table.read(Array("Plate,Type\nX,CAR\nY\nZ,\n".utf8))
    #expect(entries.count == 3)
    #expect(try entries[0].get()["type"] == "CAR")
    #expect(throws: CSVTable.Fault(line: 3, reason: .fieldCount(found: 1, expected: 2))) {
      try entries[1].get()
    }
    #expect(try entries[2].get()["type"] == nil)
  }

  @Test func tableRefusesAHeaderWithoutANeededColumn() {
    var table = CSVTable(requiring: ["plate"])
    #expect(throws: CSVTable.Fault(line: 1, reason: .missingColumn("plate", found: ["a", "b"]))) {
      try table.read(Array("a,b\n".utf8))
    }
  }
}
