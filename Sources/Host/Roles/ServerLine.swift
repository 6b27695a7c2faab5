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
    var api: SupabaseAPI
    /// Where photographs lie until the server has them.
    var photos: PhotoDirectory
    var link: SystemLinkState
  }

  private let state: Mutex<State>

  /// The line that the settings ask for; nothing is sent yet.
  ///
  /// - Throws: `SettingsError` when a key cannot be read.
  init(_ loaded: LoadedSettings) throws {
    state = Mutex(try ServerLine.state(loaded))
  }

  private static func state(_ loaded: LoadedSettings) throws -> State {
    State(
      client: try CurlServerClient(loaded), api: try SupabaseAPI(loaded),
      photos: PhotoDirectory(loaded.settings.photoDirectory),
      link: SystemLinkState(
        server: loaded.settings.server.url, isMetered: loaded.settings.node.metered.isMetered))
  }

  /// Asks something of the server, showing the token, or that of the settings without one. Without a
  /// server nothing answers.
  func call(
    _ call: ServerCall, token: Token?, _ completion: @escaping @Sendable (ServerReply) -> Void
  ) {
    let (client, api, photos) = state.withLock { ($0.client, $0.api, $0.photos) }
    guard let client else { return }
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

  /// Makes the line that settings which were read again ask for, keys included. What it returns, to be
  /// called once, puts that line in the place of the old one, and returns the old one, to be ended once
  /// the node no longer listens to it.
  ///
  /// - Throws: `SettingsError` when a key cannot be read; the old line stays.
  func reload(_ loaded: LoadedSettings) throws -> () -> (any ServerClient)? {
    let new = try ServerLine.state(loaded)
    return { [self] in
      state.withLock { state in
        defer { state = new }
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
