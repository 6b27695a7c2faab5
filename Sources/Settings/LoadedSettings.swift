/// The settings of this process, with where each comes from.
public struct LoadedSettings: Sendable {
  /// The values.
  public var settings = Settings()

  /// The configuration file, nil when there is none.
  public internal(set) var file: String?

  /// What is strange and yet no error, each in one line.
  public internal(set) var warnings: [String] = []

  var origins: [String: SettingOrigin] = [:]

  /// The settings with everything at its default.
  public init() {}

  /// Where a setting, such as `node.fallback_after`, comes from.
  public func origin(of key: String) -> SettingOrigin {
    origins[key] ?? .standard
  }

  /// Where the configuration is looked for when nothing names it.
  public static let standardPath = "/etc/checkpost/checkpost.yaml"

  /// Loads the settings: from the file `path`, else `$CHECKPOST_CONFIG`, else
  /// ``standardPath`` when it exists; then from systemd's credentials, then from the environment
  /// (`CHECKPOST_NODE_FALLBACK_AFTER=10m`), the later before the earlier.
  ///
  /// - Throws: ``SettingsError``, for a file that was named and is missing, for one that is no
  ///   configuration, and for every value that is not allowed, wherever it comes from.
  public static func load(path: String? = nil, environment: [String: String])
    throws(SettingsError) -> LoadedSettings
  {
    var loaded = LoadedSettings()
    var problems: [SettingProblem] = []
    if let path = path ?? environment["CHECKPOST_CONFIG"].flatMap({ $0.isEmpty ? nil : $0 }) {
      try loaded.readFile(path, &problems)
    } else {
      do {
        try loaded.readFile(standardPath, &problems)
      } catch .missing {
        // The defaults are enough for the commands that need no configuration.
      }
    }
    loaded.applyCredentials(environment)
    loaded.applyEnvironment(environment, &problems)
    if problems.isEmpty {
      problems = SettingsRules.problems(of: loaded)
    }
    guard problems.isEmpty else {
      throw .invalid(Array(problems.prefix(Limits.listedProblems)))
    }
    return loaded
  }

  private mutating func readFile(_ path: String, _ problems: inout [SettingProblem])
    throws(SettingsError)
  {
    let reader = try SettingsFile(path: path)
    file = path
    problems += reader.apply(to: &self)
  }
}
