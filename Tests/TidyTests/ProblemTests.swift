import Testing

/// Problems: each name stands in the catalogue, and nothing advises to open what is secret to others.
@Suite struct ProblemTests {
  @Test func everyNameStandsInTheCatalogue() throws {
    let catalogue = try Repository.file("Sources/Events/ProblemCatalogue.swift")
    let known = Set(
      catalogue.text.matches(of: /(?:warning|critical|either)\(\s*"([a-z_]+)"/)
        .map { String($0.output.1) })
    #expect(known.count > 50)
    for file in try Repository.swiftFiles(below: "Sources") {
      for name in ProblemNames.made(in: file) {
        #expect(known.contains(name), "\(name) of \(file.path) is not in the catalogue")
      }
    }
  }

  @Test func noAdviceOpensAnythingToOthers() throws {
    let pages = try ["README.md", "Documentation", "config", "packaging", "Sources"].flatMap {
      place in
      place.hasSuffix(".md") ? [try Repository.file(place)] : try Repository.files(below: place)
    }
    #expect(pages.count > 100)
    for page in pages where !page.path.hasSuffix(".sh") {
      #expect(OpeningAdvice.found(in: page.text) == [], "\(page.path)")
    }
  }

  @Test func adviceIsFound() {
    #expect(
      OpeningAdvice.found(in: "sudo chmod o+r f; chmod 0644 f; chmod a+rX d; chmod 777 d").count
        == 4)
    #expect(OpeningAdvice.found(in: "sudo install -d -o me /var/x").count == 1)
    #expect(
      OpeningAdvice.found(in: "chmod 640 f; chmod o-w d; chmod g+rwX d; install -d -m 750 /var/x")
        == [])
    #expect(
      ProblemNames.made(in: SourceFile(path: "a", text: "Problem(\n  \"a_b\", .warning")) == ["a_b"]
    )
  }
}

private enum ProblemNames {
  static func made(in file: SourceFile) -> [String] {
    file.text.matches(of: /\bProblem\(\s*"([a-z_]+)"/).map { String($0.output.1) }
  }
}

/// Commands in words for people that give others a right.
private enum OpeningAdvice {
  static func found(in text: String) -> [String] {
    let modes = text.matches(
      of: /\bchmod (?:-R )?(?:[ugoa]*[oa][ugoa]*\+[rwxX]+|[0-7]?[0-7][0-7][1-7]\b)/)
    let made = text.matches(of: /\binstall -d (?!-m)/)
    return modes.map { String($0.output) } + made.map { String($0.output) }
  }
}
