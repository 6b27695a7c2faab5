/// The types that a file declares at its top, and the words that names are made of.
enum Names {
  /// The types at the top of a file that other files can see, each with its line.
  static func types(of file: SourceFile) -> [(name: String, line: Int)] {
    let kinds: Set<Substring> = ["struct", "enum", "class", "protocol", "actor", "typealias"]
    var found: [(name: String, line: Int)] = []
    for (index, line) in file.code.enumerated() where line.first?.isLetter == true {
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
        !words[..<kind].contains(where: { $0 == "private" || $0 == "fileprivate" }),
        words[..<kind].allSatisfy(modifiers.contains)
      else { continue }
      found.append((String(words[kind + 1]), index + 1))
    }
    return found
  }

  /// Types at the top of a file that carry what an event carries: a name, a level and words.
  static func events(of file: SourceFile) -> [(name: String, line: Int)] {
    let code = file.code
    return types(of: file).filter { type in
      let body = code.dropFirst(type.line).prefix { $0.first != "}" }
      return ["name", "level", "words"].allSatisfy { property in
        body.contains { line in
          let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
          guard line.hasPrefix("  "), !line.hasPrefix("   "),
            let place = words.firstIndex(where: { $0 == "var" || $0 == "let" })
          else { return false }
          return words.dropFirst(place + 1).first == property[...]
        }
      }
    }
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "final", "indirect",
  ]

  /// Names of libraries and of their languages: what decides knows none of them.
  static let libraries = [
    "SQL", "GRDB", "PostgreSQL", "libpq", "Hummingbird", "NIO", "curl", "libserialport",
  ]
}
