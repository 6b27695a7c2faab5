import Events
import Log
import Settings
import Time

/// Reads the configuration again when a signal asks for it, and has the roles take it up.
struct Reloading {
  let readAgain: () throws -> LoadedSettings
  let settings: CurrentSettings
  let node: NodeRole?
  let central: CentralRole?
  let log: ServiceLog
  let clocks: any Clocks

  func reload() {
    do {
      let new = try readAgain()
      let current = settings.loaded.settings
      for change in current.changes(to: new.settings) {
        log.record(
          Event(
            "setting_changed", change.needsRestart ? .warning : .notice, at: clocks.wall(),
            words: "\(change.key): \(change.before) becomes \(change.after)"
              + (change.needsRestart ? " at the next start" : ""),
            isForeign: true))
      }
      var taken = new
      taken.settings = current.reloading(from: new.settings)
      // The node last: of what it is asked for, it opens the line to the server.
      let parts = [central?.reload, node?.reload].compactMap { $0 }
      try Reload.apply(parts.map { reload in { try reload(taken) } })
      settings.change(to: taken)
      log.apply(taken.settings.log)
      log.record(
        Event(
          "settings_reloaded", .notice, at: clocks.wall(), words: "configuration read again"))
      ServiceChecks(taken).record(in: log, at: clocks.wall())
    } catch {
      log.record(
        Event(
          "settings_refused", .error, at: clocks.wall(),
          words: "the configuration is wrong, the old one stays: \(error)", isForeign: true))
    }
  }
}
