import EventLoop

extension PostgreSQLSettings {
  /// What cannot be used, each in a sentence; empty when all can.
  public var faults: [String] {
    var faults: [String] = []
    if servers.isEmpty { faults.append("no host is named") }
    if servers.count > Limits.servers {
      faults.append("more than \(Limits.servers) hosts are named")
    }
    for server in servers {
      if server.host.isEmpty && server.address == nil { faults.append("a host has no name") }
      if !(1...65_535).contains(server.port) {
        faults.append("port \(server.port) is not within 1 and 65535")
      }
    }
    if database.isEmpty { faults.append("no database is named") }
    if user.isEmpty { faults.append("no user is named") }
    faults += textFaults + timeFaults
    for word in others.keys.sorted() where !Self.passedOn.contains(word) {
      faults.append("\(word) is no setting of a connection, or is one that is set elsewhere")
    }
    if tls == .verifyCA || tls == .verifyFull, servers.contains(where: { !$0.isSocket }) {
      let roots = rootCertificate ?? Self.systemRoots
      if !SmallFile.exists(roots) {
        faults.append("there is no file \(roots) with roots to verify by")
      }
    }
    return faults
  }

  /// What can be used and should not be: each in a sentence that says what helps.
  public var warnings: [String] {
    guard let server = servers.first(where: { !$0.isLocal }) else { return [] }
    switch tls {
    case .disable, .allow, .prefer:
      return [
        "anybody between here and \(server.host) can read and change what is said; "
          + "use sslmode verify-full"
      ]
    case .require:
      return [
        "anybody between here and \(server.host) can play the server; "
          + "use sslmode verify-full"
      ]
    case .verifyCA, .verifyFull: return []
    }
  }

  /// The roots that Debian's `ca-certificates` keeps.
  static let systemRoots = "/etc/ssl/certs/ca-certificates.crt"

  private var textFaults: [String] {
    let texts = [
      ("database", database), ("user", user), ("application_name", applicationName),
      ("sslrootcert", rootCertificate ?? ""),
    ]
    return
      (texts + others.map { ($0.key, $0.value) } + servers.map { ("host", $0.host) })
      .filter { $0.1.utf8.contains(0) }.map { "\($0.0) has a zero character in it" }.sorted()
  }

  private var timeFaults: [String] {
    var faults: [String] = []
    let positive = [
      ("name_timeout", nameTimeout), ("connect_timeout", connectTimeout),
      ("tls_timeout", tlsTimeout), ("sign_in_timeout", signInTimeout),
      ("answer_timeout", answerTimeout), ("keepalives_idle", keepaliveIdle),
      ("keepalives_interval", keepaliveInterval),
    ]
    for (name, time) in positive where time < .milliseconds(1) || time > Self.longest {
      faults.append("\(name) is not within a millisecond and a day")
    }
    let others = [
      ("statement_timeout", statementTimeout), ("lock_timeout", lockTimeout),
      ("idle_in_transaction_session_timeout", idleInTransactionTimeout),
      ("tcp_user_timeout", unacknowledgedTimeout),
    ]
    for (name, time) in others where time < .zero || time > Self.longest {
      faults.append("\(name) is not within zero and a day")
    }
    if !(1...100).contains(keepaliveCount) {
      faults.append("keepalives_count is not within 1 and 100")
    }
    if statementTimeout >= answerTimeout {
      faults.append(
        "answer_timeout has to be longer than statement_timeout, which is the server's own")
    }
    return faults
  }

  private static let longest: Duration = .seconds(86_400)
}
