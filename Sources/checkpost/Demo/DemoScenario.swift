import CentralCore
import CentralService
import Control
import EventLoop
import Glibc
import ModemSimulator
import NodeCore
import NodeSQLite
import Passages
import Settings
import Time

/// The demo, step by step.
final class DemoScenario {
  /// What came of recording the example's file.
  struct Recorded {
    var rows = 0
    var passages = 0
    var repeated = 0
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

  func tell() async throws {
    try importDirectory()
    try await startModems()
    try record()
    try await waitOut()
    try await text()
    try await oddTexts()
  }

  private func importDirectory() throws {
    let importer = CentralImporter(store: world.centralStore)
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
          + " \(high) km/h, \(overview.posts) posts, \(overview.rangers) rangers")
    }
  }

  private func startModems() async throws {
    try world.start()
    await world.tally.changed { !($0.nodeReady && $0.officeReady) }
    let ports = world.simulator.ports
    try show.step(
      "The modems",
      "are ready: the checkpost's \(DemoEnvironment.nodeNumber) at \(ports[0]), the office's"
        + " \(DemoEnvironment.officeNumber) at \(ports[1])")
  }

  private func record() throws {
    let path = examples.path("passages")
    var settings = Settings().node
    settings.segment = "Bardia"
    let judge = PassageChecker(
      settings: settings, now: world.clocks.wall(), future: .seconds(120))
    var reader = PassageReader(name: path)
    let entries = try reader.read(try examples.bytes("passages")) + reader.finish()
    var requests: [RecordRequest] = []
    recorded.rows = entries.count
    for entry in entries {
      switch entry {
      case .failure(let fault): recorded.refused.append(fault)
      case .success(let row):
        do throws(PassageChecker.Fault) {
          requests.append(try judge.request(row))
        } catch {
          recorded.refused.append(PassageReader.RowFault(line: row.line, words: error.words))
        }
      }
    }
    let store = world.nodeStore
    let moment = Moment(
      boot: store.clock.time(at: world.clocks.boot()), wall: world.clocks.wall())
    for outcome in try store.record(requests, at: moment) {
      if case .recorded = outcome { recorded.passages += 1 } else { recorded.repeated += 1 }
    }
    world.move(by: .zero)
    try show.step(
      "Recording",
      "\(recorded.rows) rows: \(recorded.passages) passages recorded, \(recorded.repeated)"
        + " seen before, \(recorded.refused.count) refused:")
    for fault in recorded.refused {
      try show.detail("line \(fault.line): \(fault.words)")
    }
    try show.flush()
  }

  /// Nothing leaves before five minutes have passed.
  private func waitOut() async throws {
    world.move(by: .seconds(290))
    await Task.yield()
    let overview = try world.nodeStore.overview(
      at: world.nodeStore.clock.time(at: world.clocks.boot()))
    try show.step(
      "Waiting",
      "no connectivity. After \(DemoScenario.minutes(overview.oldestPendingAge)) pending:"
        + " \(overview.texted) texts have left")
    world.move(by: .seconds(11))
  }

  private func text() async throws {
    let wanted = recorded.passages
    var bar = ProgressBar("texting", total: wanted, isQuiet: show.isJSON)
    var budgetsUsed = 0
    while true {
      let counts = world.tally.current
      bar.show(counts.arrived)
      if let problem = counts.problem {
        bar.finish()
        throw CommandFailure(.system, problem)
      }
      if counts.arrived >= wanted, counts.judged >= wanted { break }
      if counts.budgetsUsed > budgetsUsed, counts.accepted < wanted {
        // A minute's budget is used up: the node waits for the next, and its clock is moved there.
        budgetsUsed = counts.budgetsUsed
        world.move(by: .seconds(60))
      }
      await world.tally.changed { now in
        now.arrived == counts.arrived && now.judged == counts.judged
          && now.budgetsUsed == budgetsUsed && now.problem == nil
      }
    }
    bar.finish()
    try show.step(
      "Texting",
      "after \(DemoScenario.minutes(world.clocks.elapsed)) on the node's clock: \(wanted) texts"
        + " accepted by the network, at most 60 a minute")
    try show.step("Arriving", "\(world.tally.current.arrived) texts at the office's modem")
  }

  /// What else comes to a number that the public can reach.
  private func oddTexts() async throws {
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
    await world.tally.changed { $0.judged < seen + strangers.count }
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
