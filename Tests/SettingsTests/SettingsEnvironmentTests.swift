import Settings
import TestSupport
import Testing

@Suite struct SettingsEnvironmentTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func load(_ yaml: String, _ environment: [String: String]) throws(SettingsError)
    -> LoadedSettings
  {
    let path = directory.file("checkpost.yaml")
    do {
      try directory.write("checkpost.yaml", yaml)
    } catch {
      throw .missing(path: path)
    }
    return try LoadedSettings.load(path: path, environment: environment)
  }

  @Test func overridesTheFile() throws {
    let loaded = try load(
      "node: {fallback_after: 1m}",
      [
        "CHECKPOST_NODE_FALLBACK_AFTER": "2m", "CHECKPOST_NODE_SMS_PER_DAY": "7",
        "CHECKPOST_CENTRAL_TWILIO_PUBLIC_URLS": "https://a.example/x, https://b.example/y",
        "CHECKPOST_CENTRAL_TWILIO_AUTH_TOKEN_FILES": "/a",
        "CHECKPOST_LOG_FILE": "", "PATH": "/bin",
      ])
    #expect(loaded.settings.node.fallbackAfter == .seconds(120))
    #expect(loaded.settings.node.sms.perDay == 7)
    #expect(
      loaded.settings.central.twilio.publicURLs == ["https://a.example/x", "https://b.example/y"])
    #expect(loaded.settings.log.file == nil)
    #expect(
      loaded.origin(of: "node.fallback_after")
        == .environment(variable: "CHECKPOST_NODE_FALLBACK_AFTER"))
  }

  @Test func namesTheFileToRead() throws {
    let path = try directory.write("other.yaml", "node: {checkpost: X-1}")
    let loaded = try LoadedSettings.load(environment: ["CHECKPOST_CONFIG": path])
    #expect(loaded.settings.node.checkpost == "X-1")
    #expect(loaded.file == path)
    #expect(throws: SettingsError.missing(path: "/nonexistent/x.yaml")) {
      try LoadedSettings.load(environment: ["CHECKPOST_CONFIG": "/nonexistent/x.yaml"])
    }
    // What the command line names comes before it.
    let named = try directory.write("named.yaml", "node: {checkpost: X-2}")
    let first = try LoadedSettings.load(path: named, environment: ["CHECKPOST_CONFIG": path])
    #expect(first.settings.node.checkpost == "X-2")
  }

  @Test func badValuesNameTheVariable() {
    #expect {
      try load("", ["CHECKPOST_NODE_SMS_PER_DAY": "many"])
    } throws: { error in
      "\(error)"
        == """
        environment CHECKPOST_NODE_SMS_PER_DAY: node.sms.per_day: "many" is not allowed; allowed: \
        a whole number from 1 to 10000
        """
    }
  }

  @Test func misspeltVariablesOfASectionAreErrors() {
    #expect {
      try load("", ["CHECKPOST_NODE_FALLBACK_AFTR": "1m"])
    } throws: { error in
      "\(error)".contains("did you mean CHECKPOST_NODE_FALLBACK_AFTER?")
    }
  }

  @Test func variablesOfOthersAreOnlyWarnedOf() throws {
    let loaded = try load("", ["CHECKPOST_SERVICE_HOST": "10.0.0.1"])
    #expect(loaded.settings == Settings())
    #expect(loaded.warnings.count == 1)
    #expect(loaded.warnings.first?.contains("CHECKPOST_SERVICE_HOST") == true)
  }

  @Test func credentialsComeBeforeTheFileAndAfterTheEnvironment() throws {
    let credentials = try TemporaryDirectory()
    let key = try credentials.write("server.api_key", "from-systemd\n", permissions: 0o444)
    let token = try credentials.write("central.twilio.auth_token", "t1", permissions: 0o400)
    let second = try credentials.write("central.twilio.auth_token_2", "t2", permissions: 0o400)
    let environment = ["CREDENTIALS_DIRECTORY": credentials.path]
    let loaded = try load("server: {api_key_file: /etc/key}", environment)
    #expect(loaded.settings.server.apiKeyFile == key)
    #expect(loaded.origin(of: "server.api_key_file") == .credential(name: "server.api_key"))
    #expect(try loaded.serverAPIKey()?.value == "from-systemd")
    #expect(loaded.settings.central.twilio.authTokenFiles == [token, second])
    #expect(try loaded.twilioAuthTokens().map(\.value) == ["t1", "t2"])
    let over = try load(
      "", environment.merging(["CHECKPOST_SERVER_API_KEY_FILE": "/else"]) { $1 })
    #expect(over.settings.server.apiKeyFile == "/else")
  }
}
