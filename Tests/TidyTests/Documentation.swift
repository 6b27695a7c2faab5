/// Finds public declarations that nothing is said of.
///
/// It reads lines, not Swift, which is enough for sources that `swift format` has been over. It does
/// not ask for cases of enums, whose names may say it all, nor for extensions and imports.
enum Documentation {
  /// Where a public declaration, or a requirement of a public protocol, has no `///` before it, as
  /// `Sources/GSM/PDU.swift:12`. Attributes may stand between the two.
  static func missing(in file: SourceFile) -> [String] {
    var places: [String] = []
    var isDocumented = false
    var requirementIndent: Int?
    for (index, line) in file.lines.enumerated() {
      let indent = line.prefix { $0 == " " }.count
      let text = line.dropFirst(indent)
      if text.hasPrefix("///") {
        isDocumented = true
        continue
      }
      let declared = withoutAttributes(text)
      if declared.isEmpty, !text.isEmpty {
        continue
      }
      if let inside = requirementIndent, indent < inside, !text.isEmpty {
        requirementIndent = nil
      }
      let found = keyword(of: declared)
      let isRequirement = indent == requirementIndent && found.map(requirements.contains) == true
      let isPublic = declared.hasPrefix("public ") && found.map(kinds.contains) == true
      if isPublic || isRequirement, !isDocumented {
        places.append("\(file.path):\(index + 1)")
      }
      if isPublic, found == "protocol", !text.hasSuffix("}") {
        requirementIndent = indent + 2
      }
      isDocumented = false
    }
    return places
  }

  /// A line behind `@discardableResult` and its like; empty when there is nothing more on it.
  private static func withoutAttributes(_ line: Substring) -> Substring {
    var rest = line
    while rest.hasPrefix("@") {
      rest = rest.drop { $0 != " " && $0 != "(" }
      if rest.hasPrefix("(") {
        rest = rest.drop { $0 != ")" }.dropFirst()
      }
      rest = rest.drop { $0 == " " }
    }
    return rest
  }

  /// The first word that is no modifier: `func`.
  private static func keyword(of line: Substring) -> Substring? {
    var rest = line
    while !rest.isEmpty {
      let word = rest.prefix { $0.isLetter }
      guard modifiers.contains(word) else { return word }
      rest = rest.dropFirst(word.count)
      if rest.hasPrefix("(") {
        rest = rest.drop { $0 != " " }
      }
      rest = rest.drop { $0 == " " }
    }
    return nil
  }

  private static let kinds: Set<Substring> = [
    "let", "var", "func", "init", "struct", "enum", "class", "actor", "protocol", "typealias",
    "subscript",
  ]
  private static let requirements: Set<Substring> = [
    "var", "func", "init", "subscript", "associatedtype",
  ]
  private static let modifiers: Set<Substring> = [
    "public", "private", "internal", "package", "fileprivate", "static", "mutating", "nonmutating",
    "nonisolated", "final", "indirect", "lazy", "weak", "convenience", "required", "override",
    "consuming", "borrowing",
  ]
}
