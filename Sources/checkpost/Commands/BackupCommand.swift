import ArgumentParser
import Control
import EventLoop
import Glibc
import Host
import JSON
import NodeSQLite
import SQLiteFile
import Settings
import Storage

/// `checkpost backup`: the node's database as one file, while the service runs.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Save the node's database as one file, also while the service runs.",
    discussion: """
      The file is one moment of the database, whole and on disk when this ends. Its owner alone can read \
      it, for it has plates in it; what the node signs in to its server with is not. \
      Photographs are files of their own, in the directory that is told: copy that too. `checkpost \
      restore` puts the file back.
      """)

  @Argument(help: "The file to write.", completion: .file())
  var file: String

  @Flag(help: "Replace the file if it is there.")
  var force = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let loaded = try settings.load()
    try BackupCommand.refuseCentral(loaded, "backup")
    let database = loaded.settings.node.database
    try DatabaseExchange(owner: "the node's", file: file, force: force)
      .mayWrite(besides: database)
    let counts = try SQLiteNodeStore.backUp(database, to: file)
    let out = StandardOutput()
    if output.isJSON {
      try out.json(
        JSONValue.object(
          RestoreCommand.object(
            counts, of: file,
            [
              "photo_directory": .text(loaded.settings.photoDirectory)
            ])))
    } else {
      try out.line("\(file): \(RestoreCommand.words(counts))")
      if counts.photos > 0 {
        try out.line("the photographs are in \(loaded.settings.photoDirectory); copy them too")
      }
    }
    try out.flush()
  }
}

extension BackupCommand {
  /// The node's database is none of a central's: what lies there would be another service's.
  static func refuseCentral(_ loaded: LoadedSettings, _ command: String) throws {
    let roles = loaded.settings.roles
    guard roles.central, !roles.node else { return }
    throw CommandFailure(
      .usage,
      "\(loaded.file ?? "the configuration") is central's, and has no node: use checkpost central"
        + " \(command)")
  }
}

/// `checkpost restore`: a saved database in the place of the node's.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a saved database in the place of the node's.",
    discussion: """
      A running service closes its database for that moment, once a text that is being sent is done, and \
      goes on with the saved one; passages recorded meanwhile wait for it. What is replaced is kept beside \
      the database (node.db.before-restore-1). Where it has passages that the server does not \
      have and the saved one lacks, this asks first; without a terminal it needs --force. Passages that \
      were sent since the file was saved are sent again; the server recognises them, and so does \
      central, but a text costs its price twice: queue park what should not go.
      """)

  @Argument(help: "The file that `checkpost backup` wrote.", completion: .file())
  var file: String

  @Flag(help: "Replace the database also where that loses passages which the server does not have.")
  var force = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let loaded = try settings.load()
    try BackupCommand.refuseCentral(loaded, "restore")
    let path = loaded.settings.node.database
    let saved = DatabaseExchange(owner: "the node's", file: file, force: force)
    try saved.isAnother(than: path, "a saved one")
    let lock = try DatabaseExchange.lock(path)
    let bootID = SystemClocks.bootIdentity()
    let (prepared, counts) = try SQLiteNodeStore.prepare(file, for: path, bootID: bootID)
    defer { SQLiteNodeStore.discard(prepared) }
    var lost = try lost(path, unlessIn: prepared, lock == nil ? nil : bootID)
    if lost != 0 { try saved.confirm(loss(lost, path)) }
    let agreed = lost
    let kept = try saved.alone(
      with: path, loaded.settings, lock: lock,
      isReleased: {
        lost = try self.lost(path, unlessIn: prepared, bootID)
        guard force || lost == agreed else {
          throw CommandFailure(
            .tryAgain,
            "something was recorded or sent while you were asked, and nothing was replaced; restore"
              + " again")
        }
      },
      exchange: { try SQLiteNodeStore.exchange(prepared, for: path) })
    let out = StandardOutput()
    if output.isJSON {
      var more: [String: JSONValue] = [:]
      more["kept"] = kept.map { .text($0) }
      more["lost"] = lost.map { .integer(Int64($0)) }
      try out.json(JSONValue.object(RestoreCommand.object(counts, of: path, more)))
    } else {
      try out.line("\(path): \(RestoreCommand.words(counts))")
      if let kept { try out.line("what was there before is kept in \(kept)") }
    }
    try out.flush()
  }

  /// Passages that would be lost; nil where the database cannot be read, and nobody knows.
  ///
  /// - Parameter bootID: nil while a service has it, so that it is only read.
  private func lost(_ path: String, unlessIn prepared: String, _ bootID: String?) throws -> Int? {
    guard access(path, F_OK) == 0 else { return 0 }
    guard
      let current = try? bootID.map({ try SQLiteNodeStore(path: path, bootID: $0) })
        ?? SQLiteNodeStore(readingFrom: path)
    else { return nil }
    // With the last connection its log goes into the file.
    defer { try? current.close() }
    let other = try SQLiteNodeStore(readingFrom: prepared)
    defer { try? other.close() }
    return try current.unsyncedMissing(in: other)
  }

  /// What would be lost, in words.
  private func loss(_ lost: Int?, _ path: String) -> String {
    lost.map { count in
      "\(count) passage\(count == 1 ? "" : "s") in \(path) \(count == 1 ? "is" : "are") neither on the"
        + " server nor in \(file)"
    } ?? "\(path) cannot be read, so nobody knows which passages in it are on no server"
  }

  // MARK: What both commands tell

  static func words(_ counts: StoreCounts) -> String {
    "\(counts.passages) passage\(counts.passages == 1 ? "" : "s"), \(counts.unsynced) of them not on the"
      + " server, \(counts.photos) with a photograph"
  }

  static func object(
    _ counts: StoreCounts, of path: String, _ more: [String: JSONValue]
  ) -> [String: JSONValue] {
    [
      "path": .text(path), "passages": .integer(Int64(counts.passages)),
      "unsynced": .integer(Int64(counts.unsynced)), "photos": .integer(Int64(counts.photos)),
    ].merging(more) { $1 }
  }
}
