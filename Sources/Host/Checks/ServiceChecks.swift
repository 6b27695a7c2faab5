// Where a C structure lies is told by what the compiler happens to read first.
import CDispatch
import Dispatch
public import Events
import Glibc
import Log
import NodeCore
import ServerHTTP
public import Settings
import Time

/// What is wrong with a configuration and with the places that it names, found without starting
/// anything: the one set of checks behind `config check`, `doctor`, `status` and `run`.
public struct ServiceChecks {
  private let loaded: LoadedSettings
  var settings: Settings { loaded.settings }

  /// The checks of a configuration.
  public init(_ loaded: LoadedSettings) {
    self.loaded = loaded
  }

  /// Whether the node's part counts: a machine without a role keeps passages as a node does.
  private var hasNode: Bool { settings.roles.node || !settings.roles.central }

  /// Why the service does not start, by the names `no_role`, `no_database` and `secret_unusable`.
  public var refusals: [Problem] {
    loaded.startRefusals().map(ServiceChecks.problem)
  }

  /// What a node shows its server and that cannot be used, by the name `secret_unusable`: the service
  /// starts, and does not ask the server.
  public var serverSecrets: [Problem] {
    let refusals = Set(loaded.startRefusals())
    return loaded.startProblems().filter { !refusals.contains($0) }.map(ServiceChecks.problem)
  }

  /// The same two as whoever asks may know them: of a secret that this user may not read the running service says
  /// whether it can be used. `denied` is why one could not be judged at all; nil when all were.
  public var asked: (problems: [Problem], denied: String?) {
    let judged = SecretJudgement(loaded)
    return (judged.problems.map(ServiceChecks.problem), judged.denied)
  }

  private static func problem(_ found: SettingProblem) -> Problem {
    let name =
      switch found.key {
      case "roles": "no_role"
      case "central.postgresql.connection": "no_database"
      default: "secret_unusable"
      }
    return Problem(name, .critical, of: found.key, found.problem, remedy: found.remedy)
  }

  /// What the service starts with and does not do all it should, by the settings alone.
  public var settingProblems: [Problem] {
    let setup = hasNode ? NodeSetup(settings).problems : []
    return setup + ([server, publicURLs, hearing].compactMap { $0 }) + databaseConnection
      + listening
  }

  /// What an operator should know whose central's database is reached over a network without TLS, or without
  /// knowing whom.
  private var databaseConnection: [Problem] {
    guard settings.roles.central else { return [] }
    return CentralStores.warnings(settings.central).map { words in
      let halves = words.split(separator: "; ", maxSplits: 1).map(String.init)
      return Problem(
        "database_without_tls", .warning, "central.postgresql.connection: \(halves[0])",
        remedy: halves.count > 1 ? halves[1] : "use sslmode verify-full")
    }
  }

  /// What a central should know whose provider calls without TLS; nil when none does.
  public var publicURLs: Problem? {
    let plain = settings.central.twilio.publicURLs.filter { !$0.hasPrefix("https://") }
    guard !plain.isEmpty, settings.roles.central || !settings.roles.node else { return nil }
    let names = plain.map { $0.prefix { $0 != "?" } }.joined(separator: ", ")
    return Problem(
      "webhook_without_tls", .warning,
      "central.twilio.public_urls: \(names) goes without TLS: who is on the way reads every text,"
        + " and can cut its signed parameters anew, since the signature does not cover where one ends",
      remedy: "have the provider call https://")
  }

  /// What a node should know whose server is asked without TLS, or is not asked since it would be; nil
  /// when neither is so.
  public var server: Problem? {
    guard hasNode, let endpoint = ServerEndpoint(settings.server) else { return nil }
    if let fault = endpoint.plainFault {
      return Problem(
        "server_without_tls", .critical, "\(fault): it is not asked, and passages leave as texts",
        remedy: "have the server speak https")
    }
    guard endpoint.isPlainOnNetwork else { return nil }
    return Problem(
      "server_without_tls", .warning,
      "server.url goes without TLS: anybody on that network can read every passage, the key and"
        + " the password",
      remedy: "have the server speak https, and remove server.allow_plain_http")
  }

  /// The directories that the service writes into and that are not there.
  public var missingDirectories: [Problem] {
    written.filter { access($0, F_OK) != 0 && errno == ENOENT }.map {
      Problem(
        "directory_missing", .critical, of: $0, "\($0): there is no such directory",
        remedy: "make it: sudo install -d -m 750 -o \"$USER\" \($0)")
    }
  }

  /// The directories that the service writes into and in which anybody may make files: another database
  /// under the same name, a log beside it, a socket.
  public var openDirectories: [Problem] {
    let open = written.filter { directory in
      var status = stat()
      return stat(directory, &status) == 0 && status.st_mode & S_IWOTH != 0
    }
    return open.map {
      Problem(
        "directory_open_to_all", .warning, of: $0,
        "\($0): anybody may write in this directory, and so put other files in place of the service's",
        remedy:
          "take that right away: sudo chmod o-w \($0), or name a directory of the service's own")
    }
  }

  /// All that does not keep the service from starting once the directories are there.
  public var warnings: [Problem] { settingProblems + missingDirectories + openDirectories }

  /// What stands while the service runs: all that does not keep it from starting.
  var standing: [Problem] { settingProblems + openDirectories }

  /// Tells the log what the settings make of the service, at its start and when they were read again.
  func record(in log: ServiceLog, at time: WallTime) {
    for problem in settingProblems {
      log.record(Event(problem.name, .warning, at: time, words: problem.sentence))
    }
  }

  /// The directories that the service writes into.
  private var written: [String] {
    var files: [String?] = [settings.log.file, settings.log.maskKeyFile, settings.control.socket]
    if hasNode { files.append(settings.node.database) }
    if settings.roles.central {
      files.append(settings.central.database)
      if settings.central.http.enabled { files.append(settings.central.http.socket) }
    }
    return Set(files.compactMap { $0 }.map(ServiceChecks.directory)).sorted()
  }

  private static func directory(of path: String) -> String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }
}

extension NodeSetup {
  /// What the settings give a node to send with.
  init(_ settings: Settings) {
    let modems = settings.nodeModems.filter { $0.modem.port != nil || $0.modem.identity != nil }
    self.init(
      modems: modems.count, gateways: settings.node.gateways.count,
      hasServer: settings.server.url != nil)
  }
}
