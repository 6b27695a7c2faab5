import ArgumentParser
import Control
import Host
import Settings

/// `sync`.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "The way of the passages to the server.",
    subcommands: [SyncNow.self])
}

/// `sync now`.
struct SyncNow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Let the running service sync now, whatever it waits for.",
    discussion: """
      Pauses after failures end, and everything that was given up is tried again, whatever the reason. \
      Without a line nothing \
      is attempted: it goes on by itself as soon as there is one. `checkpost status --watch` shows how \
      far it comes.
      """)

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let sync = try settings.connect().ask(Operations.SyncNow())
    let out = StandardOutput()
    if output.isJSON {
      try out.json(sync)
    } else {
      try out.line("asked for; until now: \(sync.words)")
    }
    try out.flush()
  }
}
