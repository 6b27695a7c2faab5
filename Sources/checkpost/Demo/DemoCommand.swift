import ArgumentParser
import CentralCore
import CentralService
import Control
import Demo
import EventLoop
import Glibc
import ModemSimulator
import NodeCore
import NodeSQLite
import Passages
import Text
import Time

/// `checkpost demo`: the whole story on this machine, with nothing installed or configured.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Show the whole story on this machine: passages, texts, rows at the office.",
    discussion: """
      A checkpost without connectivity, an office and two simulated modems, in one process and a \
      directory that is removed afterwards. The code is that of the service; only the modems are \
      simulated, and the node's clock is moved forward instead of waiting for five minutes.
      """)

  @Option(
    help: ArgumentHelp(
      "A directory with CSV files like those of the example, which is built in.",
      valueName: "directory"), completion: .directory)
  var examples: String?

  @Flag(help: "Keep the two databases, and say where they are.")
  var keep = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let directory = try DemoDirectory(keeps: keep)
    // The thread that waits for signals has it, too, and keeps it until the process ends.
    defer { directory.remove() }
    // Before there is another thread, which would take the signals as they are now.
    try DemoEnding.watch(directory)
    let examples = try DemoExamples(examples)
    let clocks = DemoClocks(
      start: WallTime(rfc3339: "2026-03-14T13:00:00Z") ?? SystemClocks().wall())
    let show = DemoOutput(isJSON: output.isJSON)
    try show.title()
    let world = try DemoEnvironment(directory: directory.path, clocks: clocks)
    let story = DemoScenario(world: world, examples: examples, show: show)
    do {
      try story.tell()
    } catch {
      world.stop()
      throw error
    }
    let result = try DemoResult(world, story.recorded)
    world.stop()
    try result.show(show)
    if keep { try show.line("\nThe databases are kept in \(directory.path).") }
    try show.flush()
    guard result.isWhole else {
      throw CommandFailure(
        .system,
        "\(CountText.of(result.passages, "row")) arrived where \(story.recorded.passages) passages were recorded;"
          + " this is a fault of checkpost, please report it")
    }
  }
}

/// A directory for the time of the demo.
final class DemoDirectory: Sendable {
  let path: String
  private let keeps: Bool

  init(keeps: Bool) throws {
    self.keeps = keeps
    let parent = ProcessEnvironment.all["TMPDIR"] ?? "/tmp"
    var template = Array("\(parent)/checkpost-demo-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw CommandFailure(
        .inputOutput,
        "\(parent): \(systemMessage(errno)); set TMPDIR to a directory that can be"
          + " written")
    }
    path = String(cString: made)
  }

  deinit {
    remove()
  }

  /// Removes it, unless it is to be kept.
  func remove() {
    guard !keeps else { return }
    for directory in [path + "/traces", path] {
      for name in SystemFile.names(in: directory) { unlink("\(directory)/\(name)") }
      rmdir(directory)
    }
  }
}

/// The end of the demo before its time: Ctrl-C, or a signal that asks for it.
enum DemoEnding {
  /// Waits for a signal on a thread of its own, removes the directory, and ends the process by that very
  /// signal.
  static func watch(_ directory: DemoDirectory) throws {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    try WorkerThread().start(name: "ending") { [signals] in
      var signals = signals
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { return }
      // What is being written comes again while it is removed.
      for _ in 0..<DemoEnding.removals where access(directory.path, F_OK) == 0 {
        directory.remove()
      }
      signal(number, SIG_DFL)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      kill(getpid(), number)
    }
  }

  private static let removals = 100
}

/// What the demo says; with `--json` only the result.
final class DemoOutput {
  let isJSON: Bool
  let isColoured = Terminal.showsColours(STDOUT_FILENO)
  let out = StandardOutput()
  private var steps = 0

  init(isJSON: Bool) {
    self.isJSON = isJSON
  }

  func title() throws {
    try told(
      "checkpost demo: a checkpost without connectivity, an office, and a text modem at each.")
    try line("")
    try flush()
  }

  /// A step of the story.
  func step(_ name: String, _ words: String) throws {
    steps += 1
    let padded = name + String(repeating: " ", count: max(0, 13 - name.count))
    try told(words, after: "\(steps)  \(Colour.strong.paint(padded, if: isColoured))", indent: 16)
    try flush()
  }

  /// A line that belongs to the step before it.
  func detail(_ words: String) throws {
    try told(words, after: "\(DemoOutput.space(16))", indent: 16)
  }

  /// Words that are broken where the terminal ends, and go on below their beginning.
  func told(_ words: String, after start: ShownText = "", indent: Int = 0) throws {
    let columns = Terminal.isTerminal(STDOUT_FILENO) ? Terminal.columns(STDOUT_FILENO) : nil
    let lines = columns.map { LineWrap.lines(words, columns: $0 - indent) } ?? [words]
    for (number, text) in lines.enumerated() {
      try line(number == 0 ? "\(start)\(text)" : "\(DemoOutput.space(indent))\(text)")
    }
  }

  private static func space(_ columns: Int) -> String { String(repeating: " ", count: columns) }

  func line(_ text: ShownText) throws {
    if !isJSON { try out.line(text) }
  }

  func flush() throws { try out.flush() }
}
