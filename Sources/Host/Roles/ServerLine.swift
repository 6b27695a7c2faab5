import NodeCore
import NodeService
import PhotoFiles
import ServerHTTP
import Settings
import Supabase
import Synchronization

/// The node's line to the server that the settings name now, and the link that leads there.
final class ServerLine: Sendable {
  private struct State: Sendable {
    var client: (any ServerClient)?
    /// Why it is not asked although one is named; nil when it is.
    var fault: String?
    var api: SupabaseAPI
    /// Where photographs lie until the server has them.
    var photos: PhotoDirectory
    var link: SystemLinkState
  }

  private let state: Mutex<State>

  /// The line that the settings ask for; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - secrets: What is shown to the server; nil when it cannot be read.
  ///   - fault: Why not.
  init(_ settings: Settings, _ secrets: ServerSecrets?, fault: String? = nil) {
    state = Mutex(ServerLine.state(settings, secrets, fault: fault))
  }

  private static func state(
    _ settings: Settings, _ secrets: ServerSecrets?, fault: String?
  ) -> State {
    let server = settings.server
    let endpoint = secrets.flatMap {
      ServerEndpoint(server, apiKey: $0.apiKey?.value, token: $0.token?.value)
    }
    return State(
      client: endpoint.map { CurlServerClient($0) }, fault: server.url == nil ? nil : fault,
      api: SupabaseAPI(server, password: secrets?.password),
      photos: PhotoDirectory(settings.photoDirectory),
      link: SystemLinkState(server: server.url, isMetered: settings.node.metered.isMetered))
  }

  /// Asks something of the server, showing the token, or that of the settings without one. Without a
  /// server nothing answers.
  func call(
    _ call: ServerCall, token: Token?, _ completion: @escaping @Sendable (ServerReply) -> Void
  ) {
    let (client, api, photos, fault) = state.withLock {
      ($0.client, $0.api, $0.photos, $0.fault)
    }
    guard let client else {
      if let fault {
        completion(ServerReply(.failure(ServerFailure(.outage(.cannotAsk), words: fault))))
      }
      return
    }
    var call = call
    if case .upload(var photo) = call {
      guard let path = photos.file(photo.path) else {
        let words = "the photograph does not lie in the directory of photographs"
        completion(ServerReply(.failure(ServerFailure(.rejected, words: words))))
        return
      }
      photo.path = path
      call = .upload(photo)
    }
    client.call(call, by: api, token: token, completion)
  }

  /// The network link that leads to the server.
  func link() -> LinkState {
    let link = state.withLock { $0.link }
    return link.read()
  }

  /// Puts the line that these settings and secrets ask for in the place of the old one, which is returned,
  /// to be ended once the node no longer listens to it.
  func replace(_ settings: Settings, _ secrets: ServerSecrets) -> (any ServerClient)? {
    let new = ServerLine.state(settings, secrets, fault: nil)
    return state.withLock { state in
      defer { state = new }
      return state.client
    }
  }

  /// Ends its connections.
  func end() {
    let client = state.withLock { $0.client }
    client?.end()
  }
}
