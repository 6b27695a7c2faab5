import EventLoop
import Events
import Log
import NodeCore
import NodeService
import Settings
import Synchronization
import Time

/// Keeps what the node shows its server as its files have it.
///
/// A file that is written anew is taken up before the next question to the server, without a restart. One
/// that goes while the service runs changes nothing but that somebody is told; what it held is shown until
/// the service ends. Without one at the start the server is not asked, and the node does all else.
final class SecretWatch: Sendable {
  private struct State: Sendable {
    var loaded: LoadedSettings
    var stamps: FileStamps
    /// What was read last; nil while that failed since the start.
    var secrets: ServerSecrets?
    /// Why a file cannot be used now; nil when all can.
    var problem: SettingProblem?
  }

  private let line: ServerLine
  private let node: LateBound<NodeService>
  private let log: ServiceLog
  private let clocks: any Clocks
  private let state: Mutex<State>

  /// Reads the files.
  init(
    _ loaded: LoadedSettings, node: LateBound<NodeService>, log: ServiceLog, clocks: any Clocks
  ) throws(SettingsError) {
    let stamps = SecretWatch.stamps(loaded)
    var state = State(loaded: loaded, stamps: stamps)
    do throws(SettingsError) {
      state.secrets = try ServerSecrets(loaded)
    } catch {
      guard case .secret(let problem) = error else { throw error }
      state.problem = problem
    }
    self.node = node
    self.log = log
    self.clocks = clocks
    line = ServerLine(loaded.settings, state.secrets, fault: state.problem?.inUse)
    self.state = Mutex(state)
    if let problem = state.problem { tell(of: problem, isInUse: false) }
  }

  /// The line to the server, by what the files held last.
  var serverLine: ServerLine { line }

  /// What the node is told of the settings and of the token.
  var nodeSettings: NodeMachine.Settings {
    let (loaded, secrets) = state.withLock { ($0.loaded, $0.secrets) }
    return NodeMachine.Settings(loaded.settings, token: secrets?.token)
  }

  /// What is wrong with the files; nil when nothing is.
  var problem: Problem? {
    let (problem, isInUse) = state.withLock { ($0.problem, $0.secrets != nil) }
    return problem.map {
      Problem(
        "secret_unusable", isInUse ? .warning : .critical, of: $0.key,
        SecretWatch.words(of: $0, isInUse: isInUse), remedy: $0.remedy)
    }
  }

  /// Looks whether a file changed, and takes up what it holds now.
  func look() {
    let told = state.withLock { state -> Told? in
      let stamps = SecretWatch.stamps(state.loaded)
      guard stamps != state.stamps else { return nil }
      state.stamps = stamps
      let before = state.problem
      do throws(SettingsError) {
        let secrets = try ServerSecrets(state.loaded)
        state.problem = nil
        let changes = secrets.changes(since: state.secrets ?? ServerSecrets())
        guard secrets != state.secrets else { return before == nil ? nil : .usable }
        state.secrets = secrets
        replaceLine(state.loaded, secrets)
        return .taken(changes)
      } catch {
        guard case .secret(let problem) = error else { return nil }
        state.problem = problem
        return problem == before ? nil : .unusable(problem, isInUse: state.secrets != nil)
      }
    }
    switch told {
    case nil: break
    case .usable:
      record("secrets_taken", .notice, "the files of the server's secrets can be read again")
    case .taken(let keys):
      record(
        "secrets_taken", .notice,
        "\(keys.joined(separator: ", ")): written anew; the server is shown what it holds now")
    case .unusable(let problem, let isInUse): tell(of: problem, isInUse: isInUse)
    }
  }

  /// Looks at settings that were read again; what it returns takes them up.
  ///
  /// - Throws: `SettingsError` when a file cannot be used; what was read before stays.
  func reload(_ loaded: LoadedSettings) throws(SettingsError) -> () -> Void {
    let stamps = SecretWatch.stamps(loaded)
    let secrets = try ServerSecrets(loaded)
    return { [self] in
      state.withLock { state in
        state = State(loaded: loaded, stamps: stamps, secrets: secrets)
        replaceLine(loaded, secrets)
      }
    }
  }

  // MARK: -

  private enum Told: Sendable {
    case usable
    case taken([String])
    case unusable(SettingProblem, isInUse: Bool)
  }

  private static func stamps(_ loaded: LoadedSettings) -> FileStamps {
    let server = loaded.settings.server
    return FileStamps([server.apiKeyFile, server.tokenFile, server.passwordFile].compactMap { $0 })
  }

  /// Puts another line in the place of the old one, and tells the node.
  private func replaceLine(_ loaded: LoadedSettings, _ secrets: ServerSecrets) {
    let old = line.replace(loaded.settings, secrets)
    node.object?.post(
      .settingsChanged(NodeMachine.Settings(loaded.settings, token: secrets.token)))
    // Once the node knows, an answer of the old line says nothing to it any more. Its end is waited for
    // elsewhere: this may be the node's own thread.
    guard let old else { return }
    do {
      try WorkerThread().start(name: "old-server") { old.end() }
    } catch {
      old.end()
    }
  }

  private func tell(of problem: SettingProblem, isInUse: Bool) {
    record(
      "secret_unusable", isInUse ? .warning : .error,
      "\(SecretWatch.words(of: problem, isInUse: isInUse)); \(problem.remedy)")
  }

  private static func words(of problem: SettingProblem, isInUse: Bool) -> String {
    isInUse
      ? "\(problem.inUse): what it held is used until the service ends"
      : "\(problem.inUse): the server is not asked, and passages leave as texts"
  }

  private func record(_ name: String, _ level: LogLevel, _ words: String) {
    log.record(Event(name, level, at: clocks.wall(), words: words))
  }
}

extension SettingProblem {
  /// The setting and what is wrong with it, without where it stands.
  fileprivate var inUse: String { "\(key): \(words)" }
}
