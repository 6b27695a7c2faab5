import ArgumentParser
import Control
import EventLoop
import Glibc
import Host
import JSON
import Settings
import Text
import Time

/// `checkpost overdue`: vehicles that came in at the other post and ought to have left here by now.
struct OverdueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overdue",
    abstract: "List vehicles that entered at the other post and should be out by now.",
    discussion: """
      The running service knows them: it asks the server for what passed at the other post, and reads that \
      post's texts. The vehicle that is late the longest stands first. --all also lists vehicles that were too \
      fast or too slow, and those that were overdue and came out, as far back as the service keeps them.
      """)

  @Flag(help: "List all warnings, also those that are over.")
  var all = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let answer = try settings.connect().ask(Operations.Warnings(isOpen: !all))
    let out = StandardOutput()
    let warnings = all ? answer.warnings : answer.warnings.sorted { $0.entryAt < $1.entryAt }
    if output.isJSON {
      for warning in warnings { try out.json(warning) }
      return try out.flush()
    }
    let now = SystemClocks().wall()
    let clock = LocalClock.ofThisMachine
    if warnings.isEmpty {
      try out.line(all ? "No vehicle was warned of." : "No vehicle is overdue.")
    }
    for warning in warnings { try out.lines(lines(warning, now: now, clock: clock)) }
    try out.flush()
  }

  private func lines(_ warning: AlertReport, now: WallTime, clock: LocalClock) -> [ShownText] {
    let columns = Terminal.room(STDOUT_FILENO) ?? .max
    let text: String
    if warning.kind == "overdue" {
      text =
        OverdueCommand.words(warning, TimeWords(seenAt: now, clock: clock))
        + (warning.ending.map { " (over: \(OverdueCommand.ending($0)))" } ?? "")
    } else {
      text = RecordedWords(clock: clock, now: now).lines(warning).joined(separator: "; ")
    }
    return WrappedText.lines(ForeignText.shown(text), columns: columns, indent: 2).enumerated().map
    {
      ShownText(alreadySafe: ($0.offset == 0 ? "" : "  ") + $0.element)
    }
  }

  /// A vehicle that is overdue: `BA 1 PA 1234 car: in at BNP-B 12:04, due 13:31, 22 min late`.
  static func words(_ warning: AlertReport, _ times: TimeWords) -> String {
    let vehicle = [warning.plateDisplay, warning.vehicleType].compactMap { $0 }
      .joined(separator: ", ")
    func minute(_ text: String?) -> String? {
      text.flatMap { WallTime(rfc3339: $0) }.map(times.minute)
    }
    var words = "\(vehicle): in"
    if let post = warning.entryCheckpost { words += " at \(post)" }
    if let entry = minute(warning.entryAt) { words += " \(entry)" }
    if let due = warning.dueAt.flatMap({ WallTime(rfc3339: $0) }) {
      words += ", due \(minute(warning.dueAt) ?? "")"
      if warning.ending == nil {
        words += ", \(max(0, (times.now - due).wholeSeconds / 60)) min late"
      }
    }
    return words
  }

  private static func ending(_ name: String) -> String {
    switch name {
    case "seen":
      "it was seen"
    case "settled":
      "the server has its exit"
    default:
      "it was not seen within the time that a travel can take"
    }
  }
}
