import Glibc

extension LoadedSettings {
  /// The setting that names the file of the log's masks.
  public static let maskKeySetting = "log.mask_key_file"
  /// The setting that names the files of the keys of access tokens.
  public static let tokenKeysSetting = "central.http.auth.key_files"

  /// The key for the server's `apikey` header; nil when none is configured.
  ///
  /// - Throws: ``SettingsError/secret(_:)`` when its file cannot be used.
  public func serverAPIKey() throws(SettingsError) -> Secret? {
    try secret(settings.server.apiKeyFile, of: "server.api_key_file")
  }

  /// The token for the server's `Authorization` header; nil when none is configured.
  ///
  /// - Throws: ``SettingsError/secret(_:)`` when its file cannot be used.
  public func serverToken() throws(SettingsError) -> Secret? {
    try secret(settings.server.tokenFile, of: "server.token_file")
  }

  /// The password that the node signs in with; nil when none is configured.
  ///
  /// - Throws: ``SettingsError/secret(_:)`` when its file cannot be used.
  public func serverPassword() throws(SettingsError) -> Secret? {
    try secret(settings.server.passwordFile, of: "server.password_file")
  }

  /// The PIN of the SIM in one of the node's modems; nil when none is configured.
  ///
  /// - Throws: ``SettingsError/secret(_:)`` when its file cannot be used.
  public func pin(of modem: Settings.NamedModem) throws(SettingsError) -> Secret? {
    try secret(
      modem.modem.pinFile, of: settings.modems.isEmpty ? "modem.pin_file" : ModemList.key)
  }

  /// The PIN of the SIM in the central's modem; nil when none is configured.
  ///
  /// - Throws: ``SettingsError/secret(_:)`` when its file cannot be used.
  public func centralModemPIN() throws(SettingsError) -> Secret? {
    try secret(settings.central.modem.pinFile, of: "central.modem.pin_file")
  }

  /// The key with which the central hands passages on to another server; nil when none is configured.
  ///
  /// - Throws: ``SettingsError/secret(_:)`` when its file cannot be used.
  public func forwardKey() throws(SettingsError) -> Secret? {
    try secret(settings.central.forward.keyFile, of: "central.forward.key_file")
  }

  /// The auth tokens with which a provider's signature is checked.
  ///
  /// - Throws: ``SettingsError/secret(_:)`` when one of their files cannot be used.
  public func twilioAuthTokens() throws(SettingsError) -> [Secret] {
    let key = "central.twilio.auth_token_files"
    var secrets: [Secret] = []
    for path in settings.central.twilio.authTokenFiles {
      secrets.append(try Secret.read(path, key: key, origin: origin(of: key)))
    }
    return secrets
  }

  /// What is wrong with a service of these settings: it has no role, or a secret of its roles cannot be
  /// used.
  public func startProblems() -> [SettingProblem] {
    [roleProblem, storeProblem, forwardProblem].compactMap { $0 } + secretProblems()
  }

  /// Why a service with these settings does not start. What a node shows its server is not among it:
  /// without that it records and texts all the same.
  public func startRefusals() -> [SettingProblem] {
    startProblems().filter { !$0.key.hasPrefix("server.") }
  }

  /// That no role is enabled; nil when one is.
  private var roleProblem: SettingProblem? {
    guard !settings.roles.node, !settings.roles.central else { return nil }
    guard file != nil else {
      return SettingProblem(
        origin: .standard, key: "roles", words: "Not set up yet: no role is enabled",
        remedy: "Run: sudo checkpost config init")
    }
    return SettingProblem(
      origin: file.map { .missing(path: $0) } ?? .standard, key: "roles",
      words: "no role is enabled, so there is nothing to run",
      remedy: "set roles.node or roles.central to true")
  }

  /// That the central is to use a database that is not named; nil when it is.
  private var storeProblem: SettingProblem? {
    let central = settings.central
    guard settings.roles.central, central.store == .postgresql,
      central.postgresql.connection == nil
    else { return nil }
    let key = "central.postgresql.connection"
    return SettingProblem(
      origin: origin(of: "central.store"), key: key,
      words: "no database is named, and central.store is postgresql",
      remedy: "set it to \"host=… dbname=… user=…\", and central.postgresql.password_file")
  }

  /// That the central is to hand passages on, and cannot; nil when it can, or is not to.
  private var forwardProblem: SettingProblem? {
    let key = "central.forward.key_file"
    guard settings.roles.central, settings.central.forward.keyFile != nil else { return nil }
    if settings.server.url == nil {
      return SettingProblem(
        origin: origin(of: key), key: key,
        words: "no server is named that passages could be handed on to",
        remedy: "set server.url, or remove central.forward.key_file")
    }
    guard settings.central.store == .postgresql else { return nil }
    return SettingProblem(
      origin: origin(of: key), key: key,
      words: "only a central whose store is a file hands passages on",
      remedy:
        "remove central.forward.key_file; with PostgreSQL the database itself may be the server's")
  }

  /// Whether a role uses a setting; without a role it is what a node would use.
  private func isUsed(_ key: String) -> Bool {
    key.hasPrefix("central.") ? settings.roles.central : !isCentralAlone || key.hasPrefix("log.")
  }

  private var isCentralAlone: Bool { settings.roles.central && !settings.roles.node }

  /// A file that holds a secret of the roles, and what is wrong with it.
  public struct SecretFile: Hashable, Sendable {
    /// The setting that names it.
    public var key: String
    /// Where it lies.
    public var path: String
    /// Why it cannot be used; nil when it can.
    public var problem: SettingProblem?
  }

  /// The secrets of the roles that cannot be used, each with its reason. The key of the masks is not
  /// among them while it does not exist: the service makes it.
  public func secretProblems() -> [SettingProblem] {
    secretFiles().compactMap(\.problem)
  }

  /// Every file that holds a secret of the roles, in the order of the configuration.
  public func secretFiles() -> [SecretFile] {
    var files: [SecretFile] = []
    for setting in SettingsCatalogue.settings where setting.namesSecret && isUsed(setting.key) {
      for path in paths(of: setting) {
        if setting.key == LoadedSettings.maskKeySetting, isMissing(path) { continue }
        files.append(file(setting.key, path))
      }
    }
    for modem in settings.modems where !isCentralAlone {
      if let path = modem.modem.pinFile { files.append(file(ModemList.key, path)) }
    }
    return files
  }

  /// Whether a file is not there; one that lies where this user may not look may be there.
  private func isMissing(_ path: String) -> Bool {
    access(path, F_OK) != 0 && errno != EACCES
  }

  private func file(_ key: String, _ path: String) -> SecretFile {
    do {
      _ = try Secret.read(path, key: key, origin: origin(of: key))
      return SecretFile(key: key, path: path)
    } catch .secret(let problem) {
      return SecretFile(key: key, path: path, problem: problem)
    } catch {
      return SecretFile(key: key, path: path)
    }
  }

  func paths(of setting: Setting) -> [String] {
    switch setting.read(settings) {
    case .text(let path): [path]
    case .texts(let paths): paths
    case .null, .flag, .integer, .duration, .size, .sections: []
    }
  }

  private func secret(_ path: String?, of key: String) throws(SettingsError) -> Secret? {
    guard let path else { return nil }
    return try Secret.read(path, key: key, origin: origin(of: key))
  }
}
