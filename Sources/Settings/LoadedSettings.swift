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

  /// Where the configuration of an instance lies: a second service of this machine, with a unit, a socket and
  /// databases of its own (`checkpost@north`).
  public static func path(ofInstance name: String) -> String {
    "\(directory)/\(name).yaml"
  }

  /// The instance whose configuration a path is; nil for the machine's first service, and for files elsewhere.
  public static func instance(of path: String) -> String? {
    guard path != standardPath, path.hasPrefix(directory + "/"), path.hasSuffix(".yaml") else {
      return nil
    }
    let name = String(path.dropFirst(directory.count + 1).dropLast(".yaml".count))
    return isInstance(name) ? name : nil
  }

  /// The unit of the service with a configuration file; that of the machine's first service for every other path.
  public static func unit(of file: String?) -> String {
    file.flatMap(instance(of:)).map { "checkpost@\($0)" } ?? "checkpost"
  }

  /// Whether an instance may be called so: 1 to 32 small letters, digits and hyphens, so that it is the same
  /// in the name of a unit, a directory and a socket. The name of the first service is taken.
  public static func isInstance(_ name: String) -> Bool {
    (1...32).contains(name.utf8.count) && name != "checkpost"
      && name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      } && name.first != "-"
  }

  private static let directory = "/etc/checkpost"

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

  /// Loads what can be read of settings that ``load(path:environment:)`` refuses: what is wrong of them is left
  /// at its default. A passage is recorded by these where there are no others.
  public static func readable(path: String? = nil, environment: [String: String]) -> LoadedSettings
  {
    var loaded = LoadedSettings()
    var problems: [SettingProblem] = []
    let named = path ?? environment["CHECKPOST_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    try? loaded.readFile(named ?? standardPath, &problems)
    loaded.applyCredentials(environment)
    loaded.applyEnvironment(environment, &problems)
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
