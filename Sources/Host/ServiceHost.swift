import Control
import EventLoop
import Events
public import Log
public import Settings
import Time

/// The service: the roles that the settings enable, put together, run until somebody asks for the end,
/// and given back in order.
public struct ServiceHost {
  private let loaded: LoadedSettings
  private let console: ConsoleLook
  private let manager: ServiceManager
  private let readAgain: () throws -> LoadedSettings

  /// A service that has not started.
  ///
  /// - Parameters:
  ///   - console: How standard output looks.
  ///   - environment: What the service manager left there: where to tell it how the service stands.
  ///   - readAgain: Reads the configuration again, when a signal asks for that.
  /// - Throws: `SettingsError` when they enable no role, or a secret without which it does not start cannot be
  ///   used.
  public init(
    _ loaded: LoadedSettings, console: ConsoleLook, environment: [String: String] = [:],
    readAgain: @escaping () throws -> LoadedSettings
  ) throws(SettingsError) {
    let problems = loaded.startRefusals()
    guard problems.isEmpty else { throw .invalid(problems) }
    self.loaded = loaded
    self.console = console
    manager = ServiceManager(environment)
    self.readAgain = readAgain
  }

  /// Runs it. To be called before the process has another thread: a thread inherits which signals are
  /// blocked.
  ///
  /// - Throws: What it could not start with, or ended with.
  public func run() throws {
    // A service of a few sleeping threads needs no more, on a small machine.
    ProcessMemory.limitArenas()
    // Where many posts come together, memory is there for the crowd that follows an outage.
    if loaded.settings.roles.central { ProcessMemory.keepFree() }
    ServiceManager.hideFromChildren()
    let signals = try SignalWatch()
    let clocks = SystemClocks()
    let log = try ServiceLog.open(loaded, console: console)
    let desk = try ControlDesk(
      ControlServer(path: loaded.settings.control.socket), loaded, clocks: clocks)
    defer {
      desk.stop()
      desk.join()
    }
    try log.startSyncing(clocks: clocks)
    defer { log.finish() }
    let release = try StoreRelease()
    var loaded = loaded
    while let current = try serve(loaded, clocks, log, desk, signals, release) {
      loaded = current
      log.record(
        Event(
          "store_released", .notice, at: clocks.wall(),
          words: "the databases are closed: a command puts another one in the place of one"))
      release.isClosed()
      // A manager that watches goes on being told that the service lives.
      let isEnd = signals.wait(
        orUntil: release.hasLeft, clocks: clocks, every: manager.interval,
        tick: {
          manager.tell(
            .standing(status: "waits for a command that has its database", isAlive: true))
        })
      if isEnd {
        _ = ended(log, clocks)
        return
      }
    }
  }

  /// Runs the roles.
  ///
  /// - Returns: the settings to go on with when a command has left that wants a database; nil
  ///   at the end.
  private func serve(
    _ loaded: LoadedSettings, _ clocks: SystemClocks, _ log: ServiceLog, _ desk: ControlDesk,
    _ signals: SignalWatch, _ release: StoreRelease
  ) throws -> LoadedSettings? {
    let roles = loaded.settings.roles
    let context = RoleContext(clocks: clocks, log: log)
    let whenUsable = StorageWait(
      desk: desk, signals: signals, log: log, clocks: clocks, manager: manager)
    var node: NodeRole?
    defer { node?.close() }
    if roles.node {
      // The command that had the database may be a moment slower than its connection.
      node = try whenUsable(awaitsLock: release.isAsked) { try NodeRole(loaded, context) }
      guard node != nil else { return ended(log, clocks) }
    }
    var central: CentralRole?
    defer { central?.close() }
    if roles.central {
      central = try whenUsable(awaitsLock: release.isAsked) { try CentralRole(loaded, context) }
      guard central != nil else { return ended(log, clocks) }
    }
    let settings = CurrentSettings(loaded)
    let control = ControlRole(
      desk: desk, release: release, settings: settings, node: node, central: central, log: log,
      clocks: clocks)
    let parts = try ServiceParts((central?.parts ?? []) + (node?.parts ?? []) + [control])
    let names = [roles.node ? "node" : nil, roles.central ? "central" : nil].compactMap { $0 }
    log.record(
      Event(
        "service_started", .notice, at: clocks.wall(),
        words: "checkpost \(Version.current) as \(names.joined(separator: " and "))"))
    let checks = ServiceChecks(loaded)
    checks.record(in: log, at: clocks.wall())
    for warning in checks.openDirectories {
      log.record(
        Event(warning.name, .warning, at: clocks.wall(), words: warning.sentence))
    }
    let reloading = Reloading(
      readAgain: readAgain, settings: settings, node: node, central: central, log: log,
      clocks: clocks)
    var watch = StandingWatch(
      manager: manager, clocks: clocks, log: log,
      status: { control.status() }, hanging: { parts.hanging(for: $0, at: clocks.boot()) })
    var isEnd = false
    do {
      try parts.run { [central] ended in
        release.isRunning { ended.signal() }
        watch.ready()
        ProcessMemory.letGoOfText()
        isEnd = signals.wait(
          orUntil: ended, clocks: clocks, every: watch.interval, tick: { watch.tick() }
        ) {
          manager.tell(.reloading(since: clocks.monotonic()))
          reloading.reload()
          watch.ready()
        }
        if isEnd || !release.isAsked { manager.tell(.stopping) }
        // A text that an operator sends through it is waited for while the node waits for its own.
        central?.modem?.stop()
      }
    } catch {
      log.record(
        Event(
          "service_ended", .error, at: clocks.wall(), words: "ended: \(error)",
          isForeign: true))
      throw error
    }
    if release.isAsked, !isEnd { return settings.loaded }
    return ended(log, clocks)
  }

  private func ended(_ log: ServiceLog, _ clocks: SystemClocks) -> LoadedSettings? {
    log.record(
      Event("service_ended", .notice, at: clocks.wall(), words: "ended cleanly"))
    return nil
  }
}
