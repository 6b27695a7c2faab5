import ArgumentParser
import CentralCore
import CentralService
import Control
import EventLoop
import Glibc
import Host
import JSON
import PassageFiles
import Settings
import Text
import Time

/// `central import`.
struct CentralImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Put segments, posts, rangers and numbers in from CSV files, or change those that are there.",
    discussion: """
      Segments: name,distance_km,min_speed_kmh,max_speed_kmh and, where they are not from now on, since: \
      the day from which these numbers hold. A vehicle is judged by what held when it came; --always says that \
      numbers were wrong, and that these always held. Posts: code,name and, for a post at \
      the end of a segment, segment,position_index (0 or 1); phone is the number of its modem. A post \
      that ends several segments stands on a line for each of them. Where it moved on another day than today, since \
      is the day from which it stands there: what it recorded before counts for where it stood then; --always says \
      that it always stood there. Of a \
      post that is there, what the file has no column for stays; an empty cell clears it. \
      Rangers: name,phone,checkpost and, where it is not from now on, since: the day from which \
      they serve there, by which the texts of before are theirs. Numbers, which may speak for a post beside those of its modem \
      and its rangers: number,checkpost,valid_from,valid_until (2026-11-21T14:00:00Z, 2026-11-21 for midnight here, or empty). All files are \
      put in at once, so that two posts can change places. A wrong row is reported with its line, \
      and so are rows that cannot both be meant; the others are put in, and the exit code is then 65.

      Where a file changes violations that were found, or takes them back, the command says how many before, and \
      of how many of them somebody confirmed or fined; it asks, and a script adds --yes.
      """)

  /// A file of theirs, in bytes; the posts and rangers of a whole country need a tenth.
  static let fileBytes = 16 << 20

  @Option(help: ArgumentHelp("A file of segments.", valueName: "file"), completion: .file())
  var segments: String?

  @Option(help: ArgumentHelp("A file of posts.", valueName: "file"), completion: .file())
  var posts: String?

  @Option(help: ArgumentHelp("A file of rangers.", valueName: "file"), completion: .file())
  var rangers: String?

  @Option(
    help: ArgumentHelp("A file of further numbers.", valueName: "file"), completion: .file())
  var numbers: String?

  @Flag(
    help:
      "Other numbers of a segment always held, and posts always stood there: what was judged before was wrong."
  )
  var always = false

  @Flag(help: "Do not ask before violations are changed or taken back.")
  var yes = false

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if segments == nil, posts == nil, rangers == nil, numbers == nil {
      throw ValidationError("name a file by --segments, --posts, --rangers or --numbers")
    }
  }

  func run() throws {
    // In the order in which they refer to each other, and all of them before anything is taken in.
    var files: [ImportedFile] = []
    for case (let kind, let path?) in [
      (CentralImporter.Kind.segments, segments), (.posts, posts), (.rangers, rangers),
      (.numbers, numbers),
    ] {
      files.append(
        ImportedFile(
          kind: kind, path: path, bytes: try InputFile(path).all(limit: CentralImport.fileBytes)))
    }
    let store = try database.open(for: .filling)
    defer { try? store.close() }
    let now = SystemClocks().wall()
    let importer = CentralImporter(store: store, now: now, isAlways: always) {
      try? TimeOption.read($0, "", now: now)
    }
    let prepared = try importer.prepare(files.map { ($0.bytes, $0.kind) })
    let rules = try CentralRules(database.settings.load().settings.central)
    if prepared.judgesAnew { try ask(prepared.entries, store, rules.judging, at: now) }
    let outcomes = try importer.put(prepared)
    let out = StandardOutput()
    for (file, outcome) in zip(files, outcomes) { try file.show(outcome, output, out) }
    try out.flush()
    if outcomes.contains(where: { $0.added + $0.changed > 0 }) {
      let taken = try takeTexts(store, rules, at: now)
      if output.isJSON {
        try out.json(JSONValue.object(["texts_taken": .integer(Int64(taken))]))
      } else if taken > 0 {
        try out.line(
          "\(taken) text\(taken == 1 ? "" : "s") of before taken, as the sender may speak for the post now"
        )
      }
    }
    // What is there is judged by the new directory, here or by the service, whichever is first.
    let judged = try RejudgedSum.judgingAgain(
      store, rules: rules.judging, everything: false, isQuiet: output.isJSON)
    if output.isJSON {
      try out.json(JSONValue.object(["judged_again": judged.object]))
    } else if !judged.isNothing {
      try out.line(judged.words)
    }
    try out.flush()
    try database.wakeService()
    let refused = outcomes.map(\.refused).reduce(0, +)
    if refused > 0 {
      throw CommandFailure(
        .badData,
        "\(refused) row\(refused == 1 ? " was" : "s were") not imported; correct \(refused == 1 ? "it" : "those")"
          + " and import the file again")
    }
  }

  /// Says what would be judged otherwise, and asks.
  private func ask(
    _ entries: [DirectoryEntry], _ store: any CentralStore, _ rules: JudgingRules, at now: WallTime
  ) throws {
    let trial = try store.trial(
      entries, rules: rules, vehicles: ImportEffect.vehicles, at: now)
    let effect = try ImportEffect(trial, in: store)
    guard effect.isToAsk(isAlways: always) else { return }
    if yes, !output.isJSON {
      Diagnostics.say(effect.words)
    }
    try Confirmation.ask(
      effect.words, "Import it", refused: "nothing was imported", isGiven: yes)
  }

  /// Takes texts that were refused because their sender could speak for no such post, and may now. How many these were.
  private func takeTexts(
    _ store: any OpenedCentralStore, _ rules: CentralRules, at now: WallTime
  ) throws -> Int {
    var taken = 0
    var after: Int64? = 0
    while let last = after {
      let page = try store.reprocessAll(
        after: last, reason: Reason.sender, rules: rules, actor: "uid \(getuid())", at: now)
      taken += page.messages.count { message in
        if case .undecodable = message.result { false } else { true }
      }
      after = page.lastID
    }
    return taken
  }
}

