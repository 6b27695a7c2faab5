import ArgumentParser
import CentralCore
import Control
import EventLoop
import Host
import JSON
import Settings
import Text

/// `checkpost central`: the office that receives.
struct CentralCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "central", abstract: "Set up the central, and see what arrived.",
    subcommands: [
      CentralInit.self, CentralMigrate.self, CentralImport.self, CentralPassages.self,
      CentralInbox.self, CentralRangers.self, CentralNumbers.self, CentralViolations.self,
      CentralAlerts.self, CentralMatch.self,
      CentralForwards.self, CentralExport.self, CentralReplay.self, CentralErase.self,
      CentralUsers.self, CentralKeys.self, CentralBackup.self, CentralRestore.self,
    ])
}

/// The central's database, as the settings or an option name it.
struct CentralDatabase: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The central's database; by default that of the configuration.", valueName: "file"),
    completion: .file())
  var database: String?

  @OptionGroup var settings: SettingsOptions

  /// Opens the database.
  func open(for use: CentralStores.Use) throws -> any OpenedCentralStore {
    if let database { return try CentralStores.open(file: database, for: use) }
    return try CentralStores.open(settings.load().settings.central, for: use)
  }

  /// What it is called, for people.
  func place() throws -> String {
    try database ?? CentralStores.place(settings.load().settings.central)
  }

  func wakeService() throws {
    guard database == nil else { return }
    RunningService.tell(
      Operations.CentralWake(), socket: try settings.load().settings.control.socket)
  }
}

/// `central init`.
struct CentralInit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make the central's database, or check the one that is there.")

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func run() throws {
    let place = try database.place()
    let store = try database.open(for: .service)
    let overview = try store.overview()
    try store.close()
    let out = StandardOutput()
    if output.isJSON {
      var object = JSONText.object(of: CentralReport(overview))
      object["database"] = .text(place)
      try out.json(JSONValue.object(object))
    } else {
      try out.line(
        "\(place): ready, with \(CountText.of(overview.posts, "post")),"
          + " \(CountText.of(overview.rangers, "ranger")), "
          + CountText.of(overview.passages, "passage"))
    }
    try out.flush()
  }
}
