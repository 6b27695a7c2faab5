import CentralCore
import CentralSQLite
import Control
public import EventLoop
import Events
import Glibc
import Host
import JSON
import ModemDriver
import NodeCore
import NodeSQLite
import SQLiteFile
import ServerHTTP
public import Settings
import Text
public import Time

import enum NodeSQLite.Limits

/// What is looked at on the machine: settings, files, clock, service, server.
public struct MachineChecks {
  private let loaded: LoadedSettings
  private let clocks: SystemClocks

  /// Checks of the machine that has these settings.
  public init(_ loaded: LoadedSettings, clocks: SystemClocks) {
    self.loaded = loaded
    self.clocks = clocks
  }

  /// Disk space below which there is too little for months of passages.
  private static let fewBytes: Int64 = 256 << 20
  /// How far ahead the last time that was written down shows the clock to be wrong.
  private static let farAhead = Duration.seconds(600)

  /// What is found of the settings, the databases, the directories and the service.
  public func findings() -> [Finding] {
    let settings = loaded.settings
    var findings = [self.settings]
    if settings.roles.node || !settings.roles.central {
      findings += store(settings.node.database, "node_database") { path in
        let store = try SQLiteNodeStore(readingFrom: path)
        defer { try? store.close() }
        let overview = try store.overview(at: store.clock.time(at: clocks.boot()))
        return "\(overview.pending) pending, \(overview.parked) parked"
      }
    }
    if settings.roles.central {
      findings += store(settings.central.database, "central_database") { path in
        let store = try SQLiteCentralStore(readingFrom: path)
        defer { try? store.close() }
        let overview = try store.overview()
        return
          "\(overview.passages) passages, \(overview.undecodable) messages wait for an operator"
      }
    }
    findings += StartWarnings.openDirectories(loaded).map { problem in
      Finding("directory", .warning, problem.what, remedy: problem.remedy)
    }
    findings.append(service)
    return findings
  }

  private var settings: Finding {
    let roles = loaded.settings.roles
    let names = [roles.node ? "node" : nil, roles.central ? "central" : nil].compactMap { $0 }
    let file = loaded.file ?? "the built-in defaults"
    guard !names.isEmpty else {
      return Finding(
        "settings", .bad, "\(file): no role is enabled",
        remedy: "set roles.node or roles.central to true")
    }
    if roles.node, loaded.settings.node.gateways.isEmpty {
      return Finding(
        "settings", .bad, "\(file): node.gateway is not set, so no text can leave",
        remedy: "set it to the number of central's modem")
    }
    return Finding("settings", .good, "\(file): \(names.joined(separator: " and "))")
  }

  /// The clock, with what modems found out of it; those findings are told of last.
  public func clock(beside modems: [Finding]) -> Finding {
    MachineChecks.clock(at: clocks.wall(), written: lastWritten, beside: modems)
  }

  /// What is found of a clock that shows `now`, when a database was `written` and modems found these.
  public static func clock(
    at now: WallTime, written: WallTime?, beside modems: [Finding]
  ) -> Finding {
    // The year in which this program was made; a machine without a clock starts in 1970.
    guard now.epochSeconds > 1_767_225_600 else {
      return Finding(
        "clock", .bad, "this machine thinks that it is \(now.rfc3339)",
        remedy: "set the clock (timedatectl), and give the machine a clock with a battery")
    }
    if let written, written - now > MachineChecks.farAhead {
      return Finding(
        "clock", .bad,
        "this machine thinks that it is \(now.rfc3339), and its database was written at"
          + " \(written.rfc3339)",
        remedy: "set the clock (timedatectl), and give the machine a clock with a battery")
    }
    let judged = modems.filter { $0.name == ModemChecks.clockName }
    if let wrong = judged.first(where: { $0.state == .bad })
      ?? judged.first(where: { $0.state != .good })
    {
      return Finding("clock", wrong.state, "\(now.rfc3339): \(wrong.words)", remedy: wrong.remedy)
    }
    return Finding(
      "clock", .good, judged.isEmpty ? now.rfc3339 : "\(now.rfc3339), as the network has it")
  }

  /// When a database of this machine was last written, by the clock of then.
  private var lastWritten: WallTime? {
    let settings = loaded.settings
    var times: [WallTime] = []
    for path in [settings.node.database, settings.central.database] {
      var about = stat()
      guard stat(path, &about) == 0 else { continue }
      times.append(WallTime(epochSeconds: Int64(about.st_mtim.tv_sec)))
    }
    return times.max()
  }

  private func store(
    _ path: String, _ name: String, _ words: (String) throws -> String
  ) -> [Finding] {
    let directory = ModemHooks.directory(ofStoreAt: path)
    let place = directory.isEmpty ? "/" : directory
    guard access(place, F_OK) == 0 else {
      return [
        Finding(
          name, .bad, "\(place): there is no such directory",
          remedy: "make it, and give it to the user that runs the service")
      ]
    }
    if SQLiteFile.isOnReadOnlyFileSystem(path) {
      return [
        Finding(
          name, .bad, "\(place): its file system is read-only, so nothing can be stored",
          remedy: "look at the kernel's log for errors of the disk (dmesg), and mount it read-write"
            + " again")
      ]
    }
    guard access(place, W_OK | X_OK) == 0 else {
      return [
        Finding(
          name, .bad, "\(place): this user may not write there",
          remedy: "run this as the user of the service, or give that user the directory")
      ]
    }
    var findings: [Finding] = []
    if access(path, F_OK) == 0 {
      do {
        findings.append(Finding(name, .good, "\(path): \(try words(path))"))
      } catch {
        findings.append(Finding(name, error))
      }
    } else {
      findings.append(Finding(name, .good, "\(path): made when the service starts"))
    }
    if let free = SQLiteFile.freeBytes(path), free < MachineChecks.fewBytes {
      let isFull = free < NodeSQLite.Limits.reserveBytes
      findings.append(
        Finding(
          "disk", isFull ? .bad : .warning,
          "\(place): \(ByteCountText.format(free)) are free"
            + (isFull ? ", so no passage is recorded" : ""),
          remedy: "make room on the disk"))
    }
    return findings
  }

  private var service: Finding {
    let path = loaded.settings.control.socket
    do {
      let client = try ControlClient(path: path)
      let alarms = try client.ask(Operations.Status()).alarms ?? []
      guard alarms.isEmpty else {
        return Finding(
          "service", .warning, "running, and says: \(alarms.joined(separator: "; "))",
          remedy: "checkpost log tells more")
      }
      return Finding("service", .good, "running")
    } catch {
      if case ControlError.notRunning = error {
        return Finding("service", .warning, "not running", remedy: "checkpost run")
      }
      return Finding("service", error)
    }
  }

  /// Whether the server answers, as the node asks it.
  public func server() async -> Finding {
    guard loaded.settings.roles.node || !loaded.settings.roles.central else {
      return Finding("server", .skipped, "a central asks none")
    }
    do {
      guard let client = try CurlServerClient(loaded) else {
        return Finding("server", .skipped, "none is configured; every passage leaves as a text")
      }
      let result = await withCheckedContinuation { continuation in
        client.probe { continuation.resume(returning: $0) }
      }
      client.end()
      switch result {
      case .authenticated:
        return Finding(
          "server", .warning,
          "answers, and knows us; uploading is not built yet, so passages wait in the queue and are"
            + " not texted",
          remedy: "hand them on by checkpost queue export, or remove server.url")
      case .refused(let reason), .unreachable(let reason):
        return Finding("server", .warning, reason, remedy: "passages leave as texts meanwhile")
      }
    } catch {
      return Finding("server", error)
    }
  }
}