/// A file that was read.
private struct ImportedFile {
  var kind: CentralImporter.Kind
  var path: String
  var bytes: [UInt8]

  /// Tells what came of it.
  func show(
    _ outcome: CentralImporter.Outcome, _ output: OutputOptions, _ out: StandardOutput
  ) throws {
    for problem in outcome.problems + outcome.repetitions {
      Diagnostics.say("\(path), line \(problem.line): \(problem.words)")
    }
    guard output.isJSON else {
      let noun = String(kind.rawValue.dropLast())
      try out.line(
        "\(CountText.of(outcome.rows, noun)) from \(path)\(ImportedFile.counts(outcome))")
      return
    }
    try out.json(
      JSONValue.object([
        "table": .text(kind.rawValue), "file": .text(path),
        "imported": .integer(Int64(outcome.rows)), "added": .integer(Int64(outcome.added)),
        "changed": .integer(Int64(outcome.changed)),
        "unchanged": .integer(Int64(outcome.unchanged)),
        "repeated": .integer(Int64(outcome.repeated)),
        "refused": .integer(Int64(outcome.refused)),
        "problems": ImportedFile.list(outcome.problems),
        "repetitions": ImportedFile.list(outcome.repetitions),
      ]))
  }

  private static func list(_ problems: [CentralImporter.Problem]) -> JSONValue {
    .list(
      problems.map {
        .object(["line": .integer(Int64($0.line)), "message": .text($0.words)])
      })
  }

  private static func counts(_ outcome: CentralImporter.Outcome) -> String {
    let counts = [
      (outcome.added, "new"), (outcome.changed, "changed"), (outcome.unchanged, "unchanged"),
      (outcome.repeated, "said again"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")
  }
}
