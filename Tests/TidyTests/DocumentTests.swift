import Testing

@Suite struct DocumentTests {
  @Test(arguments: ["CONTRIBUTING.md", "Documentation/Architecture.md"])
  func whatAPageNamesIsThere(_ page: String) throws {
    let file = try Repository.file(page)
    #expect(!PathsOfAPage.paths(file).isEmpty)
    for path in PathsOfAPage.paths(file) {
      #expect(Repository.holds(path), "\(page) names \(path)")
    }
  }

  @Test func theReadmeNamesEveryCommandAndNoOther() throws {
    let commands = Commands(try Repository.swiftFiles(below: "Sources/checkpost"))
    let declared = Set(commands.paths(below: "Checkpost"))
    let named = Set(CommandTable.paths(try Repository.file("README.md")))
    #expect(declared.subtracting(named).sorted() == [], "missing in the README")
    #expect(named.subtracting(declared).sorted() == [], "in the README, and no command")
    #expect(declared.count > 20)
  }

  @Test func thePageOfTheArchitectureNamesEveryTarget() throws {
    let page = try Repository.file("Documentation/Architecture.md")
    for target in try Repository.swiftTargets() {
      #expect(page.text.contains("`\(target)`"), "\(page.path) does not name \(target)")
    }
  }

  /// A newcomer reads it to the end.
  @Test func theReadmeIsShort() throws {
    #expect(try Repository.file("README.md").lines.count <= 180)
  }

  @Test(arguments: ["README.md", "CONTRIBUTING.md"])
  func everyLinkOfAPageLeadsSomewhere(_ page: String) throws {
    let links = LinksOfAPage.paths(try Repository.file(page))
    #expect(!links.isEmpty)
    for link in links { #expect(Repository.holds(link), "\(page) links to \(link)") }
  }

  @Test func theChangelogHasWhatIsNotReleasedYet() throws {
    #expect(Changelog.hasUnreleased(try Repository.file("CHANGELOG.md")))
  }
}

enum Changelog {
  static func hasUnreleased(_ file: SourceFile) -> Bool {
    file.lines.contains { $0 == "## Unreleased" || $0 == "## [Unreleased]" }
  }
}

@Suite struct DocumentCheckerTests {
  private let source = SourceFile(
    path: "made-up.swift",
    text: """
      struct Root: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
          commandName: "root", subcommands: [First.self, Second.self])
      }
      struct First: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "first")
      }
      struct Second: ParsableCommand {
        static let configuration = CommandConfiguration(
          commandName: "second", subcommands: [Second.Below.self, Again.self])
      }
      extension Second {
        struct Below: AsyncParsableCommand {
          static let configuration = CommandConfiguration(commandName: "below")
        }
      }
      struct Again: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "again")
      }
      """)

  @Test func commandsAreRead() {
    #expect(
      Commands([source]).paths(below: "Root")
        == ["first", "second", "second below", "second again"])
  }

  @Test func aCommandWithoutANameIsCalledLikeItsType() {
    var nameless = source
    nameless.text = source.text.replacing("commandName: \"again\"", with: "")
    #expect(Commands([nameless]).paths(below: "Root").contains("second again"))
  }

  @Test func aCommandThatIsNotFoundIsSeen() {
    var torn = source
    torn.text = source.text.replacing("struct Again", with: "enum Again")
    #expect(Commands([torn]).paths(below: "Root").contains("second (Again is not found)"))
  }

  @Test func tablesAreRead() {
    let readme = SourceFile(
      path: "README.md",
      text: """
        | other | does |
        |---|---|
        | `unseen` | x |

        | command | does |
        |---|---|
        | `first` | what comes first; `--watch` |
        | `second` | `below`, `again` |
        | `third one`, `third two` | more |

        | `unseen` | y |
        """)
    #expect(
      Set(CommandTable.paths(readme)) == [
        "first", "second", "second below", "second again", "third", "third one", "third two",
      ])
  }

  @Test func aMissingSectionIsSeen() {
    let without = SourceFile(path: "CHANGELOG.md", text: "# Changelog\n\n## 1.0.0\n")
    #expect(!Changelog.hasUnreleased(without))
    let with = SourceFile(path: "CHANGELOG.md", text: "# Changelog\n\n## Unreleased\n")
    #expect(Changelog.hasUnreleased(with))
  }
}

/// The files and folders that a page names, as `Sources/Log`; not those with a NAME to be filled in.
enum PathsOfAPage {
  static func paths(_ file: SourceFile) -> [String] {
    file.text.matches(of: /`((?:Sources|Tests|config|udev|Documentation)\/[A-Za-z0-9_.\/+-]+)`/)
      .map { String($0.output.1) }.filter { !$0.contains("NAME") }
  }
}

/// The files of this repository that a page links to.
enum LinksOfAPage {
  static func paths(_ file: SourceFile) -> [String] {
    file.text.matches(of: /\]\(([A-Za-z][A-Za-z0-9_.\/+-]+)\)/).map { String($0.output.1) }
  }
}
