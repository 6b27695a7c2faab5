import Text

/// The value of a setting, apart from its meaning.
enum SettingValue: Hashable, Sendable {
  /// The setting is left open.
  case null
  case flag(Bool)
  case integer(Int)
  case duration(Duration)
  /// A size in bytes.
  case size(Int)
  case text(String)
  case texts([String])
  /// Sections of a list, each as one line of YAML.
  case sections([String])

  /// The value as the configuration file has it.
  var yaml: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .duration(let duration): DurationText.format(duration)
    case .size(let bytes): SizeText.format(bytes)
    case .text(let text): SettingValue.quoted(text)
    case .sections(let lines): "[" + lines.joined(separator: ", ") + "]"
    case .texts(let texts): "[" + texts.map(SettingValue.quoted).joined(separator: ", ") + "]"
    }
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: true
      default: false
      }
    }
    let looksLikeWord =
      text.utf8.first.map { (0x41...0x7A).contains($0) || $0 == 0x2F } ?? false
    if isPlain && looksLikeWord && !["null", "true", "false"].contains(text.lowercased()) {
      return text
    }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\t": escaped += "\\t"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return "\"\(escaped)\""
  }
}
