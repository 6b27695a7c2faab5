import Time

extension PostgreSQLSettings {
  /// Settings from a text as libpq takes it: `host=db user=checkpost dbname=passages sslmode=verify-full`, or
  /// `postgresql://checkpost@db/passages?sslmode=verify-full`. No message shows anything of it but its words.
  ///
  /// - Throws: ``PostgreSQLError/unusableSettings(reason:)`` when it has no such form, or a word that is not
  ///   known. What its values are worth is said by ``faults``.
  public init(text: String) throws(PostgreSQLError) {
    var words: [String: String] = [:]
    for (word, value) in try ConnectionText.pairs(text) {
      guard words.updateValue(value, forKey: word) == nil else {
        throw .unusableSettings(reason: "\(word) stands there twice")
      }
    }
    self.init(
      servers: try Self.servers(&words), database: "", user: words.removeValue(forKey: "user") ?? ""
    )
    // libpq's own rule: a database is called like its user.
    database = words.removeValue(forKey: "dbname") ?? user
    if let text = words.removeValue(forKey: "password"), !text.isEmpty { password = .text(text) }
    if let name = words.removeValue(forKey: "sslmode") {
      guard let mode = TLS(rawValue: name) else {
        throw .unusableSettings(
          reason: "sslmode is one of \(TLS.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      tls = mode
    }
    if let name = words.removeValue(forKey: "target_session_attrs") {
      guard let wanted = name == "primary" ? .readWrite : Session(rawValue: name) else {
        throw .unusableSettings(reason: "target_session_attrs is any, read-write or primary")
      }
      session = wanted
    }
    rootCertificate = words.removeValue(forKey: "sslrootcert").flatMap { $0.isEmpty ? nil : $0 }
    // What newer versions of libpq call those of the system.
    if rootCertificate == "system" { rootCertificate = nil }
    applicationName = words.removeValue(forKey: "application_name") ?? applicationName
    try readTimes(&words)
    guard
      ["", "utf8", "UTF8", "UTF-8"].contains(words.removeValue(forKey: "client_encoding") ?? "")
    else { throw .unusableSettings(reason: "client_encoding can only be UTF8") }
    for word in words.keys.sorted() where !Self.passedOn.contains(word) {
      throw .unusableSettings(reason: "\(word) is not a setting that is known")
    }
    others = words
  }

  private mutating func readTimes(_ words: inout [String: String]) throws(PostgreSQLError) {
    if let seconds = try Self.number("connect_timeout", &words), seconds > 0 {
      connectTimeout = .seconds(seconds)
    }
    if let number = try Self.number("keepalives_idle", &words) { keepaliveIdle = .seconds(number) }
    if let number = try Self.number("keepalives_interval", &words) {
      keepaliveInterval = .seconds(number)
    }
    if let number = try Self.number("keepalives_count", &words) { keepaliveCount = number }
    if let number = try Self.number("tcp_user_timeout", &words) {
      unacknowledgedTimeout = .milliseconds(number)
    }
  }

  private static func number(
    _ word: String, _ words: inout [String: String]
  ) throws(PostgreSQLError) -> Int? {
    guard let text = words.removeValue(forKey: word), !text.isEmpty else { return nil }
    guard let number = Int(text), (0...86_400_000).contains(number) else {
      throw .unusableSettings(reason: "\(word) is not a number that can be used")
    }
    return number
  }

  /// Hosts, addresses and ports are lists that go together; one port is that of all.
  private static func servers(_ words: inout [String: String]) throws(PostgreSQLError) -> [Server] {
    func list(_ word: String) -> [String]? {
      words.removeValue(forKey: word).map { value in
        value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
    }
    let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
    let count = hosts?.count ?? addresses?.count ?? 1
    guard (addresses?.count ?? count) == count, [1, count].contains(ports?.count ?? 1) else {
      throw .unusableSettings(reason: "host, hostaddr and port name different numbers of servers")
    }
    var servers: [Server] = []
    for index in 0..<count {
      let address = addresses.flatMap { $0[index].isEmpty ? nil : $0[index] }
      var host = hosts?[index] ?? ""
      // Where Debian has the socket of a server of this machine.
      if host.isEmpty && address == nil { host = "/var/run/postgresql" }
      let text = ports.map { $0.count == 1 ? $0[0] : $0[index] } ?? ""
      guard let port = text.isEmpty ? 5_432 : Int(text) else {
        throw .unusableSettings(reason: "port is not a number")
      }
      servers.append(Server(host: host, port: port, address: address))
    }
    return servers
  }
}
