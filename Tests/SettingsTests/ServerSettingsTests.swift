import Settings
import TestSupport
import Testing

/// The settings of the way to the server.
@Suite struct ServerSettingsTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func load(_ yaml: String) throws -> LoadedSettings {
    let path = try directory.write("checkpost.yaml", yaml)
    return try LoadedSettings.load(path: path, environment: [:])
  }

  @Test func allOfThemAreRead() throws {
    let password = try directory.write("password", "s3cret\n")
    let pin = "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    let loaded = try load(
      """
      server:
        url: https://a.example
        user: ram
        password_file: \(password)
        email_domain: posts.example
        name_timeout: 4s
        connect_timeout: 5s
        tls_timeout: 6s
        stall_timeout: 1m
        proxy: http://proxy.example:3128
        ca_file: /etc/ca.pem
        pin: [\(pin)]
        allow_plain_http: true
      """)
    let server = loaded.settings.server
    #expect(server.user == "ram")
    #expect(try loaded.serverPassword() == Secret("s3cret"))
    #expect(server.emailDomain == "posts.example")
    #expect(server.nameTimeout == .seconds(4))
    #expect(server.connectTimeout == .seconds(5))
    #expect(server.tlsTimeout == .seconds(6))
    #expect(server.stallTimeout == .seconds(60))
    #expect(server.proxy == "http://proxy.example:3128")
    #expect(server.caFile == "/etc/ca.pem")
    #expect(server.pins == [pin])
    #expect(server.allowPlainHTTP)
    #expect(try load("server: {pin: \(pin), proxy: none}").settings.server.pins == [pin])
  }

  @Test func howPassagesGoIsRead() throws {
    let sync = try load(
      """
      sync: {every: 10s, retry: fleet, attempts: 3, batch_over: 0, batch_size: 3, spread: 2m,
        conflicts: client_wins, pull: false, pull_buffer: 2h, photos_when_metered: false,
        photos_above_battery: 50}
      """
    ).settings.sync
    #expect(sync.every == .seconds(10))
    #expect(sync.retry == .fleet)
    #expect(
      [sync.attempts, sync.batchOver, sync.batchSize, sync.photosAboveBattery] == [3, 0, 3, 50])
    #expect(sync.spread == .seconds(120))
    #expect(sync.conflicts == .clientWins)
    #expect(!sync.pull)
    #expect(sync.pullBuffer == .seconds(7_200))
    #expect(!sync.photosWhenMetered)
  }

  @Test(arguments: [
    ("sync: {batch_size: 51}", "sync.batch_size"), ("sync: {retry: often}", "sync.retry"),
    ("server: {user: ram}", "server.password_file: a name and a password belong together"),
    ("server: {password_file: /x}", "server.user: a name and a password belong together"),
    ("server: {pin: sha256//short}", "server.pin"), ("server: {pin: 47DEQpj8}", "server.pin"),
    ("server: {proxy: socks}", "server.proxy"),
    ("server: {proxy: \"http://u:geheim@p:1\"}", "server.proxy"),
    ("server: {connect_timeout: 0s}", "server.connect_timeout"),
    ("server: {name_timeout: 6m}", "server.name_timeout"),
    ("server: {tls_timeout: soon}", "server.tls_timeout"),
  ])
  func whatIsWrongIsNamed(_ yaml: String, _ expected: String) {
    #expect {
      try load(yaml)
    } throws: { error in
      "\(error)".contains(expected) && !"\(error)".contains("geheim")
    }
  }
}
