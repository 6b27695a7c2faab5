import ArgumentParser
import CentralCore
import Control
import EventLoop
import Host
import JSON
import Settings
import Storage
import Text
import Time

/// `central match`: judges all that is there once more.
struct CentralMatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Judge all passages again, and say what changed.",
    discussion: """
      Passages are judged as they come, and again when posts, segments or the numbers of the configuration \
      change. This does it for all of them at any time, a few hundred vehicles at once, beside a service \
      that runs. It changes nothing where nothing has to be changed.
      """)

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func run() throws {
    let rules = try JudgingRules(database.settings.load().settings.central)
    let store = try database.open(for: .changing)
    defer { try? store.close() }
    let judged = try RejudgedSum.judgingAgain(
      store, rules: rules, everything: true, isQuiet: output.isJSON)
    try judged.show(output)
    try database.wakeService()
  }
}

/// What came of judging again.
struct RejudgedSum {
  private(set) var records = 0
  private var vehicles = 0
  private var paired = 0
  private var parted = 0
  private var changes: [ViolationRevision.Change: Int] = [:]
  private var alerts = 0

  /// Judges vehicles again until none is left to be, and shows at a terminal how far that is.
  static func judgingAgain(
    _ store: any CentralStore, rules: JudgingRules, everything: Bool, isQuiet: Bool
  ) throws(StorageError) -> RejudgedSum {
    let clocks = SystemClocks()
    let total = try store.overview().passages
    var bar = ProgressBar("judging", total: max(1, total), isQuiet: isQuiet)
    defer { bar.finish() }
    var judged = RejudgedSum()
    var begins = everything
    while true {
      let step = try store.rejudge(
        rules: rules, everything: begins, limit: CentralCore.Limits.rejudgedAtOnce,
        at: clocks.wall())
      judged.add(step)
      if step.isDone { return judged }
      begins = false
      bar.show(min(total, judged.records))
    }
  }

  mutating func add(_ step: Rejudged) {
    records += step.records
    vehicles += step.vehicles
    paired += step.changes.paired.count
    parted += step.changes.parted.count
    for change in step.changes.violations { changes[change.revision.change, default: 0] += 1 }
    alerts += step.changes.raised.count + step.changes.ended.count
  }

  /// Whether nothing changed.
  var isNothing: Bool { paired + parted + alerts + changes.count == 0 }

  func show(_ output: OutputOptions) throws {
    let out = StandardOutput()
    if output.isJSON {
      try out.json(object)
    } else {
      try out.line(words)
    }
    try out.flush()
  }

  /// What changed, in numbers.
  var object: JSONValue {
    var object: [String: JSONValue] = [
      "vehicles": .integer(Int64(vehicles)), "records": .integer(Int64(records)),
      "paired": .integer(Int64(paired)), "parted": .integer(Int64(parted)),
      "alerts_changed": .integer(Int64(alerts)),
    ]
    for change in ViolationRevision.Change.allCases {
      object["violations_\(change.rawValue)"] = .integer(Int64(changes[change] ?? 0))
    }
    return .object(object)
  }

  /// What changed, in words.
  var words: String {
    let judged = "judged \(CountText.of(vehicles, "vehicle")) again"
    guard !isNothing else { return "\(judged); nothing changed" }
    let counts = ViolationRevision.Change.allCases.compactMap { change in
      changes[change].map { "\($0) \(change.rawValue)" }
    }
    let violations = counts.isEmpty ? "none" : counts.joined(separator: ", ")
    return "\(judged): pairs made \(paired), parted \(parted); violations: \(violations); alerts"
      + " changed \(alerts)"
  }
}
