import Testing

@Suite(.ownThreads) struct ProgramTests {
  @Test(arguments: [["--help"], ["help", "log"], ["--version"], ["sms", "decode", "--help"]])
  func helpIsAResult(arguments: [String]) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0)
    #expect(!outcome.output.isEmpty)
    #expect(outcome.errors.isEmpty)
  }

  @Test(arguments: [
    (["dance"], "checkpost: Unexpected argument 'dance'; see `checkpost --help`"),
    (
      ["sms", "decode", "x", "--zzzzzzzz"],
      "checkpost: Unknown option '--zzzzzzzz'; see `checkpost sms decode --help`"
    ),
    (
      ["pdu", "decode"],
      "checkpost: Missing expected argument '<pdus> ...'; see `checkpost pdu decode --help`"
    ),
    (["log", "--lines", "many"], "--lines"),
    (["log", "--level", "loud"], "'loud' is invalid for '--level <level>'"),
    (
      ["queue", "list", "--status", "lost"],
      "'lost' is invalid for '--status <status>'. Please provide one of the following: waiting, sen"
    ),
    (["central", "inbox", "--state", "lost"], "'lost' is invalid for '--state <state>'"),
    (["modem", "reset", "--step", "kick"], "'kick' is invalid for '--step <step>'"),
    (["pdu", "decode", "--direction", "up", "00"], "'up' is invalid for '--direction <way>'"),
    (["log", "--since", "soon"], "--since soon: is no time"),
  ])
  func wrongUseIsOneLineAnd64(arguments: [String], expected: String) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains(expected), "\(outcome.errors)")
  }

  @Test func everyCommandExplainsItself() throws {
    let help = try Program.run(["--help"]).lines
    let start = try #require(help.firstIndex { $0.hasPrefix("SUBCOMMANDS:") })
    let names = help[(start + 1)...].filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.contains("log"))
    for name in names where name != "See" {
      let outcome = try Program.run([name, "--help"])
      #expect(outcome.status == 0 && outcome.output.hasPrefix("OVERVIEW: "), "\(name)")
    }
  }
}
