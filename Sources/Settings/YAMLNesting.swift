/// How deep a configuration nests, told before it is decoded: Yams calls itself for each level, and a
/// thread's stack ends long before a file does.
enum YAMLNesting {
  /// The line, counted from 1, from which on a YAML text may nest deeper than a configuration has to;
  /// nil when it does not.
  ///
  /// A text in quotes or a comment cannot be told apart without reading YAML, so brackets are counted
  /// wherever they stand, and never taken back. Without brackets each level stands further to the right,
  /// or behind one more `- ` or `? ` at the start of its line.
  static func deepLine(yaml text: String) -> Int? {
    var line = 1
    var brackets = 0
    var column = 0
    var isAtStart = true
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        // As YAML 1.1 ends lines. What an editor counts as one is the first of them.
        if scalar == "\n" { line += 1 }
        column = 0
        isAtStart = true
        continue
      case "[", "{":
        brackets += 1
        if brackets > Limits.yamlBrackets { return line }
        isAtStart = false
      case " ", "\t", "-", "?", ":", "\u{FEFF}":
        guard isAtStart else { break }
        column += 1
        if column > Limits.yamlIndent { return line }
      default: isAtStart = false
      }
    }
    return nil
  }
}
