import CentralCore
import CentralService
import Control
import Demo
import EventLoop
import Glibc
import ModemSimulator
import NodeCore
import NodeSQLite
import PassageFiles
import Passages
import Settings
import Text
import Time

/// The demo, step by step.
final class DemoScenario {
  /// What came of recording the example's file.
  struct Recorded {
    var rows = 0
    var passages = 0
    var repeated = 0
    /// Those that wait until their time has come.
    var held = 0
    var refused: [PassageReader.RowFault] = []
  }

  private let world: DemoEnvironment
  private let examples: DemoExamples
  private let show: DemoOutput
  private(set) var recorded = Recorded()

  init(world: DemoEnvironment, examples: DemoExamples, show: DemoOutput) {
    self.world = world
    self.examples = examples
    self.show = show
  }

  func tell() throws {
    try importDirectory()
    try startModems()
    try record()
    try waitOut()
    try text()
    try oddTexts()
  }

  private func importDirectory() throws {
    let importer = CentralImporter(store: world.centralStore, now: world.clocks.wall())
    for (kind, name) in [
      (CentralImporter.Kind.segments, "segments"), (.posts, "posts"), (.rangers, "rangers"),
    ] {
      let path = examples.path(name)
      let outcome = try importer.read(try examples.bytes(name), as: kind)
      if let problem = outcome.problems.first {
        throw CommandFailure(.badData, "\(path), line \(problem.line): \(problem.words)")
      }
    }
    let overview = try world.centralStore.overview()
    for segment in try world.centralStore.segments() {
      let low = segment.minimumMetresPerHour / 1_000
      let high = segment.maximumMetresPerHour / 1_000
      try show.step(
        "The office",
        "knows segment \(segment.name): \(segment.distanceMetres / 1_000) km at \(low) to"
          + " \(high) km/h, \(CountText.of(overview.posts, "post")), "
          + CountText.of(overview.rangers, "ranger"))
    }
  }

  private func startModems() throws {
    try world.start()
    world.tally.wait(while: { !($0.nodeReady && $0.officeReady) })
    let ports = world.simulator.ports
    try show.step(
      "The modems",
      "are ready: the checkpost's \(DemoEnvironment.nodeNumber) at \(ports[0]), the office's"
        + " \(DemoEnvironment.officeNumber) at \(ports[1])")
  }

  private func record() throws {
    let path = examples.path("passages")
    let checker = PassageChecker(
      settings: world.settings.settings.node, now: world.clocks.wall(), future: .seconds(120))
    var recording = PassageRecording(
      into: world.sink, checker: checker, clocks: world.clocks, checkpost: nil)
    var blocks = [try examples.bytes("passages")]
    try recording.record(
      path, isSlow: false, next: { blocks.popLast() },
      tell: { event in
        if case .refused(let line, let words) = event {
          recorded.refused.append(PassageReader.RowFault(line: line, words: words))
        }
      })
    let counts = recording.counts
    recorded.rows = counts.recorded + counts.known + counts.refused
    recorded.held = counts.undated
    recorded.passages = counts.recorded - counts.undated
    recorded.repeated = counts.known
    try show.step(
      "Recording",
      "\(CountText.of(recorded.rows, "row")): \(CountText.of(recorded.passages, "passage")) recorded,"
        + " \(recorded.repeated)"
        + " seen before, \(recorded.held) ahead of the clock and held back,"
        + " \(recorded.refused.count) refused:")
    for fault in recorded.refused {
      try show.detail("line \(fault.line): \(fault.words)")
    }
    try show.flush()
  }

  /// Nothing leaves before five minutes have passed.
  private func waitOut() throws {
    world.move(by: .seconds(290))
    let overview = try world.nodeStore.overview(
      at: world.nodeStore.clock.time(at: world.clocks.boot()))
    try show.step(
      "Waiting",
      "no connectivity. After \(DemoScenario.minutes(overview.oldestPendingAge)) pending:"
        + " \(overview.texted) texts have left")
    world.move(by: .seconds(11))
  }

  private func text() throws {
    let wanted = recorded.passages
    var bar = ProgressBar("texting", total: wanted, isQuiet: show.isJSON)
    var budgetsUsed = 0
    while true {
      let counts = world.tally.current
      bar.show(counts.judged)
      if let problem = counts.problem {
        bar.finish()
        throw CommandFailure(.system, problem)
      }
      if counts.judged >= wanted { break }
      if counts.budgetsUsed > budgetsUsed, counts.accepted < wanted {
        // A minute's budget is used up: the node waits for the next, and its clock is moved there.
        budgetsUsed = counts.budgetsUsed
        world.move(by: .seconds(60))
      }
      world.tally.wait { now in
        now.judged == counts.judged && now.budgetsUsed == budgetsUsed
      }
    }
    bar.finish()
    try show.step(
      "Texting",
      "after \(DemoScenario.minutes(world.clocks.elapsed)) on the node's clock: \(CountText.of(wanted, "text"))"
        + " accepted by the network, at most 60 a minute")
    try show.step(
      "Arriving", "\(CountText.of(world.tally.current.judged, "text")) at the office's modem")
  }

  /// What else comes to a number that the public can reach.
  private func oddTexts() throws {
    guard let item = try world.nodeStore.item(1) else { return }
    let body = item.passage.v1Body
    let strangers: [(from: String, text: String)] = [
      (DemoEnvironment.nodeNumber, body.replacing("|", with: "\u{A1}").lowercased()),
      (DemoEnvironment.nodeNumber, "V2|BNP-A|BA1PA1234|CAR|1773470000|9801"),
      (DemoEnvironment.nodeNumber, "V1|BNP-A|BA1PA1234|CAR|1573470000|9801"),
      ("+9779845550123", "V1|BNP-A|BA1PA1234|CAR|1773470000|9801"),
      ("Ncell", "Your data pack ends today. Dial *17123# to renew."),
    ]
    let seen = world.tally.current.judged
    for message in strangers {
      world.simulator.post(.send(from: message.from, text: message.text, modem: 1))
    }
    world.tally.wait { $0.judged < seen + strangers.count }
    try show.step(
      "Odd texts",
      "\(strangers.count) more came that nobody asked for: a mangled copy, another version, an old"
        + " time, a stranger, an advertisement")
  }

  private static func minutes(_ duration: Duration?) -> String {
    let seconds = duration?.wholeSeconds ?? 0
    return "\(seconds / 60) min \(seconds % 60) s"
  }
}
