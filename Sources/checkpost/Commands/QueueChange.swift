import ArgumentParser
import Control
import EventLoop
import Host
import NodeCore
import NodeSQLite
import Settings
import Time

/// `queue retry`.
struct QueueRetry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Let passages be tried again that failed, are on hold, or whose text is lost.",
    discussion: """
      All of a passage that was given up is tried again: the passage, its photograph, its correction and \
      its texts; --photo, --correction, --upload and --texts name some of that alone.

      A text of which nobody knows whether it left, or which the network reported as not delivered, \
      never goes again by itself; this sends another one. What was accepted and may still arrive is \
      not sent twice. What will not be sent is left as it was.
      """)

  @Argument(
    help: "The passages: their numbers in the queue, or their client_ids or the beginnings of them."
  )
  var passages: [String]

  @Flag(help: "Their photographs.")
  var photo = false

  @Flag(help: "Their corrections and withdrawals.")
  var correction = false

  @Flag(help: "The passages themselves, to the server.")
  var upload = false

  @Flag(help: "Their texts.")
  var texts = false

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let named: [(Bool, RetryPart)] = [
      (upload, .passage), (photo, .photo), (correction, .correction), (texts, .texts),
    ]
    let parts = named.filter(\.0).map(\.1.rawValue)
    let asked = Operations.QueueRetry(passages, parts: parts.isEmpty ? nil : parts)
    try QueueChange.run(settings, output, asked) { try $0.retry(asked) }
  }
}

/// `queue park`.
struct QueuePark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "park",
    abstract: "Put passages on hold: neither uploaded nor texted until `queue retry`.",
    discussion: """
      What is on its way at that moment runs its course. A passage that never was is withdrawn instead, by \
      `queue withdraw`.
      """)

  @Argument(
    help: "The passages: their numbers in the queue, or their client_ids or the beginnings of them."
  )
  var passages: [String]

  @Option(help: ArgumentHelp("Why; it is kept with the passage.", valueName: "words"))
  var reason = "parked by an operator"

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let asked = Operations.QueuePark(passages, reason: reason)
    try QueueChange.run(settings, output, asked) { try $0.park(asked) }
  }
}

/// `queue withdraw`.
struct QueueWithdraw: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "Withdraw passages that never were: a wrong key, a vehicle that did not pass.",
    discussion: """
      A passage of which nothing has left stays here and goes nowhere. One that the server has, or may \
      have, is withdrawn there: it stays in its list, marked with the reason, and nothing is judged by it \
      any more. No text takes back a text: without a server, tell central. It is kept with its reason, and \
      cannot be taken back; a passage that was after all is recorded again.
      """)

  @Argument(
    help: "The passages: their numbers in the queue, or their client_ids or the beginnings of them."
  )
  var passages: [String]

  @Option(
    help: ArgumentHelp("Why it never was; it is kept with the passage.", valueName: "words"))
  var reason: String

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let asked = Operations.QueueWithdraw(passages, reason: reason)
    try QueueChange.run(settings, output, asked) { try $0.withdraw(asked) }
  }
}

/// What was exported, marked as handed on.
enum HandedOn {
  /// Marks what was exported as handed on, and says what came of it.
  static func mark(
    _ written: [Int64], in store: SQLiteNodeStore, _ loaded: LoadedSettings
  ) throws {
    let clocks = SystemClocks()
    var all = HandingOn()
    for start in stride(from: 0, to: written.count, by: markedAtOnce) {
      let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
      let some = try store.handOn(
        written[start..<min(start + markedAtOnce, written.count)], at: moment)
      all.marked += some.marked
      all.done += some.done
      all.busy += some.busy
    }
    if all.marked > 0 {
      RunningService.tell(Operations.Wake(), socket: loaded.settings.control.socket)
    }
    var words = "\(all.marked) marked as handed on"
    if all.done > 0 { words += ", \(all.done) were done already" }
    if all.busy > 0 { words += ", \(all.busy) are being sent and were not; export them again" }
    Diagnostics.say(words)
    if all.busy > 0 { throw ExitCode(ExitStatus.tryAgain.code) }
  }

  /// Passages of one transaction, so that the running service does not wait long for its own.
  private static let markedAtOnce = 1_000
}
