extension Settings {
  /// The configuration file with every setting at its default, each with what it means and what is
  /// allowed: the content of `config/checkpost.yaml`, and what `checkpost config print` shows.
  public static func referenceYAML() -> String {
    var text = """
      # checkpost: every setting there is, each at its default.
      #
      # A setting that is left out has its default; an unknown one is an error. What stands here is
      # overridden by systemd's credentials (secrets only: LoadCredential=server.api_key:FILE) and
      # then by the environment: node.fallback_after by CHECKPOST_NODE_FALLBACK_AFTER.
      # Durations are numbers with units: 250ms, 30s, 5m, 72h, 7d, 1h30m. Secrets stand in files of
      # their own, which the settings whose names end in _file name.
      # `checkpost config check` reads this file as the service does. A running service takes up
      # the settings marked "(reloads)" on SIGHUP; the others at its next start.

      """
    var open: [String] = []
    for setting in SettingsCatalogue.settings {
      openSections(of: setting.section, &open, &text)
      if open.isEmpty { text += "\n" }
      let indent = String(repeating: "  ", count: open.count)
      let meaning = setting.words + (setting.isReloadable ? " (reloads)" : "")
      text += comment(meaning, indent)
      text += comment("Allowed: \(setting.allowed).", indent)
      text += "\(indent)\(setting.name): \(setting.standard.yaml)\n"
    }
    return text
  }

  /// Writes the headings that lead from the sections in `open` to `section`.
  private static func openSections(of section: String, _ open: inout [String], _ text: inout String)
  {
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
        text += comment(words, indent)
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
