import Testing

@Suite struct LayeringTests {
  private let architecture = Architecture.checkpost

  @Test func everyTargetStandsInALayer() throws {
    #expect(try Repository.targets() == architecture.targets.keys.sorted())
  }

  @Test func importsPointDownwards() throws {
    for target in try Repository.swiftTargets() {
      for file in try Repository.swiftFiles(below: "Sources/\(target)") {
        for module in Imports.modules(of: file) {
          let breach = architecture.breach(of: target, using: module)
          #expect(breach == nil, "\(file.path)")
        }
      }
    }
  }

  @Test func declaredDependenciesPointDownwards() throws {
    let declared = Manifest.dependencies(try Repository.file("Package.swift"))
    for target in try Repository.swiftTargets() {
      let dependencies = try #require(declared[target], "\(target) is not in Package.swift")
      for module in dependencies {
        #expect(architecture.breach(of: target, using: module) == nil, "Package.swift")
      }
    }
  }

  @Test func everyImportOfOursIsDeclared() throws {
    let declared = Manifest.dependencies(try Repository.file("Package.swift"))
    for target in try Repository.swiftTargets() {
      for file in try Repository.swiftFiles(below: "Sources/\(target)") {
        for module in Imports.modules(of: file) where architecture.targets[module] != nil {
          #expect(
            declared[target]?.contains(module) == true, "\(file.path) imports \(module)")
        }
      }
    }
  }
}

@Suite struct LayeringCheckerTests {
  private let architecture = Architecture.checkpost

  @Test(arguments: [
    ("GSM", "Foundation"), ("GSM", "FoundationEssentials"), ("Time", "Glibc"),
    ("NodeCore", "Dispatch"), ("ModemModel", "Glibc"), ("GSM", "Crypto"), ("Time", "GSM"),
    ("GSM", "ModemSession"), ("NodeCore", "CentralCore"), ("ModemSession", "ModemModel"),
    ("NodeSQLite", "CentralSQLite"), ("ModemDriver", "SerialPorts"), ("ServerHTTP", "GRDB"),
    ("ServerHTTP", "AsyncHTTPClient"), ("NodeCore", "CCurl"), ("HTTPServer", "NIOSSL"),
    ("SQLiteFile", "NodeService"), ("Log", "NodeService"), ("HTTPServer", "checkpost"),
    ("Newcomer", "Time"),
  ])
  func upwardsAndSidewaysAreBreaches(target: String, module: String) {
    #expect(architecture.breach(of: target, using: module) != nil)
  }

  @Test(arguments: [
    ("Passages", "Crypto"), ("AT", "GSM"), ("NodeCore", "Time"), ("GSM", "Synchronization"),
    ("EventLoop", "Glibc"), ("EventLoop", "CLinux"), ("NodeSQLite", "SQLiteFile"),
    ("HTTPServer", "Hummingbird"), ("checkpost", "HTTPServer"),
  ])
  func downwardsIsNoBreach(target: String, module: String) {
    #expect(architecture.breach(of: target, using: module) == nil)
  }

  @Test func importsAreFoundHoweverTheyAreWritten() {
    let file = SourceFile(
      path: "made-up.swift",
      text: """
        import Alpha
        public import Beta
        @testable import Gamma
        #if canImport(Glibc)
          import Glibc
        #endif
        @preconcurrency internal import Delta
        import struct Epsilon.Thing
        // import Comment
        let important = 1
        """)
    #expect(
      Imports.modules(of: file) == ["Alpha", "Beta", "Gamma", "Glibc", "Delta", "Epsilon"])
  }

  @Test func dependenciesAreReadFromAManifest() {
    let manifest = SourceFile(
      path: "Package.swift",
      text: """
        target("One"),
        target("Two", ["One", grdb]),
        target(
          "Three",
          [
            "One", "Two",
          ]),
        .executableTarget(
          name: "four",
          dependencies: ["Three", arguments], swiftSettings: settings),
        """)
    #expect(
      Manifest.dependencies(manifest)
        == ["One": [], "Two": ["One"], "Three": ["One", "Two"], "four": ["Three"]])
  }
}
