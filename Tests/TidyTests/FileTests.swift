import Testing

@Suite struct FileTests {
  @Test func noSwiftFileIsTooLong() throws {
    for file in try Repository.files() where file.path.hasSuffix(".swift") {
      #expect(FileRules.size(file) == nil)
    }
  }

  @Test func everyFileEndsWithANewline() throws {
    for file in try Repository.files() {
      #expect(FileRules.ending(file) == nil)
    }
  }

  @Test func nothingOutsideIsMentioned() throws {
    for file in try Repository.files() {
      #expect(FileRules.outsideName(file) == nil)
    }
  }

  @Test func everyTargetHasAnOverview() throws {
    let files = try Repository.files(below: "Sources")
    for target in try Repository.swiftTargets() {
      let path = "Sources/\(target)/\(target).docc/\(target).md"
      let overview = files.first { $0.path == path }
      #expect(FileRules.overview(of: target, in: overview) == nil)
    }
  }
}

@Suite struct FileCheckerTests {
  private func file(_ text: String) -> SourceFile {
    SourceFile(path: "made-up.swift", text: text)
  }

  @Test func longFilesAreFound() {
    let line = "let a = 1\n"
    #expect(FileRules.size(file(String(repeating: line, count: 800))) == nil)
    #expect(FileRules.size(file(String(repeating: line, count: 801))) != nil)
  }

  @Test func missingNewlinesAreFound() {
    #expect(FileRules.ending(file("let a = 1\n")) == nil)
    #expect(FileRules.ending(file("let a = 1")) != nil)
    #expect(FileRules.ending(file("let a = 1\n\n")) != nil)
    #expect(FileRules.ending(file("")) != nil)
  }

  @Test func outsideNamesAreFound() {
    #expect(FileRules.outsideName(file("// see /wo" + "rk/notes\n")) != nil)
    #expect(FileRules.outsideName(file("// see shar" + "ed/notes\n")) != nil)
    #expect(FileRules.outsideName(file("// see /usr/share/doc\n")) == nil)
  }

  @Test func missingOverviewsAreFound() {
    #expect(FileRules.overview(of: "Made", in: nil) != nil)
    #expect(FileRules.overview(of: "Made", in: file("# ``Other``\n\n1\n2\n3\n4\n")) != nil)
    #expect(FileRules.overview(of: "Made", in: file("# ``Made``\n")) != nil)
    #expect(FileRules.overview(of: "Made", in: file("# ``Made``\n\n1\n2\n3\n4\n")) == nil)
  }

  @Test func filesAreRead() throws {
    let files = try Repository.files().map(\.path)
    #expect(files.contains("Package.swift"))
    #expect(files.contains("Tests/TidyTests/FileTests.swift"))
    #expect(files.contains("README.md"))
    #expect(!files.contains { $0.contains(".build/") || $0.contains(".git/") })
  }
}
