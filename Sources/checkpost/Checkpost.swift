import ArgumentParser
import Glibc

/// The program: its commands, and how it ends.
@main
struct Checkpost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "checkpost",
    abstract:
      "Vehicle passages from checkposts to the centre, by text message when there is no network.",
    discussion: """
      Results go to standard output, everything else to standard error. Exit codes are those of \
      sysexits.h: 0 done, 64 usage, 65 bad data, 69 unavailable, 71 system error, 74 I/O error, \
      75 try again, 77 no permission, 78 bad configuration.
      """,
    version: Version.current,
    subcommands: [
      RunCommand.self, DemoCommand.self, RecordCommand.self, StatusCommand.self, LogCommand.self,
      QueueCommand.self,
      SMSCommand.self,
      PDUCommand.self, ModemCommand.self, SimulateCommand.self, CentralCommand.self,
      ConfigCommand.self,
    ])

  /// Runs the command that the arguments name, and ends with one line and one code when it fails.
  static func main() async {
    prepareSignals()
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      Glibc.exit(Diagnostics.report(error))
    }
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
