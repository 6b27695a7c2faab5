import ArgumentParser
import EventLoop
import Glibc
import Logging
import Operations
import ServiceLifecycle
import Timing
import UnixSignals

/// `checkpost run`: the service.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the service with the roles that the configuration enables.",
    discussion: """
      Ends cleanly on SIGTERM and SIGINT: a text that is being sent is finished first. Reads the \
      configuration again on SIGHUP, and opens its log anew.
      """)

  @OptionGroup var settings: SettingsOptions

  func run() async throws {
    let loaded = try settings.load()
    let roles = loaded.settings.roles
    guard roles.node || roles.central else {
      throw CommandFailure(
        .configuration,
        "\(loaded.file ?? "the built-in defaults"): no role is enabled; set roles.node or"
          + " roles.central to true")
    }
    MachineMemory.prepare()
    let clocks = SystemClocks()
    let log = try ServiceLog.open(
      loaded, isColoured: Terminal.showsColours(STDOUT_FILENO))
    let server = try ControlServer(path: loaded.settings.control.socket)
    do {
      try await serve(loaded, clocks, log, server)
    } catch {
      await server.stop()
      throw error
    }
  }

  private func serve(
    _ loaded: LoadedSettings, _ clocks: SystemClocks, _ log: ServiceLog, _ server: ControlServer
  ) async throws {
    let roles = loaded.settings.roles
    let node = roles.node ? try NodeRole(loaded, clocks: clocks, log: log) : nil
    let central =
      roles.central ? try await CentralRole(loaded, clocks: clocks, log: log) : nil
    let control = ControlRole(
      server: server, node: node, central: central, clocks: clocks, startedAt: clocks.wall())
    let reload = ReloadRole(
      path: settings.path, loaded: loaded, node: node, central: central, log: log, clocks: clocks)
    let services: [any Service] =
      (central?.services ?? []) + (node?.services ?? []) + [control, reload]
    let logger = LibraryLogHandler.logger(label: "lifecycle", log: log, clocks: clocks)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: services.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) },
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    let names = [roles.node ? "node" : nil, roles.central ? "central" : nil].compactMap { $0 }
    log.record(
      ServiceEvent(
        "service_started", .notice, at: clocks.wall(),
        words: "checkpost \(Version.current) as \(names.joined(separator: " and "))"))
    let failure: (any Error)?
    do {
      try await group.run()
      failure = nil
    } catch {
      failure = error
    }
    await node?.close()
    await central?.close()
    log.record(
      ServiceEvent(
        "service_ended", failure == nil ? .notice : .error, at: clocks.wall(),
        words: failure.map { "ended: \(CommandFailure($0)?.message ?? "\($0)")" } ?? "ended cleanly"
      ))
    if let failure { throw failure }
  }
}

/// Reads the configuration again on SIGHUP.
struct ReloadRole: Service {
  let path: String?
  let loaded: LoadedSettings
  let node: NodeRole?
  let central: CentralRole?
  let log: ServiceLog
  let clocks: any Clocks

  func run() async throws {
    var current = loaded.settings
    await withGracefulShutdownHandler {
      for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
        reload(&current)
      }
    } onGracefulShutdown: {
    }
  }

  private func reload(_ current: inout Settings) {
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
      try central?.reload(taken)
      current = taken.settings
      log.apply(current.log)
      node?.reload(current)
      log.record(
        ServiceEvent(
          "settings_reloaded", .notice, at: clocks.wall(), words: "configuration read again"))
    } catch {
      log.record(
        ServiceEvent(
          "settings_refused", .error, at: clocks.wall(),
          words: "the configuration is wrong, the old one stays: \(error)"))
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
