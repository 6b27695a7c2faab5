import Time

extension PostgreSQLSettings {
  /// What libpq is told to connect to one address.
  ///
  /// - Parameter address: The address of the host's name; nil for a Unix socket.
  func parameters(
    of server: Server, at address: String?, password: String?
  ) -> [(keyword: String, value: String)] {
    var pairs: [(keyword: String, value: String)] = [
      ("port", String(server.port)), ("dbname", database), ("user", user),
      ("application_name", applicationName), ("client_encoding", "UTF8"),
      ("sslmode", tls.rawValue), ("target_session_attrs", session.rawValue),
      ("keepalives", "1"), ("keepalives_idle", Self.seconds(keepaliveIdle)),
      ("keepalives_interval", Self.seconds(keepaliveInterval)),
      ("keepalives_count", String(keepaliveCount)),
      ("tcp_user_timeout", String(unacknowledgedTimeout.wholeMilliseconds)),
    ]
    if !server.host.isEmpty { pairs.append(("host", server.host)) }
    if let address { pairs.append(("hostaddr", address)) }
    if let password { pairs.append(("password", password)) }
    if let rootCertificate {
      pairs.append(("sslrootcert", rootCertificate))
    } else if tls == .verifyCA || tls == .verifyFull {
      pairs.append(("sslrootcert", Self.systemRoots))
    }
    // Kerberos would be asked before every sign-in, over the network; whoever has it says so.
    if others["gssencmode"] == nil { pairs.append(("gssencmode", "disable")) }
    return pairs + others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// What every session is told first: how values are written, and how long things may take. Not with the
  /// connection itself, where poolers between do not take it.
  func sessionStatement(serverVersion: Int) -> String {
    var pairs = [
      ("DateStyle", "ISO, YMD"), ("IntervalStyle", "iso_8601"), ("TimeZone", "UTC"),
      ("bytea_output", "hex"), ("extra_float_digits", "1"), ("standard_conforming_strings", "on"),
      ("statement_timeout", Self.milliseconds(statementTimeout)),
      ("lock_timeout", Self.milliseconds(lockTimeout)),
      ("idle_in_transaction_session_timeout", Self.milliseconds(idleInTransactionTimeout)),
    ]
    // From then on the server sees during a statement that its client is gone.
    if serverVersion >= 140_000 {
      pairs.append(("client_connection_check_interval", String(Limits.serverLookMilliseconds)))
    }
    let calls = pairs.map { "set_config('\($0.0)', '\($0.1)', false)" }
    return "SELECT " + calls.joined(separator: ", ")
  }

  private static func seconds(_ duration: Duration) -> String {
    String(max(1, duration.wholeSeconds))
  }

  private static func milliseconds(_ duration: Duration) -> String {
    String(duration == .zero ? 0 : max(1, duration.wholeMilliseconds))
  }
}
