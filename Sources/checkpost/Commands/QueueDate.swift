import ArgumentParser
import Control
import EventLoop
import Host
import NodeCore
import NodeSQLite
import Passages
import Settings
import Time

/// `queue date`.
struct QueueDate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "date",
    abstract: "Say when a passage was that was recorded while the clock had not been set.",
    discussion: """
      The service dates such passages itself as soon as the time is known. It cannot where the machine \
      was switched off in between: how long, nobody here knows. The passage then goes like any other. \
      A time is given once.
      """)

  @Argument(help: "The passage: its number in the queue, or its client_id or the beginning of it.")
  var passage: String

  @Option(help: TimeOption.help("When it was"))
  var at: String

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let time = try TimeOption.moment(at, "--at")
    let asked = Operations.QueueDate(passage, at: time.rfc3339)
    try QueueChange.run(settings, output, asked) { try $0.date(asked) }
  }
}
