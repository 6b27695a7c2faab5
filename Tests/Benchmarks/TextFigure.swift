import EventLoop
import ModemModel
import ModemSimulator
import NodeCore
import NodeService
import Passages
import Time

/// One text through a modem that answers at once, from the moment its passage is due to its outcome
/// on disk, beside the same exchange in a bare loop with the same two flushes.
///
/// Both have a port of the same simulator, take turns text by text, and begin on a machine that has
/// come to rest: what slows it down for a moment slows both, and neither has the other's work still
/// going on beside it.
enum TextFigure {
  private struct Outcome {
    var node = Samples()
    var bare = Samples()
    var nodeFlushing = Samples()
    var bareFlushing = Samples()
    var flushes = 0

    var ratio: Double { node.median / bare.median }
    var flushesEach: Double { Double(flushes) / Double(max(1, node.values.count)) }
  }

  static func measure(_ place: Place, _ report: inout Report) async throws {
    let numbers = ["+9779800000001", "+9779800000002"]
    let simulator = try ModemSimulator(
      settings: SimulatorSettings(modems: numbers.map { ModemSettings(number: $0) }),
      clocks: SystemClocks(), onEvent: { _ in })
    try simulator.start()
    let text = try PassageSamples.passage(1).v1Body
    let exchange = try BareExchange(
      port: simulator.ports[1], page: BarePage(place.path("text-floor")), text: text)
    // Both clocks go forward: where one does alone, the other was set, and a machine's clock is not set each five
    // minutes.
    let clocks = ForwardClocks(wallBehind: .zero)
    let post = try await Post(
      database: place.path("text.db"), port: simulator.ports[0], clocks: clocks)
    var next = 0
    // The first hundred let the write-ahead log grow to its usual size; then its pages are used again.
    _ = try await compare(post, clocks, exchange, texts: 100, &next)
    let disk = try await compare(post, clocks, exchange, texts: 300, &next)
    let card = try await Flushes.slowed(to: Flushes.card) {
      try await compare(post, clocks, exchange, texts: 100, &next)
    }
    try post.end()
    simulator.stop()
    await simulator.finished()
    add("one text, both durable writes", disk, most: 2, &report)
    add("one text, a flush takes 5 ms", card, most: 1.1, &report)
    report.note("peers as documented: gammu-smsd 711 ms a text, smstools 500 ms")
  }

  private static func add(
    _ name: String, _ outcome: Outcome, most: Double, _ report: inout Report
  ) {
    report.add(
      Figure(
        name: name, measured: Format.time(outcome.node.median),
        against: "floor: bare loop, two flushes", reference: Format.time(outcome.bare.median),
        ratio: outcome.ratio, target: "<= \(Format.number(most, places: 2)) times",
        isMet: outcome.ratio <= most))
    let each = Format.number(outcome.flushesEach, places: 2)
    report.note(
      "of it \(Format.time(outcome.nodeFlushing.median)) in \(each) flushes, of the floor "
        + "\(Format.time(outcome.bareFlushing.median)); the slowest took "
        + Format.time(outcome.node.most))
  }

  private static func compare(
    _ post: Post, _ clocks: ForwardClocks, _ exchange: BareExchange, texts: Int,
    _ number: inout Int
  ) async throws -> Outcome {
    var outcome = Outcome()
    for _ in 0..<texts {
      Stopwatch.rest()
      let idle = Flushes.time
      let bare = try Stopwatch.time { try exchange.send() }
      let bareFlushing = Flushes.time - idle
      let queueID = try await post.record(number)
      // What is never due would be waited for without end. Once will do: to ask takes its time.
      if number == 0 { _ = try post.due(queueID) }
      number += 1
      clocks.forward(NodeRules().fallbackAfter + .seconds(1))
      Stopwatch.rest()
      let (flushes, flushing) = (Flushes.count, Flushes.time)
      let start = Stopwatch.now()
      post.wake()
      let end = try await post.textAccepted()
      outcome.bare.add(bare)
      outcome.bareFlushing.add(Double(bareFlushing))
      outcome.node.add(Double(end - start))
      outcome.nodeFlushing.add(Double(Flushes.time - flushing))
      outcome.flushes += Flushes.count - flushes
    }
    return outcome
  }
}
