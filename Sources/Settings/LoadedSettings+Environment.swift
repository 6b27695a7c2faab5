import EventLoop

extension LoadedSettings {
  /// Takes the secrets that systemd handed in (`LoadCredential=server.api_key:/etc/…`) instead of
  /// the files that the configuration names.
  mutating func applyCredentials(_ environment: [String: String]) {
    guard let directory = environment["CREDENTIALS_DIRECTORY"], directory.hasPrefix("/") else {
      return
    }
    for setting in SettingsCatalogue.settings {
      guard let name = setting.credential else { continue }
      // A list has its second secret, during a change of tokens, under the name with `_2`.
      let names = setting.form.isList ? [name, name + "_2"] : [name]
      let paths = names.map { "\(directory)/\($0)" }.filter { SmallFile.exists($0) }
      guard let first = paths.first else { continue }
      setting.write(&settings, setting.form.isList ? .texts(paths) : .text(first))
      origins[setting.key] = .credential(name: name)
    }
  }

  /// Takes what the environment overrides. A variable that begins as those of a section do and
  /// names no setting is a problem; any other that begins with `CHECKPOST_` may be somebody else's.
  mutating func applyEnvironment(
    _ environment: [String: String], _ problems: inout [SettingProblem]
  ) {
    let variables = environment.keys.filter { $0.hasPrefix("CHECKPOST_") }.sorted()
    for variable in variables where variable != "CHECKPOST_CONFIG" {
      let text = environment[variable] ?? ""
      guard let setting = SettingsCatalogue.settings.first(where: { $0.variable == variable })
      else {
        noteUnknown(variable, &problems)
        continue
      }
      guard let value = value(of: text, for: setting) else {
        problems.append(
          SettingProblem(
            origin: .environment(variable: variable), key: setting.key,
            words: "\"\(TextRule.shown(text))\" is not allowed",
            remedy: "allowed: \(setting.allowed)"
              + (setting.form.isList ? ", with commas between" : "")))
        continue
      }
      setting.write(&settings, value)
      origins[setting.key] = .environment(variable: variable)
    }
  }

  private func value(of text: String, for setting: Setting) -> SettingValue? {
    if setting.isOptional, text.isEmpty || text == "null" {
      return .null
    }
    guard setting.form.isList else { return setting.form.value(of: text) }
    var texts: [String] = []
    for part in text.split(separator: ",") {
      guard case .texts(let one) = setting.form.value(of: String(part).trimmingWhiteSpace()) else {
        return nil
      }
      texts += one
    }
    return texts.count <= Limits.listEntries ? .texts(texts) : nil
  }

  private mutating func noteUnknown(_ variable: String, _ problems: inout [SettingProblem]) {
    let known = SettingsCatalogue.settings.map(\.variable)
    let closest = Spelling.closest(to: variable, among: known)
    let isOurs = SettingsCatalogue.names(in: "").contains { section in
      variable.hasPrefix("CHECKPOST_\(section.uppercased())_")
    }
    if isOurs {
      problems.append(
        SettingProblem(
          origin: .environment(variable: variable), key: variable,
          words: "there is no such setting",
          remedy: closest.map { "did you mean \($0)?" }
            ?? "`checkpost config print` lists the settings"))
    } else {
      warnings.append(
        "environment \(variable): no setting of that name, so it changes nothing"
          + (closest.map { "; did you mean \($0)?" } ?? ""))
    }
  }
}
