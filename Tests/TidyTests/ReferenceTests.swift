import Testing

/// The tables that `checkpost help` prints, held against the sources that they speak of.
@Suite struct ReferenceTests {
  @Test func everyEventIsInTheCatalogueAndNoOther() throws {
    let sources = try Repository.swiftFiles(below: "Sources")
    let catalogue = "Sources/Events/EventCatalogue.swift"
    let listed = Set(
      try Repository.file(catalogue).text.matches(of: /Entry\(\s*"([a-z_]+)"/)
        .map { String($0.output.1) })
    #expect(listed.count > 90)
    let used = sources.reduce(into: Set<String>()) { $0.formUnion(EventNames.used(in: $1)) }
    #expect(used.count > 80)
    #expect(used.subtracting(listed).sorted() == [], "events that \(catalogue) does not explain")
    let rest = sources.filter { $0.path != catalogue }.map(\.text).joined()
    let unused = listed.filter { !rest.contains("\"\($0)\"") }
    #expect(unused.sorted() == [], "in \(catalogue), and no event")
  }

  @Test func everyKeyOfJSONIsExplained() throws {
    let explained = try ReferenceKeys.explained()
    #expect(explained.count > 150)
    for path in ReferenceKeys.writers {
      for file in try ReferenceKeys.files(path) {
        let missing = ReferenceKeys.written(in: file).subtracting(explained).sorted()
        #expect(missing == [], "keys of \(file.path) that Sources/checkpost/Help does not explain")
      }
    }
  }
}

@Suite struct ReferenceCheckerTests {
  @Test func eventsAreFound() {
    let file = SourceFile(
      path: "Made.swift",
      text: """
        make("text_lost", .warning, words)
        Event(
          "modem_found", .info, at: now)
        Problem("disk_lost", .critical, "x")
        Finding(
          "modem_well", .warning, "x")
        """)
    #expect(EventNames.used(in: file) == ["text_lost", "modem_found"])
  }

  @Test func keysAreFound() {
    let file = SourceFile(
      path: "Made.swift",
      text: """
        let object: [String: JSONValue] = ["one": 1, "two_two": .text(x)]
        object["three"] = nil
        EventField("four", .integer(1))
          private enum CodingKeys: String, CodingKey {
            case five, six
            case sevenFold = "seven_fold"
          }
        switch x { case nine: break }
        """)
    #expect(
      ReferenceKeys.written(in: file)
        == ["one", "two_two", "three", "four", "five", "six", "seven_fold"])
  }
}

/// The events that a file makes.
enum EventNames {
  /// The names that stand before a level, in a call that makes neither a problem nor a finding.
  static func used(in file: SourceFile) -> Set<String> {
    let calls = file.text.matches(
      of:
        /([A-Za-z.]*)\(\s*"([a-z]+(?:_[a-z]+)*)",\s*(?:at: [^,]*, )?\.(?:debug|info|notice|warning|error)\b/
    )
    return Set(
      calls.filter { !["Problem", "Finding"].contains($0.output.1) }.map { String($0.output.2) })
  }
}

/// The keys that are written as JSON, and those that are explained.
enum ReferenceKeys {
  /// The files and folders that write what `--json` prints.
  static let writers = [
    "Sources/Control/Status/", "Sources/Host/Control/QueueFields.swift",
    "Sources/Host/Control/CentralFields.swift", "Sources/Doctor/Finding.swift",
    "Sources/Events/Problem.swift", "Sources/checkpost/Commands/", "Sources/checkpost/Record/",
    "Sources/checkpost/Demo/",
    "Sources/NodeService/", "Sources/CentralService/CentralMachine.swift",
  ]

  /// The files at a path: one, or all of a folder whose path ends with a slash.
  static func files(_ path: String) throws -> [SourceFile] {
    path.hasSuffix("/")
      ? try Repository.swiftFiles(below: String(path.dropLast())) : [try Repository.file(path)]
  }

  /// The keys of a file.
  static func written(in file: SourceFile) -> Set<String> {
    var keys = Set<String>()
    for line in file.code {
      // What the help shows as examples stands in braces.
      for match in line.matches(of: /(?:^|[^{])"([a-z][a-z0-9_]*)":\s/) {
        keys.insert(String(match.output.1))
      }
      for match in line.matches(of: /object\["([a-z_]+)"\] =|EventField\("([a-z_]+)"/) {
        if let key = match.output.1 ?? match.output.2 { keys.insert(String(key)) }
      }
    }
    for keyword in file.text.matches(of: /enum CodingKeys: String, CodingKey \{([^}]*)\}/) {
      for entry in keyword.output.1.matches(of: /(?:case|,)\s+(\w+)(?:\s*=\s*"(\w+)")?/) {
        keys.insert(String(entry.output.2 ?? entry.output.1))
      }
    }
    return keys
  }

  /// The keys that the help explains.
  static func explained() throws -> Set<String> {
    let files = try Repository.swiftFiles(below: "Sources/checkpost/Help")
      .filter { $0.path.contains("KeyCatalogue+") }
    return Set(
      files.flatMap(\.lines).compactMap { line in
        line.firstMatch(of: #/^ {6}([a-z][a-z0-9_]*) /#).map { String($0.output.1) }
      })
  }
}
