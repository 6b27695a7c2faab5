import NodeCore
import NodeService
import Operations
import ServerHTTP
import Synchronization

/// The node's line to the server that the settings name now, and the link that leads there.
final class ServerLine: Sendable {
  private struct State: Sendable {
    var uplink: Uplink?
    var link: SystemLinkState
  }

  private let state: Mutex<State>

  /// The line that the settings ask for; nothing is sent yet.
  ///
  /// - Throws: `SettingsError` when a key cannot be read.
  init(_ loaded: LoadedSettings) throws {
    let link = SystemLinkState(server: loaded.settings.server.url)
    state = Mutex(State(uplink: try Uplink(loaded), link: link))
  }

  /// Asks the server whether it is there; see ``Uplink/Uplink/probe(_:)``. Without a server nothing
  /// answers.
  func probe(_ completion: @escaping @Sendable (ProbeResult) -> Void) {
    let uplink = state.withLock { $0.uplink }
    uplink?.probe(completion)
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
  func renewal(_ loaded: LoadedSettings) throws -> () -> Uplink? {
    let link = SystemLinkState(server: loaded.settings.server.url)
    let uplink = try Uplink(loaded)
    return { [self] in
      state.withLock { state in
        defer { state = State(uplink: uplink, link: link) }
        return state.uplink
      }
    }
  }

  /// Ends its connections.
  func shutdown() {
    let uplink = state.withLock { $0.uplink }
    uplink?.shutdown()
  }
}
