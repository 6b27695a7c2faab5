import EventLoop
import ModemDriver
import ModemSession
import NodeCore
import NodeService
import Passages
import SerialPorts
import Settings
import Time

/// Texts a minute through one simulated modem that answers at once: a bare loop, our driver, the node
/// with both its durable writes, and the peers that are installed; and the CPU time of each text.
///
/// The modem runs in a process of its own, so that its work is nobody's. All have it in turn, in one
/// run: what the machine does otherwise, it does to all of them.
enum PeerFigure {
  private struct Outcome {
    /// Nanoseconds for each text.
    var time: Double
    /// Of it, on a processor.
    var processor: Double

    var perMinute: Double { 60e9 / time }
  }

  private static let texts = 600
  /// The node allows itself so many within a minute; its clock is then set forward.
  private static let textsAtOnce = 60
  private static let most = 2.5

  static func measure(_ place: Place, _ report: inout Report) async throws {
    let place = try place.within("peers")
    let simulated = try SimulatedPorts(place, count: 1, ["--number", "+9779800000001"])
    let text = try PassageSamples.passage(1).v1Body
    let line = try bare(place, simulated.ports[0], text) { try $0.sendOnly() }
    add("bare loop, no flush", line, &report)
    let driver = try await driver(simulated.ports[0], text)
    add("our driver alone", driver, &report, floor: line, of: "floor: bare loop, no flush")
    report.note("its overhead: \(Format.time(driver.time - line.time)) a text")
    let floor = try bare(place, simulated.ports[0], text) { try $0.send() }
    add("bare loop, two flushes", floor, &report)
    let node = try await node(place, simulated.ports[0])
    var peers: [(name: String, outcome: Outcome)] = []
    for peer in Peer.all {
      if let outcome = try measure(peer, place, simulated) {
        peers.append((peer.name, outcome))
      } else {
        report.note("\(peer.name): not installed (\(peer.package)), so not measured")
      }
    }
    for peer in peers { add(peer.name, peer.outcome, &report, floor: floor) }
    report.add(
      Figure(
        name: "texts a minute: node, both writes", measured: rate(node.perMinute),
        against: "floor: bare loop, two flushes", reference: rate(floor.perMinute),
        ratio: node.time / floor.time, target: "<= \(Format.number(most, places: 2)) times",
        isMet: node.time <= floor.time * most))
    report.note("CPU time a text: \(Format.time(node.processor))")
    guard let best = peers.min(by: { $0.outcome.time < $1.outcome.time }) else { return }
    report.add(
      Figure(
        name: "texts a minute: node, both writes", measured: rate(node.perMinute),
        against: "quickest peer, no flush at all", reference: rate(best.outcome.perMinute),
        ratio: node.time / best.outcome.time, target: "quicker than it",
        isMet: node.time < best.outcome.time))
    report.note(
      "that is \(best.name); a peer's time is from its first text at the modem to its last")
  }

  private static func add(
    _ name: String, _ outcome: Outcome, _ report: inout Report, floor: Outcome? = nil,
    of words: String = "floor: bare loop, two flushes"
  ) {
    report.add(
      Figure(
        name: "texts a minute: \(name)", measured: rate(outcome.perMinute),
        against: floor == nil ? "" : words,
        reference: floor.map { rate($0.perMinute) } ?? "",
        ratio: floor.map { outcome.time / $0.time }, target: nil, isMet: true))
    report.note(
      "\(Format.time(outcome.time)) and CPU time \(Format.time(outcome.processor)) a text")
  }

  private static func rate(_ perMinute: Double) -> String {
    Format.number(perMinute, places: 0)
  }

  private static func bare(
    _ place: Place, _ port: String, _ text: String, _ send: (BareExchange) throws -> Void
  ) throws -> Outcome {
    let exchange = try BareExchange(port: port, page: BarePage(place.path("floor")), text: text)
    let (start, processor) = (Stopwatch.now(), Stopwatch.processor())
    for _ in 0..<texts { try send(exchange) }
    return Outcome(
      time: Double(Stopwatch.now() - start) / Double(texts),
      processor: Double(Stopwatch.processor() - processor) / Double(texts))
  }

  private static func driver(_ port: String, _ text: String) async throws -> Outcome {
    let told = EventStream<ModemEvent>()
    var configuration = ModemConfiguration(port: port)
    configuration.statusReports = false
    let driver = try ModemDriver(
      configuration: configuration, clocks: SystemClocks(),
      openLink: { path throws(LinkError) in try SerialPorts.open(path, baud: 115_200) },
      onEvent: { told.put($0) })
    try driver.start()
    _ = try await told.next { event in
      if case .status(let status) = event { status.state == .ready } else { false }
    }
    let (start, processor) = (Stopwatch.now(), Stopwatch.processor())
    for number in 0..<texts {
      driver.post(
        .send(
          OutgoingText(
            id: Int64(number), to: Post.recipient, body: text, requestStatusReport: false)))
      _ = try await told.next { event in
        if case .sendOutcome(_, .accepted) = event { true } else { false }
      }
    }
    let outcome = Outcome(
      time: Double(Stopwatch.now() - start) / Double(texts),
      processor: Double(Stopwatch.processor() - processor) / Double(texts))
    driver.stop()
    await driver.finished()
    return outcome
  }

  private static func node(_ place: Place, _ port: String) async throws -> Outcome {
    let clocks = ForwardClocks(wallBehind: .zero)
    let post = try await Post(
      database: place.path("node.db"), port: port, clocks: clocks,
      change: {
        $0.node.sms.perMinute = textsAtOnce
        $0.node.sms.perHour = texts
        $0.node.sms.perDay = texts
      })
    var (time, processor): (Int64, Int64) = (0, 0)
    for round in 0..<texts / textsAtOnce {
      for number in 0..<textsAtOnce {
        _ = try await post.record(round * textsAtOnce + number)
      }
      clocks.forward(NodeRules().fallbackAfter + .seconds(1))
      Stopwatch.rest()
      let (start, used) = (Stopwatch.now(), Stopwatch.processor())
      post.wake()
      var end = start
      for _ in 0..<textsAtOnce { end = try await post.textAccepted() }
      time += end - start
      processor += Stopwatch.processor() - used
    }
    try post.end()
    return Outcome(
      time: Double(time) / Double(texts), processor: Double(processor) / Double(texts))
  }

  /// Nil when it is not installed.
  private static func measure(
    _ peer: Peer, _ place: Place, _ simulated: SimulatedPorts
  ) throws -> Outcome? {
    guard let program = peer.program else { return nil }
    let place = try place.within(String(peer.name.map { $0.isLetter ? $0 : "-" }))
    let arguments = try peer.arrange(place, simulated.ports[0])
    for number in 0..<peer.texts {
      try peer.hand(place, number, try PassageSamples.passage(number).v1Body)
    }
    let before = simulated.submitted().count
    let process = try ChildProcess(program, arguments, output: place.path("output"))
    defer { process.end() }
    try simulated.wait("\(peer.name): the first text", count: before + 1)
    let (first, processor) = (simulated.submitted().count, process.processor())
    try simulated.wait("\(peer.name): the last text", count: before + peer.texts)
    let used = process.processor() - processor
    let times = simulated.submitted().dropFirst(before)
    guard let start = times.first, let end = times.last else { return nil }
    return Outcome(
      time: Double(end - start) * 1e6 / Double(times.count - 1),
      processor: Double(used) / Double(max(1, before + times.count - first)))
  }
}
