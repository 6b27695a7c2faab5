/// The modules that a file imports.
enum Imports {
  static func modules(of file: SourceFile) -> [String] {
    file.code.compactMap(module(of:))
  }

  /// The module of a line such as `@testable public import struct GSM.PDU`.
  private static func module(of line: Substring) -> String? {
    guard line.utf8.count > 7 else { return nil }
    var words = line.split(separator: " ")[...]
    while let first = words.first, first.hasPrefix("@") || access.contains(first) {
      words = words.dropFirst()
    }
    guard words.first == "import" else { return nil }
    words = words.dropFirst()
    if let first = words.first, kinds.contains(first) {
      words = words.dropFirst()
    }
    return words.first?.split(separator: ".").first.map(String.init)
  }

  private static let access: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private",
  ]

  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
  ]
}

/// What the package's manifest declares.
enum Manifest {
  /// The targets of ours that each target names among its dependencies.
  static func dependencies(_ manifest: SourceFile) -> [String: Set<String>] {
    let text = manifest.code.joined(separator: "\n")
    let pattern =
      /[tT]arget\(\s*(?:name:\s*)?"(\w+)"(?:,\s*(?:dependencies:\s*)?\[([^\]]*)\])?/
    var found: [String: Set<String>] = [:]
    for match in text.matches(of: pattern) {
      let names = (match.output.2 ?? "").matches(of: /"(\w+)"/).map { String($0.output.1) }
      found[String(match.output.1)] = Set(names)
    }
    return found
  }
}
