import ArgumentParser
import Control
import Host
import Settings

/// `--config`, for every command that reads the service's settings or its state.
struct SettingsOptions: ParsableArguments {
  @Option(
    name: .customLong("config"),
    help: ArgumentHelp(
      "The configuration file. Default: $CHECKPOST_CONFIG, then \(LoadedSettings.standardPath), "
        + "then the built-in defaults.", valueName: "file"), completion: .file())
  var named: String?

  @Option(
    help: ArgumentHelp(
      "A second service of this machine, by its name: --config /etc/checkpost/NAME.yaml.",
      valueName: "name"))
  var instance: String?

  /// The configuration file that was named; nil where none was.
  var path: String? { named ?? instance.map(LoadedSettings.path(ofInstance:)) }

  func validate() throws {
    guard let instance else { return }
    guard named == nil else { throw ValidationError("name either --config or --instance") }
    guard LoadedSettings.isInstance(instance) else {
      throw ValidationError(
        "--instance \(instance): write 1 to 32 small letters, digits and hyphens, such as north")
    }
  }

  /// Loads the settings; what is strange about them goes to standard error.
  ///
  /// - Throws: `SettingsError`, which ends the command with 78.
  func load() throws -> LoadedSettings {
    let environment = ProcessEnvironment.all
    // Before anything is read or done: what is done must not be done again.
    enterGroup(for: [file])
    let loaded = try LoadedSettings.load(path: path, environment: environment)
    enterGroup(toUse: loaded)
    for warning in loaded.warnings {
      Diagnostics.say(warning)
    }
    return loaded
  }

  /// What can be read of settings that ``load()`` refuses; the rest is at its default.
  func readable() -> LoadedSettings {
    let loaded = LoadedSettings.readable(path: path, environment: ProcessEnvironment.all)
    enterGroup(toUse: loaded)
    return loaded
  }

  /// The file that is meant, whether it is there or not.
  private var file: String {
    path ?? ProcessEnvironment.all["CHECKPOST_CONFIG"] ?? LoadedSettings.standardPath
  }

  /// Starts the command anew as a member of the group that may use what these settings name, where the
  /// user is one and this session does not know yet.
  func enterGroup(toUse loaded: LoadedSettings) {
    let settings = loaded.settings
    enterGroup(for: [settings.control.socket, settings.log.maskKeyFile].compactMap { $0 })
  }

  private func enterGroup(for paths: [String]) {
    GroupEntry(paths: paths)?.enter(arguments: Array(CommandLine.arguments.dropFirst()))
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
