import EventLoop
import ModemModel
import ModemSimulator
import NodeCore
import NodeService
import Passages
import Timing

/// One text through a modem that answers at once, from the moment its passage is due to its outcome
/// on disk, beside the same exchange in a bare loop on the same port with the same two flushes.
enum TextFigure {
  private struct Outcome {
    var node = Samples()
    var bare = Samples()
    var flushes = 0

    var ratio: Double { node.median / bare.median }
    var flushesEach: Double { Double(flushes) / Double(max(1, node.values.count)) }
  }

  static func measure(_ place: Place) async throws {
    let simulator = try ModemSimulator(
      settings: SimulatorSettings(modems: [ModemSettings(number: "+9779800000001")]),
      clocks: SystemClocks(), onEvent: { _ in })
    try simulator.start()
    let disk = try await compare(place, "disk", port: simulator.ports[0], rounds: 4, texts: 60)
    let card = try await Flushes.slowed(to: Flushes.card) {
      try await compare(place, "card", port: simulator.ports[0], rounds: 2, texts: 30)
    }
    add("one text, both durable writes", disk, most: 2)
    add("one text, a flush takes 5 ms", card, most: 1.1)
    Report.note(
      "peers as documented: gammu-smsd 711 ms a text, smstools 500 ms; "
        + "slowest of \(disk.node.values.count) here \(Format.time(disk.node.most))")
    simulator.stop()
    await simulator.finished()
  }

  private static func add(_ name: String, _ outcome: Outcome, most: Double) {
    let each = Format.number(outcome.flushesEach, places: 2)
    Report.add(
      Figure(
        name: "\(name) (\(each) flushes)", measured: Format.time(outcome.node.median),
        against: "floor: bare loop, two flushes", reference: Format.time(outcome.bare.median),
        ratio: outcome.ratio, target: "<= \(Format.number(most, places: 2)) times",
        isMet: outcome.ratio <= most))
  }

  private static func compare(
    _ place: Place, _ name: String, port: String, rounds: Int, texts: Int
  ) async throws -> Outcome {
    var outcome = Outcome()
    for round in 0..<rounds {
      let path = place.path("text-\(name)-\(round)")
      try bare(path + "-floor", port: port, texts: texts, &outcome)
      try await node(path + ".db", port: port, texts: texts, &outcome)
    }
    return outcome
  }

  private static func bare(
    _ path: String, port: String, texts: Int, _ outcome: inout Outcome
  ) throws {
    let exchange = try BareExchange(
      port: port, page: BarePage(path), text: PassageSamples.passage(1).v1Body)
    for number in -5..<texts {
      let spent = try Stopwatch.time { try exchange.send() }
      if number >= 0 { outcome.bare.add(spent) }
    }
  }

  private static func node(
    _ path: String, port: String, texts: Int, _ outcome: inout Outcome
  ) async throws {
    let clocks = ForwardClocks()
    let post = try await Post(database: path, port: port, rules: NodeRules(), clocks: clocks)
    for number in -5..<texts {
      _ = try await post.record(number + 5)
      let flushes = Flushes.count
      clocks.forward(NodeRules().fallbackAfter + .seconds(1))
      let start = Stopwatch.now()
      post.service.wake()
      let end = try await post.log.next { $0 == "text_accepted" }
      guard number >= 0 else { continue }
      outcome.node.add(Double(end - start))
      outcome.flushes += Flushes.count - flushes
    }
    try await post.end()
  }
}
