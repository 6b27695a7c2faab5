import ArgumentParser
import Control
import Events
import Glibc
import Host
import Settings

/// `checkpost config`: the settings, whether they are right, and where each comes from.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "The settings: valid or not, and where each comes from.",
    subcommands: [ConfigInit.self, Check.self, Print.self])
}

extension ConfigCommand {
  /// Reads the configuration as the service does, and lists all that is wrong with it.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check the configuration, and the secrets it names; lists all that is wrong.",
      discussion: """
        Secrets that this user may not read are judged by the running service; where none answers, the \
        command ends with 77. Ends with 78 when `checkpost run` would not start with it, also without a role. What keeps \
        texts from leaving (no modem, no gateway, a server.url without TLS) and \
        directories that are not there are told as warnings, which do not change the exit code.
        """)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
      let out = StandardOutput()
      let environment = ProcessEnvironment.all
      var problems: [SettingProblem] = []
      var warnings: [String] = []
      var denied: String?
      var file = settings.path ?? environment["CHECKPOST_CONFIG"] ?? LoadedSettings.standardPath
      do {
        let loaded = try LoadedSettings.load(path: settings.path, environment: environment)
        settings.enterGroup(toUse: loaded)
        let judged = SecretJudgement(loaded)
        problems = judged.problems
        denied = judged.denied
        warnings = loaded.warnings + ServiceChecks(loaded).warnings.map(\.sentence)
        file = loaded.file ?? "the built-in defaults"
      } catch {
        guard case .invalid(let found) = error else { throw error }
        problems = found
      }
      for warning in warnings {
        Diagnostics.say(warning)
      }
      if output.isJSON {
        try out.json(CheckResult(file: file, problems: problems, warnings: warnings))
      } else {
        for problem in problems {
          try out.line(problem.description)
        }
        if problems.isEmpty {
          try out.line(denied == nil ? "\(file): valid" : "\(file): valid as far as can be seen")
        }
      }
      try out.flush()
      guard problems.isEmpty else {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        throw CommandFailure(.configuration, "\(file): \(count); correct what is listed")
      }
      if let denied { throw CommandFailure(.noPermission, denied) }
    }
  }

  /// Prints the reference, or what is in effect.
  struct Print: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print every setting with its default and its meaning, or the ones in effect.")

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "The settings in effect and where each comes from; secrets are masked.")
    var effective = false

    func run() throws {
      let out = StandardOutput()
      let loaded = effective ? try settings.load() : LoadedSettings()
      if output.isJSON {
        for setting in loaded.effective() {
          try out.json(PrintedSetting(setting))
        }
      } else {
        let text = effective ? loaded.effectiveYAML() : Settings.referenceYAML()
        try out.lines(ShownText.lines(String(text.dropLast())))
      }
      try out.flush()
    }
  }
}

/// `config check --json`.
private struct CheckResult: Encodable {
  struct Problem: Encodable {
    var file: String?
    var line: Int?
    var column: Int?
    var key: String
    var message: String
    var remedy: String
  }

  var valid: Bool
  var file: String
  var problems: [Problem]
  var warnings: [String]

  init(file: String, problems: [SettingProblem], warnings: [String]) {
    self.file = file
    self.warnings = warnings
    valid = problems.isEmpty
    self.problems = problems.map { problem in
      var found = Problem(key: problem.key, message: problem.words, remedy: problem.remedy)
      if case .file(let path, let line, let column) = problem.origin {
        (found.file, found.line, found.column) = (path, line, column)
      }
      return found
    }
  }
}

/// One line of `config print --json`.
private struct PrintedSetting: Encodable {
  var key: String
  var value: String
  var source: String
  var secret: String?

  init(_ setting: EffectiveSetting) {
    key = setting.key
    value = setting.value
    source = setting.origin.words
    secret = setting.secret
  }
}
