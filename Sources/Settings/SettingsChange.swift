/// A setting that differs between two configurations.
public struct SettingsChange: Hashable, Sendable {
  /// The name with its sections.
  public var key: String
  /// The value before, as the configuration file would have it.
  public var before: String
  /// The value after.
  public var after: String
  /// Whether the running service takes it up only at its next start.
  public var needsRestart: Bool

  /// A change of a setting.
  public init(key: String, before: String, after: String, needsRestart: Bool) {
    self.key = key
    self.before = before
    self.after = after
    self.needsRestart = needsRestart
  }
}

extension Settings {
  /// What differs from these settings in `other`, in the order of the configuration file: what a
  /// service looks at when it is told to reload.
  public func changes(to other: Settings) -> [SettingsChange] {
    SettingsCatalogue.settings.compactMap { setting in
      let before = setting.read(self)
      let after = setting.read(other)
      guard before != after else { return nil }
      return SettingsChange(
        key: setting.key, before: before.yaml, after: after.yaml,
        needsRestart: !setting.isReloadable)
    }
  }

  /// These settings with those of `other` that a running service can take up.
  public func reloading(from other: Settings) -> Settings {
    var result = self
    for setting in SettingsCatalogue.settings where setting.isReloadable {
      setting.write(&result, setting.read(other))
    }
    return result
  }
}
