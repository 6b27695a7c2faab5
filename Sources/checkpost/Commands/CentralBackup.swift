import ArgumentParser
import CentralCore
import CentralSQLite
import Control
import Glibc
import Host
import JSON
import SQLiteFile
import Settings
import Storage
import Text

/// `checkpost central backup`: all that central keeps as one file, while it runs.
struct CentralBackup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Save central's database as one file, also while the service runs.",
    discussion: """
      The file is one moment of the database, whole and on disk when this ends: posts, rangers, passages, texts, \
      violations, accounts and keys. Of a PostgreSQL database it is what pg_dump writes in its custom format; \
      postgresql-client has to be installed. Its owner alone can read it, for it has plates and phone numbers in \
      it. Photographs, the key of access tokens and the key of the log's masks are files of their own: \
      copy these too. `checkpost central restore` puts the file back.
      """)

  @Argument(help: "The file to write.", completion: .file())
  var file: String

  @Flag(help: "Replace the file if it is there.")
  var force = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let loaded = try settings.load()
    try CentralBackup.refuseNode(loaded, "backup")
    let central = loaded.settings.central
    try DatabaseExchange(owner: "central's", file: file, force: force)
      .mayWrite(besides: central.store == .sqlite ? central.database : nil)
    let store = try CentralStores.open(central, for: .reading)
    let overview = try store.overview()
    try store.close()
    try CentralStores.backUp(central, to: file)
    let out = StandardOutput()
    if output.isJSON {
      try out.json(
        JSONValue.object([
          "path": .text(file), "database": .text(try CentralStores.place(central)),
          "passages": .integer(Int64(overview.passages)),
          "messages": .integer(Int64(overview.received)),
          "photo_directory": .text(central.photos),
        ]))
    } else {
      try out.line("\(file): \(CentralBackup.words(overview))")
      try out.line("the photographs are in \(central.photos); copy them too")
    }
    try out.flush()
  }

  static func words(_ overview: CentralOverview) -> String {
    "\(CountText.of(overview.passages, "passage")) of \(CountText.of(overview.received, "message"))"
  }

  /// A node's configuration names no database of a central: what lies at the default place is another service's.
  static func refuseNode(_ loaded: LoadedSettings, _ command: String) throws {
    let roles = loaded.settings.roles
    guard roles.node, !roles.central else { return }
    throw CommandFailure(
      .usage,
      "\(loaded.file ?? "the configuration") is a post's, and has no central: use checkpost \(command)"
    )
  }
}

/// `checkpost central restore`: a saved database in the place of central's.
struct CentralRestore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a saved database in the place of central's.",
    discussion: """
      A running service closes its database for that moment and goes on with the saved one; a client that hands \
      something in meanwhile is answered that it cannot be kept, and tries again. What came after the file was \
      saved is lost, so this asks first where there is any; without a terminal it needs --force. Of a SQLite \
      database what is replaced is kept beside it (central.db.before-restore-1); of a PostgreSQL database \
      nothing is, so run `checkpost central backup` before. Other centrals of the same PostgreSQL database have to \
      be stopped.
      """)

  @Argument(help: "The file that `checkpost central backup` wrote.", completion: .file())
  var file: String

  @Flag(help: "Replace the database also where that loses what came since the file was saved.")
  var force = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  private var saved: DatabaseExchange {
    DatabaseExchange(owner: "central's", file: file, force: force)
  }

  func run() throws {
    let loaded = try settings.load()
    try CentralBackup.refuseNode(loaded, "restore")
    let outcome =
      switch loaded.settings.central.store {
      case .sqlite: try restoreFile(loaded.settings)
      case .postgresql: try restoreDump(loaded.settings)
      }
    let out = StandardOutput()
    if output.isJSON {
      var object: [String: JSONValue] = [
        "database": .text(try CentralStores.place(loaded.settings.central)),
        "passages": .integer(Int64(outcome.overview.passages)),
        "messages": .integer(Int64(outcome.overview.received)),
      ]
      object["kept"] = outcome.kept.map { .text($0) }
      try out.json(JSONValue.object(object))
    } else {
      try out.line(
        "\(try CentralStores.place(loaded.settings.central)): \(CentralBackup.words(outcome.overview))"
      )
      if let kept = outcome.kept { try out.line("what was there before is kept in \(kept)") }
    }
    try out.flush()
  }

  // MARK: A SQLite file

  private func restoreFile(_ settings: Settings) throws -> (
    overview: CentralOverview, kept: String?
  ) {
    let path = settings.central.database
    try saved.isAnother(than: path, "a saved one")
    let prepared = try SQLiteCentralStore.prepare(file, for: path)
    defer { SQLiteCentralStore.discard(prepared) }
    let content = try overview(ofFileAt: prepared)
    if access(path, F_OK) == 0 { try ask(try? overview(ofFileAt: path), content, path) }
    let kept = try saved.alone(with: path, settings, lock: try DatabaseExchange.lock(path)) {
      try SQLiteCentralStore.exchange(prepared, for: path)
    }
    return (content, kept)
  }

  private func overview(ofFileAt path: String) throws -> CentralOverview {
    let store = try SQLiteCentralStore(readingFrom: path)
    defer { try? store.close() }
    return try store.overview()
  }

  // MARK: A PostgreSQL database

  private func restoreDump(_ settings: Settings) throws -> (
    overview: CentralOverview, kept: String?
  ) {
    guard DatabaseDump.isDump(file) else {
      throw CommandFailure(
        .badData, "\(file): is no file that pg_dump wrote in its custom format; name another")
    }
    let place = try CentralStores.place(settings.central)
    let current = try? read(settings.central)
    // What the file holds is known once it is restored: any passage that is there may be newer.
    if let current, current.received > 0 || current.passages > 0 {
      try saved.confirm(
        "\(place) has \(CentralBackup.words(current)); all of it is replaced by what \(file) holds, and"
          + " nothing of it is kept")
    }
    var released: ReleasedStore?
    defer { withExtendedLifetime(released) {} }
    if RunningService.isThere(socket: settings.control.socket) {
      released = try saved.release(settings, database: place)
    }
    try DatabaseDump(settings.central).restore(from: file)
    return (try read(settings.central), nil)
  }

  private func read(_ settings: Settings.Central) throws -> CentralOverview {
    let store = try CentralStores.open(settings, for: .reading)
    defer { try? store.close() }
    return try store.overview()
  }

  // MARK: Asking

  /// Asks where something came after the file was saved.
  private func ask(
    _ current: CentralOverview?, _ content: CentralOverview, _ path: String
  ) throws {
    guard let current else {
      return try saved.confirm(
        "\(path) cannot be read, so nobody knows what in it is not in \(file)")
    }
    guard current.received > content.received || current.passages > content.passages else { return }
    try saved.confirm(
      "\(path) has \(CentralBackup.words(current)), and \(file) \(CentralBackup.words(content)): what came"
        + " since would be lost to central")
  }
}
