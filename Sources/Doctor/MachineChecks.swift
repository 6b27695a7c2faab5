import CentralCore
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
public import Settings
import Text
public import Time

import enum NodeSQLite.Limits

/// What is looked at on the machine: settings, files, clock, service, server.
public struct MachineChecks {
  let loaded: LoadedSettings
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
    let checks = ServiceChecks(loaded)
    var findings = self.settings(checks)
    if settings.roles.node || !settings.roles.central {
      findings += store(settings.node.database, "node_database") { path in
        let store = try SQLiteNodeStore(readingFrom: path)
        defer { try? store.close() }
        let overview = try store.overview(at: store.clock.time(at: clocks.boot()))
        let counts = PassageStates(settings).counts(overview)
        return "\(counts[.waiting] ?? 0) waiting, \(counts[.stuck] ?? 0) stuck"
      }
      findings.append(VolumeChecks().finding(for: settings.node.database))
    }
    if settings.roles.central { findings += central(settings.central) }
    // That a database's directory is missing was said of the database.
    let told = Set(findings.filter { $0.name.hasSuffix("_database") }.map(\.words))
    findings += (checks.missingDirectories + checks.openDirectories)
      .filter { !told.contains($0.what) }.map { Finding("directory", $0) }
    return findings + service(beside: findings)
  }

  /// The central's store, a file or a database.
  private func central(_ settings: Settings.Central) -> [Finding] {
    let name = "central_database"
    let words = { () throws -> String in
      let store = try CentralStores.open(settings, for: .reading)
      defer { try? store.close() }
      let overview = try store.overview()
      return "\(overview.passages) passages, \(overview.undecodable) messages wait for an operator"
    }
    guard settings.store == .postgresql else {
      return store(settings.database, name) { _ in try words() }
    }
    do {
      return [Finding(name, .good, "\(try CentralStores.place(settings)): \(try words())")]
    } catch {
      return [Finding(name, error)]
    }
  }

  /// What `config check` and `run` find of the settings; a good word where that is nothing.
  private func settings(_ checks: ServiceChecks) -> [Finding] {
    let roles = loaded.settings.roles
    let names = [roles.node ? "node" : nil, roles.central ? "central" : nil].compactMap { $0 }
    // The server and the modems have findings of their own.
    let elsewhere = ["no_modem"]
    let asked = checks.asked
    var found = (asked.problems + checks.settingProblems)
      .filter { !elsewhere.contains($0.name) }.map { Finding("settings", $0) }
    if let denied = asked.denied { found.append(Finding("settings", .skipped, denied)) }
    guard found.isEmpty else { return found }
    let file = loaded.file ?? "the built-in defaults"
    return [Finding("settings", .good, "\(file): \(names.joined(separator: " and "))")]
  }

  /// The clock, with what modems found out of it; those findings are told of last.
  public func clock(beside modems: [Finding]) -> Finding {
    MachineChecks.clock(at: clocks.wall(), written: lastWritten, beside: modems)
  }

  /// What is found of a clock that shows `now`, when a database was `written` and modems found these.
  public static func clock(
    at now: WallTime, written: WallTime?, beside modems: [Finding]
  ) -> Finding {
    let shown = LocalClock.ofThisMachine.whole(now)
    // The year in which this program was made; a machine without a clock starts in 1970.
    guard now.epochSeconds > 1_767_225_600 else {
      return Finding(
        "clock", .bad, "this machine thinks that it is \(shown)",
        remedy: "set the clock (timedatectl), and give the machine a clock with a battery")
    }
    if let written, written - now > MachineChecks.farAhead {
      return Finding(
        "clock", .bad,
        "this machine thinks that it is \(shown), and its database was written at"
          + " \(LocalClock.ofThisMachine.whole(written))",
        remedy: "set the clock (timedatectl), and give the machine a clock with a battery")
    }
    let judged = modems.filter { $0.name == ModemChecks.clockName }
    if let wrong = judged.first(where: { $0.state == .bad })
      ?? judged.first(where: { $0.state != .good })
    {
      return Finding("clock", wrong.state, "\(shown): \(wrong.words)", remedy: wrong.remedy)
    }
    return Finding(
      "clock", .good, judged.isEmpty ? shown : "\(shown), as the network has it")
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
      // Members of the group ask the service, which tells what is wrong with its database.
      let isServed = RunningService.isThere(socket: loaded.settings.control.socket)
      let user = "run this as the user of the service: sudo -u checkpost checkpost doctor"
      return [
        isServed
          ? Finding(
            name, .skipped, "\(path): the service has it, and it is not for this user", remedy: user
          )
          : Finding(
            name, .bad, "\(place): this user may not write there",
            remedy: user + ", who is to own the directory")
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
            + (isFull ? ", so passages may be refused" : ""),
          remedy: "make room on the disk"))
    }
    return findings
  }

  /// That a service runs, and which: another one's answer would mislead.
  private static func running(_ status: ServiceStatus) -> String {
    guard let service = status.service, let configuration = service.configuration else {
      return "running"
    }
    return "running with \(configuration)" + (service.process.map { ", process \($0)" } ?? "")
  }

  /// The service, and each problem that it tells of and that was not found here.
  private func service(beside found: [Finding]) -> [Finding] {
    do {
      // Without a service that answers, what the databases and the settings tell.
      let status = try ServiceStatus.read(loaded, clocks: clocks)
      let told = Set(found.map(\.words))
      // What the settings lack, the modems, the clock and the disk have findings of their own.
      let elsewhere = Set(
        ServiceChecks(loaded).settingProblems.map(\.name)
          + [
            "modem_failing", "modem_unregistered", "clock_wrong", "directory_open_to_all",
            "directory_missing", "disk_full", "disk_read_only",
          ])
      let problems = (status.problems ?? []).filter {
        !told.contains($0.what) && !elsewhere.contains($0.name)
      }
      let rest = problems.map { Finding("service", $0) }
      if status.service?.isRunning == false {
        return [
          Finding(
            "service", .warning,
            "not running (nobody answers at \(loaded.settings.control.socket))",
            remedy: "sudo systemctl start \(LoadedSettings.unit(of: loaded.file)), or checkpost run"
          )
        ] + rest
      }
      if status.service?.answers == false {
        let words = status.service?.reason ?? "it does not answer"
        return [Finding("service", .bad, words, remedy: "try again in a moment")] + rest
      }
      guard problems.isEmpty else {
        return [Finding("service", .good, "\(MachineChecks.running(status)), with warnings")] + rest
      }
      // An older service tells of its problems in sentences alone.
      if status.problems == nil, let alarms = status.alarms, !alarms.isEmpty {
        return alarms.map { Finding("service", .warning, $0) }
      }
      guard status.isWell else {
        return [
          Finding(
            "service", .warning,
            "\(MachineChecks.running(status)); something waits for a decision",
            remedy: "see `checkpost status`")
        ]
      }
      return [Finding("service", .good, MachineChecks.running(status))]
    } catch {
      return [Finding("service", error)]
    }
  }
}
