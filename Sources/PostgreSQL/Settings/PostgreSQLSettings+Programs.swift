extension PostgreSQLSettings {
  /// How PostgreSQL's own programs (`pg_dump`, `pg_restore`) are told which database is meant: a text of libpq's
  /// form for `--dbname`, which everybody may see, and the variables of their environment with what nobody may.
  ///
  /// - Throws: ``PostgreSQLError/unusableSettings(reason:)`` when the file of the password cannot be read.
  public func forPrograms() throws(PostgreSQLError) -> (
    connection: String, environment: [String: String]
  ) {
    var pairs: [(String, String)] = [
      ("host", servers.map(\.host).joined(separator: ",")),
      ("port", servers.map { String($0.port) }.joined(separator: ",")),
      ("dbname", database), ("user", user), ("application_name", applicationName),
      ("sslmode", tls.rawValue), ("target_session_attrs", session.rawValue),
    ]
    if servers.contains(where: { $0.address != nil }) {
      pairs.append(("hostaddr", servers.map { $0.address ?? "" }.joined(separator: ",")))
    }
    if let rootCertificate { pairs.append(("sslrootcert", rootCertificate)) }
    pairs += others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let text = pairs.filter { !$0.1.isEmpty }.map { "\($0.0)=\(Self.quoted($0.1))" }
    var environment: [String: String] = [:]
    if let password = try password.read() { environment["PGPASSWORD"] = password }
    return (text.joined(separator: " "), environment)
  }

  /// A value in quotes, as libpq reads it.
  private static func quoted(_ value: String) -> String {
    "'" + value.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "'"
  }
}
