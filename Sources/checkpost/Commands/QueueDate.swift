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
    let time = try rightTime()
    let future = try settings.load().settings.central.clockWindow.future
    try QueueChange.run(settings, output, [passage]) { store, item, moment in
      return switch try store.date(item.queueID, at: time, future: future, moment: moment) {
      case .dated:
        .init("dated", isDone: true, "it was at \(LocalClock.ofThisMachine.whole(time))")
      case .alreadyDated:
        .init("already_dated", isDone: false, "it has its time already; that stays")
      case .handedOn:
        .init(
          "handed_on", isDone: false,
          "it was handed on as it is; tell whoever has it when it was")
      case .unsayable:
        .init(
          "unsayable", isDone: false,
          "no text can say \(time.rfc3339); the earliest is \(Passage.earliest.rfc3339)")
      case .ahead:
        .init(
          "ahead", isDone: false,
          "\(time.rfc3339) lies in the future of this machine's clock; set the clock, or the time")
      case .notFound: .init("not_found", isDone: false, "there is no such passage")
      }
    }
  }

  private func rightTime() throws -> WallTime {
    try TimeOption.moment(at, "--at")
  }
}
