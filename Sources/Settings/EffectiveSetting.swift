import EventLoop

/// One setting as it is in effect, for `checkpost config print --effective`.
public struct EffectiveSetting: Hashable, Sendable {
  /// The name with its sections: `node.fallback_after`.
  public var key: String
  /// The value as the configuration file would have it.
  public var value: String
  /// Where it comes from.
  public var origin: SettingOrigin
  /// For a setting that names a file with a secret: dots, or why the secret cannot be used. Nil for
  /// every other, and when no file is named.
  public var secret: String?
}

extension LoadedSettings {
  /// Every setting as it is in effect, in the order of the configuration file; secrets are masked.
  public func effective() -> [EffectiveSetting] {
    SettingsCatalogue.settings.map { setting in
      EffectiveSetting(
        key: setting.key, value: setting.read(settings).yaml, origin: origin(of: setting.key),
        secret: setting.namesSecret ? shownSecret(of: setting) : nil)
    }
  }

  private func shownSecret(of setting: Setting) -> String? {
    let paths = paths(of: setting)
    guard !paths.isEmpty else { return nil }
    if setting.key == LoadedSettings.maskKeySetting, !paths.allSatisfy(SmallFile.exists) {
      return "made at the first start"
    }
    for path in paths {
      do {
        _ = try Secret.read(path, key: setting.key, origin: origin(of: setting.key))
      } catch .secret(let problem) {
        return "\(problem.words); \(problem.remedy)"
      } catch {
        return "\(error)"
      }
    }
    return Secret.dots
  }

  /// The settings in effect as a configuration file, each with its origin behind it.
  public func effectiveYAML() -> String {
    var text = ""
    var open: [String] = []
    for setting in effective() {
      let path = setting.key.split(separator: ".").map(String.init)
      let sections = Array(path.dropLast())
      let common = zip(open, sections).prefix { $0 == $1 }.count
      for (depth, name) in sections.enumerated().dropFirst(common) {
        text += "\(String(repeating: "  ", count: depth))\(name):\n"
      }
      open = sections
      let indent = String(repeating: "  ", count: sections.count)
      let line = "\(indent)\(path.last ?? setting.key): \(setting.value)"
      let padding = String(repeating: " ", count: max(1, 44 - line.count))
      text += "\(line)\(padding)# \(setting.origin.words)"
      text += setting.secret.map { "; secret \($0)" } ?? ""
      text += "\n"
    }
    return text
  }
}
