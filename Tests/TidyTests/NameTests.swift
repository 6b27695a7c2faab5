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

  @Test func librariesAreFound() {
    let lines: [Substring] = ["let rows = SQLRow()", "throw .sqlite(code)", "import GRDB"]
    #expect(Findings.places(of: Names.libraries, in: lines) == ["1: SQL", "3: GRDB"])
  }
}
