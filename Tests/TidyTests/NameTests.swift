import Testing

/// One name for one thing, and no library's name where something is decided.
@Suite struct NameTests {
  private let architecture = Architecture.checkpost

  /// Each target has its own `Limits`: what the numbers of a target are is a question asked of it alone.
  private let everywhere: Set = ["Limits"]

  @Test func noTwoTypesHaveOneName() throws {
    var places: [String: [String]] = [:]
    for file in try Repository.swiftFiles(below: "Sources") {
      for type in Names.types(of: file) where !everywhere.contains(type.name) {
        places[type.name, default: []].append("\(file.path):\(type.line)")
      }
    }
    #expect(places.filter { $0.value.count > 1 } == [:])
  }

  /// An event is one type from where it is decided to wherever it is written: `Event`, and `LogRecord`,
  /// which is what the log makes of it once it is masked.
  @Test func thereIsOneTypeOfEvents() throws {
    let found = try Repository.swiftFiles(below: "Sources").flatMap { Names.events(of: $0) }
    #expect(found.map(\.name).sorted() == ["Event", "LogRecord"])
  }

  @Test func whatDecidesNamesNoLibrary() throws {
    for target in try Repository.targets() where architecture.isPure(target) {
      for file in try Repository.swiftFiles(below: "Sources/\(target)") {
        #expect(Findings.places(of: Names.libraries, in: file.code) == [], "\(file.path)")
      }
    }
  }
}

@Suite struct NameCheckerTests {
  @Test func typesAreFoundAndNothingElse() {
    let file = SourceFile(
      path: "made-up.swift",
      text: """
        public struct One: Sendable {
          struct Inner {}
        }
        final class Two {}
        private enum Three {}
        extension Four {}
        public indirect enum Five<Value> {
        protocol Six: Sendable {}
        // struct Seven
        let struct8 = 1
        func make() -> some Nine { struct }
        """)
    #expect(Names.types(of: file).map(\.name) == ["One", "Two", "Five", "Six"])
    #expect(Names.types(of: file).map(\.line) == [1, 4, 7, 8])
  }

  @Test(arguments: [
    ("NodeLogEvent", "  public var level: Level\n  public var clientID: ClientID?\n"),
    ("ModemLogEntry", "  public let level: Level\n"),
    ("ServiceEvent", "  public var level: LogLevel\n  public var subject: String?\n"),
  ])
  func aSecondTypeOfEventsIsFound(name: String, more: String) {
    func file(_ more: String) -> SourceFile {
      SourceFile(
        path: "made-up.swift",
        text: "public struct \(name): Sendable {\n  public var name: String\n\(more)"
          + "  public var words: String\n\n  func f() {\n    let level = 1\n  }\n}\n")
    }
    #expect(Names.events(of: file(more)).map(\.name) == [name])
    #expect(Names.events(of: file("")).isEmpty, "a finding has a name and words, and no level")
  }

  @Test func librariesAreFound() {
    let lines: [Substring] = ["let rows = SQLRow()", "throw .sqlite(code)", "import GRDB"]
    #expect(Findings.places(of: Names.libraries, in: lines) == ["1: SQL", "3: GRDB"])
  }
}
