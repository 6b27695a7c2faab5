import ArgumentParser
import Dispatch
import Glibc
import Host

/// The program: its commands, and how it ends.
@main
struct Checkpost: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "checkpost",
    abstract:
      "Vehicle passages from checkposts to central, by text message when there is no network.",
    discussion: """
      Results go to standard output, everything else to standard error. Exit codes are those of \
      sysexits.h: 0 done, 64 usage, 65 bad data, 69 unavailable, 71 system error, 74 I/O error, \
      75 try again, 77 no permission, 78 bad configuration.

      checkpost help topics names what is told beside the commands: events, JSON keys, exit codes, \
      settings. --version --verbose names the build and every library in it, with version and licence; \
      with --json it prints them as a bill of materials (CycloneDX).
      """,
    version: Version.current,
    subcommands: [
      RunCommand.self, DemoCommand.self, RecordCommand.self, DeskCommand.self, OverdueCommand.self,
      StatusCommand.self, LogCommand.self,
      QueueCommand.self, SyncCommand.self,
      SMSCommand.self,
      PDUCommand.self, ModemCommand.self, SimulateCommand.self, CentralCommand.self,
      ConfigCommand.self, DoctorCommand.self, BackupCommand.self, RestoreCommand.self,
    ])

  /// Runs the command that the arguments name, and ends with one line and one code when it fails.
  ///
  /// Not itself a task: the first one starts a thread pool, whose monitor wakes every second, and a
  /// node that runs for years on a battery needs none.
  static func main() {
    prepareSignals()
    do {
      if let request = VersionRequest(CommandLine.arguments.dropFirst()) {
        return try request.answer()
      }
      if let request = HelpRequest(CommandLine.arguments.dropFirst()) {
        return try request.answer()
      }
      var command = try parseAsRoot()
      if let asynchronous = command as? any AsyncParsableCommand { run(asynchronous) }
      try command.run()
    } catch {
      Glibc.exit(Diagnostics.report(error))
    }
  }

  private static func run(_ command: sending any AsyncParsableCommand) -> Never {
    var command = command
    Task {
      do {
        try await command.run()
        Glibc.exit(EX_OK)
      } catch {
        Glibc.exit(Diagnostics.report(error))
      }
    }
    dispatchMain()
  }

  /// A reader that goes away is an error of one write, not the end of a service; and whoever started
  /// this may have had signals blocked, which are inherited and would keep it from ever ending.
  private static func prepareSignals() {
    signal(SIGPIPE, SIG_IGN)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      sigaddset(&signals, number)
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
