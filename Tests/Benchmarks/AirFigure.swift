import EventLoop
import ModemModel
import ModemSimulator
import NodeCore
import Settings
import Time

/// From the moment at which a passage becomes due to `AT+CMGS` at the modem's end of the line, with
/// the intent on disk in between; nothing tells the node that the moment has come but its clock.
enum AirFigure {
  private static let most = 50e6

  static func measure(_ place: Place, _ report: inout Report) async throws {
    let commands = EventStream<String>()
    let simulator = try ModemSimulator(
      settings: SimulatorSettings(modems: [ModemSettings(number: "+9779800000001")]),
      clocks: SystemClocks(),
      onEvent: { event in
        if case .command(_, let text) = event { commands.put(text) }
      })
    try simulator.start()
    let post = try await Post(
      database: place.path("air.db"), port: simulator.ports[0], clocks: SystemClocks(),
      change: {
        $0.node.fallbackAfter = .milliseconds(400)
        $0.node.sms.perMinute = 60
      })
    let page = try BarePage(place.path("air-floor"))
    var (waits, floor) = (Samples(), Samples())
    for number in 0..<30 {
      let due = try post.due(try await post.record(number))
      floor.add(try Stopwatch.time { try page.put() })
      let moment = try await commands.next { $0.hasPrefix("AT+CMGS") }
      waits.add(Double(moment - due))
      _ = try await post.textAccepted()
    }
    try post.end()
    simulator.stop()
    await simulator.finished()
    report.add(
      Figure(
        name: "due to AT+CMGS at the modem, slowest of 30", measured: Format.time(waits.most),
        against: "floor: one page, flushed", reference: Format.time(floor.median),
        ratio: waits.most / floor.median, target: "<= 50 ms", isMet: waits.most <= most))
    report.note("median \(Format.time(waits.median)); the whole line is waited for")
  }
}
