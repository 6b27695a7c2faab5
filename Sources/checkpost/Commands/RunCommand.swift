import ArgumentParser
import EventLoop
import Glibc
import Operations
import Time

/// `checkpost run`: the service.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the service with the roles that the configuration enables.",
    discussion: """
      Ends cleanly on SIGTERM and SIGINT: a text that is being sent is finished first. Reads the \
      configuration again on SIGHUP, and opens its log anew.
      """)

  @OptionGroup var settings: SettingsOptions

  func run() throws {
    let loaded = try settings.load()
    let roles = loaded.settings.roles
    guard roles.node || roles.central else {
      throw CommandFailure(
        .configuration,
        "\(loaded.file ?? "the built-in defaults"): no role is enabled; set roles.node or"
          + " roles.central to true")
    }
    MachineMemory.prepare()
    let signals = try SignalWatch()
    let clocks = SystemClocks()
    let log = try ServiceLog.open(
      loaded, isColoured: Terminal.showsColours(STDOUT_FILENO))
    let desk = try ControlDesk(
      ControlServer(path: loaded.settings.control.socket), clocks: clocks)
    defer {
      desk.stop()
      desk.join()
    }
    try log.startSyncing(clocks: clocks)
    defer { log.stopSyncing() }
    try serve(loaded, clocks, log, desk, signals)
  }

  private func serve(
    _ loaded: LoadedSettings, _ clocks: SystemClocks, _ log: ServiceLog, _ desk: ControlDesk,
    _ signals: SignalWatch
  ) throws {
    let roles = loaded.settings.roles
    let whenUsable = StorageWait(desk: desk, signals: signals, log: log, clocks: clocks)
    var node: NodeRole?
    defer { node?.close() }
    if roles.node {
      node = try whenUsable { try NodeRole(loaded, clocks: clocks, log: log) }
      guard node != nil else { return ended(log, clocks) }
    }
    var central: CentralRole?
    defer { central?.close() }
    if roles.central {
      central = try whenUsable { try CentralRole(loaded, clocks: clocks, log: log) }
      guard central != nil else { return ended(log, clocks) }
    }
    let control = ControlRole(desk: desk, node: node, central: central, log: log, clocks: clocks)
    let parts = try ServiceParts((central?.parts ?? []) + (node?.parts ?? []) + [control])
    let names = [roles.node ? "node" : nil, roles.central ? "central" : nil].compactMap { $0 }
    log.record(
      ServiceEvent(
        "service_started", .notice, at: clocks.wall(),
        words: "checkpost \(Version.current) as \(names.joined(separator: " and "))"))
    if let warning = StartWarnings.server(loaded) {
      log.record(
        ServiceEvent("upload_not_built", .warning, at: clocks.wall(), words: warning))
    }
    if let warning = StartWarnings.publicURLs(loaded) {
      log.record(
        ServiceEvent("webhook_without_tls", .warning, at: clocks.wall(), words: warning))
    }
    for warning in StartWarnings.openDirectories(loaded) {
      log.record(
        ServiceEvent("directory_open_to_all", .warning, at: clocks.wall(), words: warning))
    }
    var reloading = Reloading(
      path: settings.path, current: loaded.settings, node: node, central: central, log: log,
      clocks: clocks)
    do {
      try parts.run { [central] ended in
        signals.wait(orUntil: ended, clocks: clocks) { reloading.reload() }
        // A text that an operator sends through it is waited for while the node waits for its own.
        central?.modem?.stop()
      }
    } catch {
      log.record(
        ServiceEvent(
          "service_ended", .error, at: clocks.wall(),
          words: log.scrub("ended: \(CommandFailure(error)?.message ?? "\(error)")")))
      throw error
    }
    ended(log, clocks)
  }

  private func ended(_ log: ServiceLog, _ clocks: SystemClocks) {
    log.record(
      ServiceEvent("service_ended", .notice, at: clocks.wall(), words: "ended cleanly"))
  }
}

/// Reads the configuration again when it is asked to.
private struct Reloading {
  let path: String?
  var current: Settings
  let node: NodeRole?
  let central: CentralRole?
  let log: ServiceLog
  let clocks: any Clocks

  mutating func reload() {
    do {
      let new = try LoadedSettings.load(path: path, environment: ProcessEnvironment.all)
      for change in current.changes(to: new.settings) {
        log.record(
          ServiceEvent(
            "setting_changed", change.needsRestart ? .warning : .notice, at: clocks.wall(),
            words: log.scrub("\(change.key): \(change.before) becomes \(change.after)")
              + (change.needsRestart ? " at the next start" : "")))
      }
      var taken = new
      taken.settings = current.reloading(from: new.settings)
      // The node last: of what it is asked for, it opens the line to the server.
      let parts = [central?.renewal, node?.renewal].compactMap { $0 }
      try Reload.apply(parts.map { renewal in { try renewal(taken) } })
      current = taken.settings
      log.apply(current.log)
      log.record(
        ServiceEvent(
          "settings_reloaded", .notice, at: clocks.wall(), words: "configuration read again"))
      if let warning = StartWarnings.server(taken) {
        log.record(
          ServiceEvent("upload_not_built", .warning, at: clocks.wall(), words: warning))
      }
      if let warning = StartWarnings.publicURLs(taken) {
        log.record(
          ServiceEvent("webhook_without_tls", .warning, at: clocks.wall(), words: warning))
      }
    } catch {
      log.record(
        ServiceEvent(
          "settings_refused", .error, at: clocks.wall(),
          words: log.scrub("the configuration is wrong, the old one stays: \(error)")))
    }
  }
}

/// Memory of a small machine.
enum MachineMemory {
  /// Keeps the allocator to few arenas: a service of a few sleeping threads needs no more.
  static func prepare() {
    ProcessMemory.limitArenas()
  }
}
