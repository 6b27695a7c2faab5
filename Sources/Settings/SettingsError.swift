/// One thing that is wrong with a configuration.
public struct SettingProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where it stands.
  public var origin: SettingOrigin
  /// The setting with its sections: `node.sms.per_day`.
  public var key: String
  /// What is wrong with it.
  public var words: String
  /// The values that are allowed, or what else helps.
  public var remedy: String
  /// Whether this user may not look at what the setting names, and another may.
  public var isDenied = false

  /// What is wrong with one setting.
  public init(origin: SettingOrigin, key: String, words: String, remedy: String) {
    self.origin = origin
    self.key = key
    self.words = words
    self.remedy = remedy
  }

  /// Place, key, what is wrong and what is allowed, in one line.
  public var description: String { "\(problem); \(remedy)" }

  /// Place, key and what is wrong.
  public var problem: String { "\(origin.place): \(key): \(words)" }
}

/// Why there are no settings to work with.
public enum SettingsError: Error, Hashable, Sendable {
  /// The file that was named does not exist.
  case missing(path: String)
  /// The file cannot be read; `reason` is the system's.
  case unreadable(path: String, reason: String)
  /// The path names a directory.
  case isDirectory(path: String)
  /// The file is far larger than any configuration.
  case tooLarge(path: String)
  /// The file is not text in UTF-8.
  case notText(path: String)
  /// The file is not YAML; line and column count from 1.
  case notYAML(path: String, line: Int, column: Int, reason: String)
  /// The file is YAML, but not a mapping of sections.
  case notSections(path: String, found: String)
  /// At least one setting is wrong; the first stands first in the file.
  case invalid([SettingProblem])
  /// A file that a setting names and that holds a secret cannot be used.
  case secret(SettingProblem)
}

extension SettingsError: CustomStringConvertible {
  /// What is wrong and what to do, in one line.
  public var description: String { "\(problem); \(remedy)" }

  /// What is wrong, and where.
  public var problem: String { words.problem }

  /// What to do.
  public var remedy: String { words.remedy }

  private var words: (problem: String, remedy: String) {
    switch self {
    case .missing(let path) where path == LoadedSettings.standardPath:
      ("Not set up yet: there is no \(path)", "Run: sudo checkpost config init")
    case .missing(let path) where LoadedSettings.instance(of: path) != nil:
      (
        "Not set up yet: there is no \(path)",
        "Run: sudo checkpost config init --instance \(LoadedSettings.instance(of: path) ?? "")"
      )
    case .missing(let path):
      (
        "\(path): no such configuration file",
        "correct --config or $CHECKPOST_CONFIG, or make the file from `checkpost config print`"
      )
    case .unreadable(let path, let reason):
      ("\(path): the configuration cannot be read (\(reason))", "let this user read it")
    case .isDirectory(let path):
      ("\(path): is a directory, not a configuration file", "name the file in it")
    case .tooLarge(let path):
      (
        "\(path): larger than \(SizeText.format(Limits.configurationBytes)), so it is hardly a"
          + " configuration", "name the right file"
      )
    case .notText(let path):
      ("\(path): is not text in UTF-8", "name the right file, or save it as UTF-8")
    case .notYAML(let path, let line, let column, let reason):
      ("\(path):\(line):\(column): not YAML: \(reason)", "correct that line")
    case .notSections(let path, let found):
      (
        "\(path): holds \(found) where sections are expected, such as `node:`",
        "see `checkpost config print`"
      )
    case .invalid(let problems):
      (
        problems.first?.problem ?? "the configuration is not valid",
        (problems.first?.remedy ?? "`checkpost config check` lists what is wrong")
          + (problems.count > 1
            ? " (and \(problems.count - 1) more: `checkpost config check` lists them)" : "")
      )
    case .secret(let problem): (problem.problem, problem.remedy)
    }
  }

  /// All that is wrong, each in one line.
  public var lines: [String] {
    if case .invalid(let problems) = self {
      return problems.map(\.description)
    }
    return [description]
  }
}
