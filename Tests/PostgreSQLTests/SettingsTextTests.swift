import PostgreSQL
import TestSupport
import Testing

@Suite struct SettingsTextTests {
  private func settings(_ text: String) throws(PostgreSQLError) -> PostgreSQLSettings {
    try PostgreSQLSettings(text: text)
  }

  @Test func bothFormsSayTheSame() throws {
    let words = try settings(
      "host=db.example port=5433 user='ranger one' password='it''s' dbname=passages "
        .replacing("it''s", with: "it\\'s")
        + "sslmode = verify-full sslrootcert=/etc/root.crt connect_timeout=7 "
        + "application_name=desk keepalives_idle=11 target_session_attrs=read-write")
    let address = try settings(
      "postgresql://ranger%20one:it%27s@db.example:5433/passages?sslmode=verify-full"
        + "&sslrootcert=/etc/root.crt&connect_timeout=7&application_name=desk"
        + "&keepalives_idle=11&target_session_attrs=primary")
    #expect(words == address)
    #expect(words.servers == [.init(host: "db.example", port: 5_433)])
    #expect(words.user == "ranger one")
    #expect(words.password == .text("it's"))
    #expect(words.database == "passages")
    #expect(words.tls == .verifyFull)
    #expect(words.rootCertificate == "/etc/root.crt")
    #expect(words.connectTimeout == .seconds(7))
    #expect(words.keepaliveIdle == .seconds(11))
    #expect(words.session == .readWrite)
  }

  @Test func whatIsLeftOutIsAsUsual() throws {
    let plain = try settings("user=checkpost")
    #expect(plain.database == "checkpost")
    #expect(plain.servers == [.init(host: "/var/run/postgresql")])
    #expect(plain.tls == .prefer)
    #expect(plain.password == .none)
    #expect(plain.faults == [])
    #expect(
      try settings("postgresql:///passages?host=/tmp/s&user=u").servers == [.init(host: "/tmp/s")])
  }

  @Test func severalServersAreRead() throws {
    #expect(
      try settings("host=a,b port=1,2 user=u").servers
        == [.init(host: "a", port: 1), .init(host: "b", port: 2)])
    #expect(
      try settings("host=a,b hostaddr=10.0.0.1, port=5 user=u").servers
        == [.init(host: "a", port: 5, address: "10.0.0.1"), .init(host: "b", port: 5)])
    #expect(
      try settings("postgres://u@[2001:db8::1]:6000,b/d").servers
        == [.init(host: "2001:db8::1", port: 6_000), .init(host: "b")])
  }

  @Test(arguments: [
    "host", "host=a b", "=a", "user='a", "host=a host=b", "nonsense=1 user=u",
    "sslmode=sometimes user=u", "port=x user=u", "host=a,b port=1,2,3 user=u",
    "connect_timeout=soon user=u", "connect_timeout=-1 user=u", "client_encoding=LATIN1 user=u",
    "target_session_attrs=standby user=u", "postgresql://u:%zz@h/d", "postgresql://u@[::1/d",
    "postgresql://u@[::1]x/d", "postgresql://u@h/d?sslmode", "postgresql://u@h/%00",
    "postgresql://u@h/%C3", "requirepeer=x user=u", "postgresql://u:%+1@h/d",
  ])
  func whatHasNoSuchFormIsRefused(_ text: String) {
    #expect(failure { () throws(PostgreSQLError) in try settings(text) }?.kind == .settings)
  }

  @Test(arguments: [
    "password=hunter2 nonsense=1", "user=u password='hunter2", "password hunter2",
    "postgresql://u:hunter2@h:x/d", "postgresql://u:hunter2%zz@h/d", "user=u sslmode=hunter2",
    "user=u port=hunter2",
  ])
  func noMessageShowsAValue(_ text: String) {
    let error = failure { () throws(PostgreSQLError) in try settings(text) }
    #expect(error.map { !"\($0)".contains("hunter2") } == true)
  }

  @Test func thePasswordNeverShows() throws {
    let secret = try settings("host=h user=u password=hunter2 dbname=d")
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped, "\(secret.password)"] {
      #expect(!text.contains("hunter2"))
    }
    #expect("\(secret)" == "u@h:5432/d (prefer)")
    #expect("\(try settings("host=/run/p user=u"))" == "u@/run/p/u (socket)")
  }

  @Test func whatCannotBeUsedIsSaid() throws {
    func faults(_ change: (inout PostgreSQLSettings) -> Void) -> [String] {
      var settings = PostgreSQLSettings(servers: [.init(host: "h")], database: "d", user: "u")
      change(&settings)
      return settings.faults
    }
    #expect(faults { _ in } == [])
    #expect(faults { $0.servers = [] }.count == 1)
    #expect(faults { $0.servers = Array(repeating: .init(host: "h"), count: 17) }.count == 1)
    #expect(faults { $0.servers[0].host = "" }.count == 1)
    #expect(faults { $0.servers[0].port = 70_000 } == ["port 70000 is not within 1 and 65535"])
    #expect(faults { $0.user = "" } == ["no user is named"])
    #expect(faults { $0.database = "" } == ["no database is named"])
    #expect(faults { $0.database = "a\0b" } == ["database has a zero character in it"])
    #expect(faults { $0.connectTimeout = .zero }.count == 1)
    #expect(faults { $0.lockTimeout = .seconds(-1) }.count == 1)
    #expect(faults { $0.lockTimeout = .zero } == [])
    #expect(faults { $0.statementTimeout = .seconds(60) }.count == 1)
    #expect(faults { $0.keepaliveCount = 0 }.count == 1)
    #expect(faults { $0.others = ["host": "h"] }.count == 1)
    #expect(faults { $0.others = ["channel_binding": "require"] } == [])
    #expect(
      faults {
        $0.tls = .verifyFull
        $0.rootCertificate = "/nowhere/root.crt"
      } == ["there is no file /nowhere/root.crt with roots to verify by"])
  }

  @Test func whatIsReadOnTheWayIsWarnedOf() {
    func warnings(_ host: String, _ mode: PostgreSQLSettings.TLS) -> Int {
      var settings = PostgreSQLSettings(servers: [.init(host: host)], database: "d", user: "u")
      settings.tls = mode
      return settings.warnings.count
    }
    for host in ["/run/p", "localhost", "127.0.0.1", "::1"] {
      #expect(warnings(host, .disable) == 0)
    }
    for mode in [PostgreSQLSettings.TLS.disable, .allow, .prefer, .require] {
      #expect(warnings("db.example", mode) == 1)
    }
    #expect(warnings("db.example", .verifyFull) == 0)
  }
}
