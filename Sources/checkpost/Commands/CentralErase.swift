import ArgumentParser
import CentralCore
import Control
import EventLoop
import Glibc
import HTTPServer
import Host
import JSON
import Settings
import Storage
import Text
import Time

/// `central erase`: forgets one vehicle.
struct CentralErase: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase all that is known of one vehicle, on its owner's request.",
    discussion: """
      Passages, reports, corrections, alerts, retracted violations, photographs, and the messages that \
      name the plate, also of what was read as this plate and corrected to another one. The evidence of \
      violations stays while their outcome is open, and after that for as long as central.keep says; \
      --with-open-violations takes that too. What was erased is overwritten on disk; copies and backups \
      are not reached. It is noted in the audit log how much was erased, and not of whom. What a post \
      still holds comes again with its next report; then erase it again.
      """)

  @Option(help: ArgumentHelp("The plate, however it is spelled.", valueName: "plate"))
  var plate: String

  @Flag(help: "Erase the evidence of open violations too.")
  var withOpenViolations = false

  @Flag(help: "Only say what would be erased.")
  var dryRun = false

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func run() throws {
    let settings = try database.settings.load().settings.central
    let rules = try JudgingRules(settings)
    let store = try database.open(for: .changing)
    defer { try? store.close() }
    let keeping = try store.keeping()
    let wall = SystemClocks().wall()
    var order = ErasureOrder(plate: try CentralExport.plate(plate))
    order.takesOpenViolations = withOpenViolations
    order.actor = "uid \(getuid())"
    order.isTrial = true
    let trial = try keeping.erase(order, rules: rules, at: wall)
    guard !dryRun else { return try show(trial, isTrial: true) }
    guard !trial.dropped.isEmpty else {
      guard trial.held > 0 else {
        let rest = trial.closed > 0 ? " but the evidence of violations whose outcome is kept" : ""
        throw CommandFailure(.badData, "nothing is known of that plate\(rest)")
      }
      throw CommandFailure(
        .badData,
        "of that plate only the evidence of \(CountText.of(trial.held, "open violation")) is known, which"
          + " stays until \(trial.held == 1 ? "it is" : "they are") closed; --with-open-violations erases"
          + " that too")
    }
    try Confirmation.ask(
      words(trial), "Erase it", refused: "nothing was erased", isGiven: yes)
    order.isTrial = false
    let erased = try keeping.erase(order, rules: rules, at: wall)
    let names = try keeping.droppedPhotographs(limit: 10_000)
    try keeping.forget(photographs: ObjectDirectory(settings.photos).remove(names))
    try show(erased, isTrial: false)
    try database.wakeService()
  }

  private func words(_ erased: Erased) -> String {
    let dropped = erased.dropped
    return "passages \(dropped.passages), reports \(dropped.reports), corrections"
      + " \(dropped.corrections), violations \(dropped.violations), outcomes \(dropped.outcomes),"
      + " alerts \(dropped.alerts), messages \(dropped.messages), photographs \(dropped.photographs)"
  }

  private func show(_ erased: Erased, isTrial: Bool) throws {
    let out = StandardOutput()
    if output.isJSON {
      let dropped = erased.dropped
      var object: [String: JSONValue] = [
        "erased": .flag(!isTrial), "passages": .integer(Int64(dropped.passages)),
        "reports": .integer(Int64(dropped.reports)),
        "corrections": .integer(Int64(dropped.corrections)),
        "violations": .integer(Int64(dropped.violations)),
        "outcomes": .integer(Int64(dropped.outcomes)),
        "alerts": .integer(Int64(dropped.alerts)), "messages": .integer(Int64(dropped.messages)),
        "photographs": .integer(Int64(dropped.photographs)),
        "open_violations": .integer(Int64(erased.held)),
        "closed_violations": .integer(Int64(erased.closed)),
      ]
      object["last_report_at"] = erased.lastAt.map { .text($0.rfc3339) }
      try out.json(JSONValue.object(object))
    } else {
      try out.line("\(isTrial ? "would erase" : "erased"): \(words(erased))")
      if erased.held > 0 {
        try out.line(
          "open violations whose evidence stays: \(erased.held); --with-open-violations takes it too"
        )
      }
      if erased.closed > 0 {
        try out.line(
          "violations with an outcome whose evidence stays for as long as central.keep says:"
            + " \(erased.closed); --with-open-violations takes it too")
      }
    }
    try out.flush()
  }
}

extension OpenedCentralStore {
  /// What the store forgets and hands out whole.
  ///
  /// - Throws: That it cannot do that yet.
  func keeping() throws(CommandFailure) -> any KeepingStore {
    guard let keeping = self as? any KeepingStore else {
      throw CommandFailure(.unavailable, "this kind of store cannot do that yet; SQLite can")
    }
    return keeping
  }
}
