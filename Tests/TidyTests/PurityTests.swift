import Testing

@Suite struct PurityTests {
  private let architecture = Architecture.checkpost

  @Test func lowerLayersDoNothingThemselves() throws {
    for target in try Repository.targets() where architecture.isPure(target) {
      for file in try Repository.swiftFiles(below: "Sources/\(target)") {
        let places =
          Findings.places(of: Findings.impure, in: file.code) + Findings.unseeded(in: file.code)
        #expect(places == [], "\(file.path)")
      }
    }
  }

  @Test func nothingInTheSourcesIsUnsound() throws {
    for file in try Repository.swiftFiles(below: "Sources") {
      #expect(Findings.places(of: Findings.unsound, in: file.code) == [], "\(file.path)")
    }
  }

  @Test func nothingInTheSourcesIsUnfinished() throws {
    for file in try Repository.swiftFiles(below: "Sources") {
      #expect(Findings.places(of: Findings.unfinished, in: file.lines) == [], "\(file.path)")
    }
  }
}

@Suite struct PurityCheckerTests {
  private func places(_ words: [String], _ line: String) -> [String] {
    let file = SourceFile(path: "made-up.swift", text: line)
    return Findings.places(of: words, in: file.code)
  }

  @Test func theLowerLayersArePure() {
    let architecture = Architecture.checkpost
    for target in ["AT", "CSV", "CentralCore", "GSM", "ModemSession", "NodeCore", "Time"] {
      #expect(architecture.isPure(target), "\(target)")
    }
    for target in ["EventLoop", "NodeSQLite", "NodeService", "checkpost"] {
      #expect(!architecture.isPure(target), "\(target)")
    }
  }

  @Test(arguments: [
    "let now = Date()", "Task { await work() }", "  Task.detached(priority: .low) {",
    "try await Task.sleep(for: .seconds(1))", "sleep(1)",
    "var random = SystemRandomNumberGenerator()", "let clock = ContinuousClock()",
    "SuspendingClock.now", "plates.randomElement()", "return words.shuffled()",
    "print(\"here\")", "let sum = a // Task\n  + b.shuffled()",
  ])
  func whatIsImpureIsFound(line: String) {
    #expect(!places(Findings.impure, line).isEmpty)
  }

  @Test(arguments: [
    "let date = CivilDate()", "let task = MyTask {", "fingerprint(of: plate)",
    "// Task { is not used here", "let text = 1 // Date()", "words.shuffled(using: &random)",
    "let url = \"http://host\" + name",
  ])
  func whatIsPureIsNotFound(line: String) {
    #expect(places(Findings.impure, line).isEmpty)
  }

  @Test(arguments: [
    "try! load()", "value as! String", "default: fatalError()", "usleep(10)",
    "final class Cell: @unchecked Sendable {", "let url = \"http://host\"; try! load()",
  ])
  func whatIsUnsoundIsFound(line: String) {
    #expect(!places(Findings.unsound, line).isEmpty)
  }

  @Test func unfinishedIsFoundInComments() {
    let line = "let x = 1  // " + "TO" + "DO: more"
    #expect(Findings.places(of: Findings.unfinished, in: [line[...]]) == ["1: " + "TO" + "DO"])
  }

  @Test func chanceWithoutAGeneratorIsFound() {
    let breach = ["let a = Int.random(in: 0...(b + 1))", "let c = using: d"]
    #expect(Findings.unseeded(in: breach.map { $0[...] }) == ["1: .random(in:"])
    let fine = ["Int.random(", "x.random(in: 0...(b + 1),", "  using: &generator)"]
    #expect(Findings.unseeded(in: fine.map { $0[...] }).isEmpty)
  }
}
