public import ServerHTTP
public import Settings

extension CurlServerClient {
  /// The way to the server that the settings name; nil when they name none.
  ///
  /// - Throws: `SettingsError` when a key cannot be read.
  public convenience init?(_ loaded: LoadedSettings) throws {
    guard let url = loaded.settings.server.url else { return nil }
    self.init(
      ServerEndpoint(
        url: url, apiKey: try loaded.serverAPIKey()?.value, token: try loaded.serverToken()?.value,
        timeout: loaded.settings.server.timeout))
  }
}
