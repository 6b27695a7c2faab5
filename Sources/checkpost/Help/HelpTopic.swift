import Control
import Events
import Host
import Settings

/// What `checkpost help TOPIC` tells beside the help of a command.
enum HelpTopic: String, CaseIterable {
  case events
  case problems
  case keys
  case exitCodes = "exit-codes"
  case settings
  case reference

  /// What it is about, in one line.
  var words: String {
    switch self {
    case .events: "every event of the log by its name"
    case .problems: "every problem that status and doctor show, and what helps"
    case .keys: "every key of what --json prints"
    case .exitCodes: "what the exit codes mean"
    case .settings: "every setting with its default and its meaning"
    case .reference: "events, problems, keys and exit codes as one page of Markdown"
    }
  }

  /// The topic for people.
  func lines(isColoured: Bool) -> [ShownText] {
    switch self {
    case .events:
      var table = TextTable(["event", "meaning"])
      for entry in EventCatalogue.entries { table.add([entry.name, entry.words]) }
      return table.lines(isColoured: isColoured)
    case .problems:
      var table = TextTable(["problem", "severity", "meaning", "what helps"])
      for entry in ProblemCatalogue.entries {
        table.add([
          entry.name, entry.severities.map(\.rawValue).joined(separator: ", "), entry.words,
          entry.remedy,
        ])
      }
      return table.lines(isColoured: isColoured)
    case .keys:
      return KeyCatalogue.groups.enumerated().flatMap { number, group in
        var table = TextTable([group.title, ""])
        for key in group.keys { table.add([key.name, key.words]) }
        return (number > 0 ? [""] : []) + table.lines(isColoured: isColoured)
      }
    case .exitCodes:
      var table = TextTable([("code", .right), ("meaning", .left)])
      for (status, words) in ExitStatus.all { table.add([String(status.code), words]) }
      return table.lines(isColoured: isColoured)
    case .settings: return ShownText.lines(String(Settings.referenceYAML().dropLast()))
    case .reference: return ShownText.lines(String(Reference.markdown.dropLast()))
    }
  }
}

/// The page of all that scripts may rely on.
enum Reference {
  /// The page as `Documentation/Reference.md` has it.
  static var markdown: String {
    var page = """
      # Reference

      What scripts may rely on, as `checkpost help reference` prints it from the program's own tables.

      ## Exit codes

      Those of `sysexits.h`, each with one line on standard error.

      | code | meaning |
      |---|---|

      """
    for (status, words) in ExitStatus.all { page += "| \(status.code) | \(words) |\n" }
    page += """

      ## Events

      Names never change. `checkpost log --event NAME` shows one, `--json` all its fields.

      | event | meaning |
      |---|---|

      """
    for entry in EventCatalogue.entries { page += "| `\(entry.name)` | \(entry.words) |\n" }
    page += """

      ## Problems

      What stands, in `status`, `status --json` and `doctor` (69 with a critical one), and in the log as an event
      of its own or as `problem_began` and `problem_ended`. Names never change. `/healthz` says `degraded`, or
      503 `unavailable`, where it counts.

      | problem | severity | meaning | what helps | `/healthz` | event |
      |---|---|---|---|---|---|

      """
    for entry in ProblemCatalogue.entries {
      page += "| `\(entry.name)` | \(entry.severities.map(\.rawValue).joined(separator: ", ")) |"
      page += " \(entry.words) | \(entry.remedy) | \(entry.health?.rawValue ?? "ok") |"
      page += " `\(entry.event ?? "problem_began")` |\n"
    }
    page += """

      ## JSON keys

      What is not known, or does not apply, is left out or `null`. Times are RFC 3339 in UTC unless the
      key ends in `_ms` (milliseconds since 1970).

      """
    for group in KeyCatalogue.groups {
      page += "\n### \(group.title)\n\n| key | meaning |\n|---|---|\n"
      for key in group.keys { page += "| `\(key.name)` | \(key.words) |\n" }
    }
    return page
  }

  /// The same as a page of the manual.
  static func manualPage() -> ManualPage {
    var page = ManualPage(
      "checkpost-reference", section: 7, version: Version.current,
      abstract: "exit codes, events and JSON keys of checkpost")
    page.heading("EXIT STATUS")
    for (status, words) in ExitStatus.all { page.entry(String(status.code), words) }
    page.heading("EVENTS")
    for entry in EventCatalogue.entries { page.entry(entry.name, entry.words) }
    page.heading("PROBLEMS")
    for entry in ProblemCatalogue.entries {
      page.entry(entry.name, "\(entry.words) \(entry.remedy)")
    }
    page.heading("JSON KEYS")
    page.prose(
      "What is not known, or does not apply, is left out or null. Times are RFC 3339 in UTC unless the "
        + "key ends in _ms (milliseconds since 1970).")
    for group in KeyCatalogue.groups {
      page.subheading(group.title)
      for key in group.keys { page.entry(key.name, key.words) }
    }
    page.heading("SEE ALSO")
    page.prose("checkpost(1), checkpost.yaml(5)")
    return page
  }
}
