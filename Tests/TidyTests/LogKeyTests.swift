import Testing

/// Every fact that an event tells under a key is explained among the keys of the log.
@Suite struct LogKeyTests {
  @Test func everyFactOfAnEventIsExplained() throws {
    let explained = try LogKeys.explained()
    #expect(explained.count > 50)
    var written = Set<String>()
    for file in try Repository.swiftFiles(below: "Sources") {
      let keys = LogKeys.written(in: file)
      #expect(
        keys.subtracting(explained).sorted() == [],
        "keys of \(file.path) that \(LogKeys.page) does not explain")
      written.formUnion(keys)
    }
    #expect(written.count > 40)
  }

  @Test func keysAreFound() {
    let file = SourceFile(
      path: "Made.swift",
      text: """
        fields + [EventField("one", .integer(1))]
        event["two"] = .text(x)
        told["three"] = nil
        object["four"] = nil
        """)
    #expect(LogKeys.written(in: file) == ["one", "two", "three"])
  }
}

private enum LogKeys {
  static let page = "Sources/checkpost/Help/KeyCatalogue+Office.swift"

  /// The keys of events that a file makes.
  static func written(in file: SourceFile) -> Set<String> {
    let keys = file.text.matches(of: /(?:EventField\(|(?:event|told)\[)"([a-z_]+)"/)
    return Set(keys.map { String($0.output.1) })
  }

  /// The keys that the group of the log explains.
  static func explained() throws -> Set<String> {
    let lines = try Repository.file(page).lines
    let group = lines.drop { !$0.contains("\"log, and the events of the socket\"") }
      .prefix { !$0.contains("\"\"\"),") }
    return Set(
      group.compactMap { line in
        line.firstMatch(of: #/^ {6}([a-z][a-z0-9_]*) /#).map { String($0.output.1) }
      })
  }
}
