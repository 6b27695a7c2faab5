import ArgumentParser
import CentralPostgreSQL
import Control
import EventLoop
import Host
import JSON
import PostgreSQL
import Settings
import Time

/// `central migrate`.
struct CentralMigrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Write central's schema into a PostgreSQL database, or take it out again.",
    discussion: """
      The database may be empty or have the deployed tables with rows in them: nothing is renamed or \
      dropped, and the passages that are there are taken in and judged. Done twice it changes nothing, \
      and ended half-way it goes on where it was.

      With central.postgresql.partitions: month, the tables that grow fastest are divided by the month, with all \
      that is in them; with none they are put together again. Nobody can write meanwhile.

      --down drops what is in the schema checkpost for good: the inbox, the evidence, accounts, keys. It asks \
      first; a script adds --yes.
      """)

  @Option(
    help: ArgumentHelp(
      "The database as libpq names one; by default central.postgresql.connection.",
      valueName: "text"))
  var databaseURL: String?

  @Flag(help: "Tell what would be done, and try it in a transaction that is undone.")
  var dryRun = false

  @Flag(help: "Take the schema out again; rows that were set aside are put back.")
  var down = false

  @Flag(help: "Do not ask before --down.")
  var yes = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let connection = try PostgreSQLConnection(try place(), clocks: SystemClocks())
    defer { connection.close() }
    let partitions = try self.partitions()
    let steps =
      try down
      ? Migration.planDown(connection) : Migration.plan(connection, partitions: partitions)
    let out = StandardOutput()
    if !output.isJSON {
      for step in steps { try out.line((dryRun ? "would " : "") + step) }
      if steps.isEmpty { try out.line("there is nothing to do") }
      try out.flush()
    }
    if down, !dryRun, let last = steps.last {
      try Confirmation.ask(
        output.isJSON ? steps.joined(separator: "; ") : last, "Do it",
        refused: "nothing was changed", isGiven: yes)
    }
    if !steps.isEmpty { try migrate(connection, partitions) }
    if output.isJSON {
      try out.json(object(steps, try Migration.status(connection)))
    } else if !steps.isEmpty {
      try out.line(dryRun ? "it would succeed; nothing was changed" : "done")
    }
    try out.flush()
  }

  private func object(_ steps: [String], _ status: Migration.Status) -> JSONValue {
    let words: [JSONValue] = steps.map { .text($0) }
    let version: JSONValue = status.version.map { .integer($0) } ?? .null
    let object: [String: JSONValue] = [
      "steps": .list(words), "dry_run": .flag(dryRun), "down": .flag(down), "version": version,
      "needed": .integer(status.needed), "complete": .flag(status.isComplete),
      "rows": .integer(status.rows), "partitions": .text(status.partitions.rawValue),
    ]
    return .object(object)
  }

  private func migrate(
    _ connection: PostgreSQLConnection, _ partitions: TablePartitions?
  ) throws {
    var bar: ProgressBar?
    defer { bar?.finish() }
    func show(_ progress: Migration.Progress) {
      guard case .adopting(let count, let total) = progress else { return }
      if bar == nil { bar = ProgressBar("judging", total: Int(total), isQuiet: output.isJSON) }
      bar?.show(Int(count))
    }
    if down {
      try Migration.down(connection, isDryRun: dryRun, progress: show)
    } else {
      try Migration.up(connection, partitions: partitions, isDryRun: dryRun, progress: show)
    }
  }

  /// How the tables are to be kept; nil where no configuration says so, and they stay as they are.
  private func partitions() throws -> TablePartitions? {
    guard databaseURL == nil else { return nil }
    switch try settings.load().settings.central.postgresql.partitions {
    case .none: return TablePartitions.none
    case .month: return .month
    }
  }

  /// The database, with more patience than a service has: a table may be long in making.
  private func place() throws -> PostgreSQLSettings {
    var place =
      if let databaseURL { try PostgreSQLSettings(text: databaseURL) } else {
        try CentralStores.database(settings.load().settings.central.postgresql)
      }
    place.session = .readWrite
    place.statementTimeout = .seconds(3_600)
    place.answerTimeout = .seconds(3_660)
    return place
  }
}
