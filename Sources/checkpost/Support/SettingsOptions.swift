import ArgumentParser
import Control
import Settings

/// `--config`, for every command that reads the service's settings or its state.
struct SettingsOptions: ParsableArguments {
  @Option(
    name: .customLong("config"),
    help: ArgumentHelp(
      "The configuration file. Default: $CHECKPOST_CONFIG, then \(LoadedSettings.standardPath), "
        + "then the built-in defaults.", valueName: "file"))
  var path: String?

  /// Loads the settings; what is strange about them goes to standard error.
  ///
  /// - Throws: `SettingsError`, which ends the command with 78.
  func load() throws -> LoadedSettings {
    let loaded = try LoadedSettings.load(path: path, environment: ProcessEnvironment.all)
    for warning in loaded.warnings {
      Diagnostics.say(warning)
    }
    return loaded
  }

  /// Loads the settings and connects to the running service.
  ///
  /// - Throws: `SettingsError` and `ControlError`.
  func connect() throws -> ControlClient {
    try ControlClient(path: try load().settings.control.socket)
  }
}

/// `--json`, for every command that prints results.
struct OutputOptions: ParsableArguments {
  @Flag(
    name: .customLong("json"), help: "Print JSON: one object, or one a line where there are many.")
  var isJSON = false
}
