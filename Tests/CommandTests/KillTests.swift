import EventLoop
import Foundation
import TestSupport
import Testing
import Time

/// The whole path with real programs, while they are killed at random moments.
@Suite(.ownThreads) struct KillTests {
  /// How often something is killed.
  static let kills = 200

  @Test(.timeLimit(.minutes(15))) func nothingIsLostAndNothingIsDoubled() async throws {
    let outcome = try await onThread { () -> KillOutcome in
      let world = try KilledWorld()
      defer { world.end() }
      return try world.live(kills: KillTests.kills, seed: 4_711)
    }
    #expect(outcome.recorded >= 60)
    #expect(outcome.problems == [])
    // A text whose answer nobody waited for has an unknown outcome until its report tells it. One that
    // was written down and never left has no report: its passage waits for connectivity.
    #expect(outcome.unanswered > 0, "no kill fell between a text and its answer")
    #expect(outcome.arrived.count >= outcome.recorded * 3 / 4)
    print(
      "\(KillTests.kills) kills: \(outcome.recorded) passages recorded, \(outcome.arrived.count)"
        + " rows at central, \(outcome.unanswered) starts with a text that nobody waited for,"
        + " \(outcome.unknown) with an unknown outcome to the end")
  }
}

/// What came of it.
struct KillOutcome: Sendable {
  var recorded = 0
  var arrived: Set<String> = []
  /// Starts of the node that found texts without an answer.
  var unanswered = 0
  var unknown = 0
  var problems: [String] = []
}

/// Two simulated modems, a node and a central, each a process of its own.
private final class KilledWorld {
  /// Milliseconds from a text to the network's answer.
  private static let latency: Int64 = 150

  private let files: ProgramFiles
  private let simulator: SimulatorProcess
  private var services: [ChildProcess?] = [nil, nil]
  private let configurations: [String]
  /// What the simulator has said.
  private var events: [String] = []

  init() throws {
    files = try ProgramFiles()
    let directory = files.directory.path
    simulator = try SimulatorProcess(
      ["+9779801000001", "+9779801000099"], files, ["--latency", "\(KilledWorld.latency)"])
    configurations = [
      try files.write(
        "node.yaml",
        """
        log: {file: \(directory)/node.log, format: off, mask_key_file: null}
        roles: {node: true}
        node:
          checkpost: BNP-A
          database: \(directory)/node.db
          gateway: "+9779801000099"
          fallback_after: 0s
          sms: {per_minute: 60, per_day: 10000}
        modem: {port: \(simulator.links[0]), reopen_first: 100ms}
        control: {socket: \(directory)/node.sock}
        """),
      try files.write(
        "central.yaml",
        """
        log: {file: null, format: off, mask_key_file: null}
        roles: {central: true}
        central:
          database: \(directory)/central.db
          modem: {port: \(simulator.links[1]), reopen_first: 100ms}
          http: {enabled: false}
          ingress: {mode: open}
        control: {socket: \(directory)/central.sock}
        """),
    ]
  }

  func end() {
    for service in services { service?.kill() }
    simulator.end()
  }

  func live(kills: Int, seed: UInt64) throws -> KillOutcome {
    var random = KillRandom(state: seed)
    var outcome = KillOutcome()
    for number in 0..<kills {
      for place in services.indices where services[place]?.isRunning != true { try start(place) }
      let recorded = number.isMultiple(of: 3) ? try record(number, &outcome) : nil
      if let recorded, random.next().isMultiple(of: 2) {
        // Between a text and the network's answer.
        events += try simulator.read(until: "\"submitted\"", recorded)
        wait(milliseconds: random.next(below: KilledWorld.latency))
        services[0]?.kill()
        if random.next(below: 4) == 0 { services[1]?.kill() }
        continue
      }
      wait(milliseconds: random.next(below: 500))
      switch random.next(below: 5) {
      case 0:
        services[0]?.kill()
        services[1]?.kill()
      case 1: services[1]?.kill()
      default: services[0]?.kill()
      }
    }
    for place in services.indices where services[place]?.isRunning != true { try start(place) }
    try settle(&outcome)
    try compare(&outcome)
    return outcome
  }

  private func start(_ place: Int) throws {
    services[place] = try ChildProcess(
      Program.path, ["run", "--config", configurations[place]], hearing: .nothing)
  }

