/// A configuration file that is being written: settings with their values, each below its meaning, in
/// the sections they lie in.
struct SettingsPage {
  /// What was written so far.
  private(set) var text: String
  private var open: [String] = []

  /// A page that begins with these comment lines.
  init(heading: String) {
    text = heading
  }

  /// Adds a setting. Settings of one section have to follow each other.
  mutating func add(_ setting: Setting, _ value: SettingValue) {
    openSections(of: setting.section)
    if open.isEmpty { text += "\n" }
    let indent = String(repeating: "  ", count: open.count)
    let meaning = setting.words + (setting.isReloadable ? " (reloads)" : "")
    text += SettingsPage.comment(meaning, indent)
    text += SettingsPage.comment("Allowed: \(setting.allowed).", indent)
    text += "\(indent)\(setting.name): \(value.yaml)\n"
  }

  /// Writes the headings that lead from the open sections to `section`.
  private mutating func openSections(of section: String) {
    let path = section.split(separator: ".").map(String.init)
    let common = zip(open, path).prefix { $0 == $1 }.count
    if common < path.count || common < open.count {
      open = Array(path.prefix(common))
    }
    for name in path.dropFirst(common) {
      let indent = String(repeating: "  ", count: open.count)
      open.append(name)
      text += "\n"
      let key = open.joined(separator: ".")
      if let words = SettingsCatalogue.sections.first(where: { $0.name == key })?.words {
        text += SettingsPage.comment(words, indent)
      }
      text += "\(indent)\(name):\n"
    }
  }

  /// `words` as comment lines of at most 96 columns.
  private static func comment(_ words: String, _ indent: String) -> String {
    var lines: [String] = []
    var line = ""
    for word in words.split(separator: " ") {
      if !line.isEmpty, indent.count + 3 + line.count + word.count > 96 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.map { "\(indent)# \($0)\n" }.joined()
  }
}
