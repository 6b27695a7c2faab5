import ArgumentParser
import Glibc
import Host
import Settings

/// `checkpost run`: the service.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the service with the roles that the configuration enables.",
    discussion: """
      Ends cleanly on SIGTERM and SIGINT: a text that is being sent is finished first. Reads the \
      configuration again on SIGHUP, and opens its log anew.
      """)

  @OptionGroup var settings: SettingsOptions

  func run() throws {
    try ServiceHost(
      try settings.load(), console: Terminal.look(STDOUT_FILENO),
      environment: ProcessEnvironment.all,
      readAgain: { [path = settings.path] in
        try LoadedSettings.load(path: path, environment: ProcessEnvironment.all)
      }
    ).run()
  }
}