  /// Time passes: what is killed is to be in the middle of something.
  private func wait(milliseconds: Int64) {
    let clocks = SystemClocks()
    _ = PollLoop.wait([], until: clocks.boot() + .milliseconds(milliseconds), clocks: clocks)
  }

  /// Records a passage; returns what its text has and no other, nil when that failed.
  private func record(_ number: Int, _ outcome: inout KillOutcome) throws -> String? {
    let run = try Program.run([
      "record", "--config", configurations[0], "--plate", "BA 1 PA \(1_000 + number)",
      "--type", "truck", "--phone", "9801",
    ])
    guard run.status == 0, run.lines.count == 1 else {
      outcome.problems.append("recording failed: \(run.errors)")
      return nil
    }
    outcome.recorded += 1
    return "|BA1PA\(1_000 + number)|"
  }

  /// Waits until nothing waits for a text any more, and central has all that is on its way.
  private func settle(_ outcome: inout KillOutcome) throws {
    var quiet = 0
    var before = -1
    for _ in 0..<1_200 where quiet < 20 {
      let status = try Program.run(["status", "--json", "--config", configurations[0]])
      let queue = try status.objects().first?["queue"] as? [String: Any]
      let waiting = queue?["waiting_for_text"] as? Int ?? -1
      let passages = try rows()
      quiet = waiting == 0 && passages.count == before ? quiet + 1 : 0
      before = passages.count
      // Central may still be on its way to its modem, in which a text lies.
      if quiet == 20, try !sent().isSubset(of: Set(passages)) { quiet = 0 }
      events += simulator.unread()
      wait(milliseconds: 100)
    }
    if quiet < 20 { outcome.problems.append("it did not come to rest") }
  }

  /// The identities of passages that the node says were sent.
  private func sent() throws -> Set<String> {
    let queue = try Program.run([
      "queue", "list", "--json", "--limit", "10000", "--config", configurations[0],
    ]).objects()
    return Set(
      queue.filter { $0["text"] as? String == "sent" }.compactMap { $0["client_id"] as? String })
  }

  private func rows() throws -> [String] {
    try Program.run([
      "central", "passages", "--json", "--limit", "10000", "--config", configurations[1],
    ]).objects().compactMap { $0["client_id"] as? String }
  }

  private func compare(_ outcome: inout KillOutcome) throws {
    let rows = try rows()
    outcome.arrived = Set(rows)
    if outcome.arrived.count != rows.count { outcome.problems.append("a passage has two rows") }
    let queue = try Program.run([
      "queue", "list", "--json", "--limit", "10000", "--config", configurations[0],
    ]).objects()
    if queue.count != outcome.recorded {
      outcome.problems.append("\(outcome.recorded) recorded, \(queue.count) in the queue")
    }
    var known: Set<String> = []
    for item in queue {
      guard let client = item["client_id"] as? String, let text = item["text"] as? String else {
        outcome.problems.append("an item without identity or text")
        continue
      }
      known.insert(client)
      switch text {
      case "sent":
        if !outcome.arrived.contains(client) {
          outcome.problems.append("\(client) was sent and did not arrive")
        }
      case "unknown": outcome.unknown += 1
      default: outcome.problems.append("\(client) was not sent: \(text)")
      }
    }
    if !outcome.arrived.isSubset(of: known) {
      outcome.problems.append("rows that nobody recorded")
    }
    try countTexts(&outcome)
    outcome.unanswered = try files.text("node.log").split(separator: "\n").count {
      $0.contains("\"node_started\"") && $0.contains("texts with unknown outcome")
    }
  }

  /// How often each text went on air: the network counts, and not the programs that died.
  private func countTexts(_ outcome: inout KillOutcome) throws {
    var counts: [String: Int] = [:]
    for line in events + simulator.unread() {
      guard
        let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        event["event"] as? String == "submitted", let text = event["text"] as? String
      else { continue }
      counts[text, default: 0] += 1
    }
    for (text, count) in counts where count > 1 {
      outcome.problems.append("\(text) went on air \(count) times")
    }
  }
}

/// Repeatable randomness for the moments of the kills (xorshift64*).
private struct KillRandom {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return (state &* 0x2545_F491_4F6C_DD1D) >> 8
  }

  mutating func next(below limit: Int64) -> Int64 {
    Int64(next() % UInt64(limit))
  }
}
