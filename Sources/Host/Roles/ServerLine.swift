import NodeCore
import NodeService
import ServerHTTP
import Settings
import Synchronization

/// The node's line to the server that the settings name now, and the link that leads there.
final class ServerLine: Sendable {
  private struct State: Sendable {
    var client: (any ServerClient)?
    var link: SystemLinkState
  }

  private let state: Mutex<State>

  /// The line that the settings ask for; nothing is sent yet.
  ///
  /// - Throws: `SettingsError` when a key cannot be read.
  init(_ loaded: LoadedSettings) throws {
    let link = SystemLinkState(server: loaded.settings.server.url)
    state = Mutex(State(client: try CurlServerClient(loaded), link: link))
  }

  /// Asks something of the server. Without a server nothing answers.
  func call(
    _ call: ServerCall, token: Token?, _ completion: @escaping @Sendable (ServerReply) -> Void
  ) {
    let client = state.withLock { $0.client }
    client?.probe { result in
      switch result {
      case .authenticated: completion(ServerReply(.success(.done)))
      case .refused(let reason):
        completion(ServerReply(.failure(ServerFailure(.credential, words: reason))))
      case .unreachable(let reason):
        completion(ServerReply(.failure(ServerFailure(.outage(.noAnswer), words: reason))))
      }
    }
  }

  /// Whether there is a network link.
  func isLinkUp() -> Bool {
    let link = state.withLock { $0.link }
    return link.isUp()
  }

  /// Makes the line that settings which were read again ask for, keys included. What it returns, to be
  /// called once, puts that line in the place of the old one, and returns the old one, to be ended once
  /// the node no longer listens to it.
  ///
  /// - Throws: `SettingsError` when a key cannot be read; the old line stays.
  func reload(_ loaded: LoadedSettings) throws -> () -> (any ServerClient)? {
    let link = SystemLinkState(server: loaded.settings.server.url)
    let client = try CurlServerClient(loaded)
    return { [self] in
      state.withLock { state in
        defer { state = State(client: client, link: link) }
        return state.client
      }
    }
  }

  /// Ends its connections.
  func end() {
    let client = state.withLock { $0.client }
    client?.end()
  }
}
