import CentralCore
import Forwarding
import Log
import NodeCore
import SeededRandom
import ServerHTTP
import Settings
import Time

extension Forwarder {
  /// What hands a central's passages on to the server that the settings name; nil where none is to be.
  ///
  /// - Throws: `SettingsError` when the key cannot be read.
  convenience init?(
    _ loaded: LoadedSettings, of store: any OpenedCentralStore, _ clocks: any Clocks,
    _ log: ServiceLog
  ) throws {
    guard let key = try loaded.forwardKey()?.value, let forwards = store as? any ForwardStore,
      let endpoint = ServerEndpoint(loaded.settings.server, apiKey: key, token: key)
    else { return nil }
    try self.init(
      forwards, to: CurlServerClient(endpoint), clocks: clocks,
      chance: SplitMix64(seed: .random(in: .min ... .max))
    ) { log.record($0) }
  }
}
