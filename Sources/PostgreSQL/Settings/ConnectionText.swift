/// The two forms in which libpq takes a connection as a text.
enum ConnectionText {
  /// The words and their values, in the order of the text.
  ///
  /// - Throws: ``PostgreSQLError/unusableSettings(reason:)``, which shows nothing of a value.
  static func pairs(_ text: String) throws(PostgreSQLError) -> [(String, String)] {
    for scheme in ["postgresql://", "postgres://"] where text.hasPrefix(scheme) {
      return try address(text.dropFirst(scheme.count))
    }
    return try words(text)
  }

  /// `host=db user='two words'`: blanks may stand around `=`, a backslash takes what follows as it is.
  private static func words(_ text: String) throws(PostgreSQLError) -> [(String, String)] {
    var pairs: [(String, String)] = []
    var rest = text.unicodeScalars[...]
    func skipBlanks() { rest = rest.drop { isBlank($0) } }
    while true {
      skipBlanks()
      guard !rest.isEmpty else { return pairs }
      let word = String(String.UnicodeScalarView(rest.prefix { $0 != "=" && !isBlank($0) }))
      rest = rest.drop { $0 != "=" && !isBlank($0) }
      skipBlanks()
      guard rest.first == "=", isName(word) else {
        throw .unusableSettings(reason: "after \(isName(word) ? word : "a word") there is no =")
      }
      rest = rest.dropFirst()
      skipBlanks()
      pairs.append((word, try value(&rest, of: word)))
    }
  }

  private static func value(
    _ rest: inout Substring.UnicodeScalarView, of word: String
  ) throws(PostgreSQLError) -> String {
    var value = String.UnicodeScalarView()
    let isQuoted = rest.first == "'"
    if isQuoted { rest = rest.dropFirst() }
    while let scalar = rest.first {
      rest = rest.dropFirst()
      switch scalar {
      case "\\":
        guard let next = rest.first else { break }
        rest = rest.dropFirst()
        value.append(next)
      case "'" where isQuoted: return String(value)
      case _ where !isQuoted && isBlank(scalar): return String(value)
      default: value.append(scalar)
      }
    }
    guard !isQuoted else { throw .unusableSettings(reason: "the quotes of \(word) do not end") }
    return String(value)
  }

  /// `user:password@host:port,host/database?word=value`, what is special written as `%20`.
  private static func address(_ text: Substring) throws(PostgreSQLError) -> [(String, String)] {
    var pairs: [(String, String)] = []
    let (front, query) = halves(text, at: "?")
    let (authority, path) = halves(front, at: "/")
    var place = authority
    if let at = authority.lastIndex(of: "@") {
      let (user, password) = halves(authority[..<at], at: ":")
      pairs.append(("user", try decoded(user, "user")))
      if let password { pairs.append(("password", try decoded(password, "password"))) }
      place = authority[authority.index(after: at)...]
    }
    if !place.isEmpty {
      var (hosts, ports): ([String], [String]) = ([], [])
      for server in place.split(separator: ",", omittingEmptySubsequences: false) {
        let (host, port) = try server.first == "[" ? bracketed(server) : halves(server, at: ":")
        hosts.append(try decoded(host, "host"))
        ports.append(String(port ?? ""))
      }
      pairs.append(("host", hosts.joined(separator: ",")))
      if ports.contains(where: { !$0.isEmpty }) {
        pairs.append(("port", ports.joined(separator: ",")))
      }
    }
    if let path, !path.isEmpty { pairs.append(("dbname", try decoded(path, "dbname"))) }
    for item in (query ?? "").split(separator: "&") {
      let (word, value) = halves(item, at: "=")
      guard let value, isName(String(word)) else {
        throw .unusableSettings(reason: "after ? there is something that is no word=value")
      }
      pairs.append((String(word), try decoded(value, String(word))))
    }
    return pairs
  }

  private static func bracketed(
    _ server: Substring
  ) throws(PostgreSQLError) -> (Substring, Substring?) {
    guard let end = server.lastIndex(of: "]") else {
      throw .unusableSettings(reason: "an address in brackets does not end")
    }
    let rest = server[server.index(after: end)...]
    guard rest.isEmpty || rest.first == ":" else {
      throw .unusableSettings(reason: "after an address in brackets there is no port")
    }
    let host = server[server.index(after: server.startIndex)..<end]
    return (host, rest.isEmpty ? nil : rest.dropFirst())
  }

  private static func halves(
    _ text: Substring, at separator: Character
  ) -> (Substring, Substring?) {
    guard let place = text.firstIndex(of: separator) else { return (text, nil) }
    return (text[..<place], text[text.index(after: place)...])
  }

  private static func decoded(
    _ text: Substring, _ word: String
  ) throws(PostgreSQLError) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let digits = String(rest.prefix(2)), digits.utf8.count == 2,
        !digits.hasPrefix("+"), let value = UInt8(digits, radix: 16), value != 0
      else {
        throw .unusableSettings(reason: "\(word) has a % that is not followed by two digits")
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw .unusableSettings(reason: "\(word) is not UTF-8")
    }
    return decoded
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || (scalar.value >= 9 && scalar.value <= 13)
  }

  private static func isName(_ word: String) -> Bool {
    !word.isEmpty
      && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
  }
}
