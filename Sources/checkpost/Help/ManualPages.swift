import Control
import Host
import Settings

/// All manual pages, from the command definitions, the settings and the reference.
enum ManualPages {
  /// The pages: one for the program, for each of its commands, for the configuration, and the reference.
  static func all() throws(CommandFailure) -> [ManualPage] {
    let program = try CommandDescription.program()
    var pages = [overview(of: program)]
    pages += program.subcommands.map { page(of: $0) }
    pages.append(configuration())
    pages.append(Reference.manualPage())
    return pages
  }

  private static func overview(of program: CommandDescription) -> ManualPage {
    var page = ManualPage(
      program.name, section: 1, version: Version.current, abstract: program.abstract)
    page.heading("SYNOPSIS")
    page.synopsis(program, isFirst: true)
    page.heading("DESCRIPTION")
    page.prose(program.discussion)
    page.heading("COMMANDS")
    for command in program.subcommands { page.entry("checkpost \(command.name)", command.abstract) }
    page.heading("OPTIONS")
    page.options(of: program)
    exitStatus(&page)
    page.heading("FILES")
    page.entry(LoadedSettings.standardPath, "The configuration, see checkpost.yaml(5).")
    page.entry(Settings().node.database, "The passages of a post, and what became of each.")
    page.entry(Settings().central.database, "What the office received.")
    page.entry(Settings().control.socket, "The socket by which commands reach the service.")
    if let log = Settings().log.file { page.entry(log, "The events, as JSON Lines.") }
    page.heading("ENVIRONMENT")
    page.entry("CHECKPOST_CONFIG", "The configuration file, where --config names none.")
    page.entry(
      "CHECKPOST_NODE_FALLBACK_AFTER",
      "Overrides node.fallback_after; every other setting has a variable of that form.")
    page.entry("NO_COLOR", "No colours, whatever the terminal can.")
    seeAlso(
      program.subcommands.map { "checkpost-\($0.name)(1)" } + [
        "checkpost.yaml(5)", "checkpost-reference(7)",
      ], &page)
    return page
  }

  private static func page(of command: CommandDescription) -> ManualPage {
    var page = ManualPage(
      "checkpost-\(command.name)", section: 1, version: Version.current,
      abstract: command.abstract)
    page.heading("SYNOPSIS")
    for (number, each) in flat(command).filter(\.subcommands.isEmpty).enumerated() {
      page.synopsis(each, isFirst: number == 0)
    }
    page.heading("DESCRIPTION")
    page.prose(command.discussion.isEmpty ? command.abstract : command.discussion)
    if command.subcommands.isEmpty {
      page.heading("OPTIONS")
      page.options(of: command)
    } else {
      page.heading("COMMANDS")
      for each in flat(command).dropFirst() {
        page.subheading(each.path)
        page.prose(each.abstract)
        if !each.discussion.isEmpty { page.prose(each.discussion, goesOn: true) }
        page.options(of: each)
      }
    }
    exitStatus(&page)
    seeAlso(["checkpost(1)", "checkpost.yaml(5)", "checkpost-reference(7)"], &page)
    return page
  }

  /// A command and all below it.
  private static func flat(_ command: CommandDescription) -> [CommandDescription] {
    [command] + command.subcommands.flatMap { flat($0) }
  }

  private static func configuration() -> ManualPage {
    var page = ManualPage(
      "checkpost.yaml", section: 5, version: Version.current,
      abstract: "the configuration of checkpost")
    page.heading("DESCRIPTION")
    page.prose(
      """
      The file is read from --config, $CHECKPOST_CONFIG or \(LoadedSettings.standardPath); without one \
      the defaults hold. checkpost config init writes the first one, checkpost config check tells what \
      is wrong with one.

      Every setting there is, each at its default:
      """)
    page.text(verbatim: Settings.referenceYAML())
    seeAlso(["checkpost(1)", "checkpost-config(1)"], &page)
    return page
  }

  private static func exitStatus(_ page: inout ManualPage) {
    page.heading("EXIT STATUS")
    for (status, words) in ExitStatus.all { page.entry(String(status.code), words) }
  }

  private static func seeAlso(_ pages: [String], _ page: inout ManualPage) {
    page.heading("SEE ALSO")
    page.prose(pages.joined(separator: ", "))
  }
}

extension ManualPage {
  /// Lines of a file, as they are.
  fileprivate mutating func text(verbatim text: String) {
    verbatim(text.split(separator: "\n", omittingEmptySubsequences: false))
  }
}
