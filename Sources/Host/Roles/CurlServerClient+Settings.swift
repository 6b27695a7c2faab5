import NodeCore
public import ServerHTTP
public import Settings
public import Supabase

extension CurlServerClient {
  /// The way to the server that the settings name; nil when they name none.
  ///
  /// - Throws: `SettingsError` when a key cannot be read.
  public convenience init?(_ loaded: LoadedSettings) throws {
    guard
      let endpoint = ServerEndpoint(
        loaded.settings.server, apiKey: try loaded.serverAPIKey()?.value,
        token: try loaded.serverToken()?.value)
    else { return nil }
    self.init(endpoint)
  }
}

extension ServerEndpoint {
  /// The server that the settings name, with these secrets; nil when they name none.
  init?(_ server: Settings.Server, apiKey: String? = nil, token: String? = nil) {
    guard let url = server.url else { return nil }
    self.init(url: url, apiKey: apiKey, token: token, timeout: server.timeout)
    nameTimeout = server.nameTimeout
    connectTimeout = server.connectTimeout
    tlsTimeout = server.tlsTimeout
    stallTimeout = server.stallTimeout
    proxy =
      switch server.proxy {
      case nil: .environment
      case "none": Proxy.none
      case let url?: .url(url)
      }
    caFile = server.caFile
    pins = server.pins
    allowsPlainHTTP = server.allowPlainHTTP
  }
}

extension SupabaseAPI {
  /// The words of the server that the settings name.
  ///
  /// - Throws: `SettingsError` when the password cannot be read.
  public init(_ loaded: LoadedSettings) throws {
    self.init(loaded.settings.server, password: try loaded.serverPassword())
  }

  /// The words of a server, for a node with this password.
  init(_ server: Settings.Server, password: Secret?) {
    self.init()
    guard let user = server.user, let password else { return }
    login = Login(user: user, domain: server.emailDomain, password: Token(password.value))
  }
}
