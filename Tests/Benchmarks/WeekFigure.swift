import EventLoop
import ModemModel
import ModemSimulator
import NodeCore
import NodeSQLite
import ServerModel
import ServerSimulator
import Time

/// A week without a line at a busy post, in accelerated time, and what comes after it: real database, real
/// HTTP, a modem on a pty.
enum WeekFigure {
  private static let days = 7
  private static let perDay = 2_000
  private static let most = 600.0

  static func measure(_ place: Place, _ report: inout Report) async throws {
    let week = Duration.seconds(days * 86_400)
    let simulator = try ModemSimulator(
      settings: SimulatorSettings(modems: [ModemSettings(number: "+9779800000001")]),
      clocks: SystemClocks(), onEvent: { _ in })
    try simulator.start()
    let sync = try await SyncPost(
      place, "week", port: simulator.ports[0], clocks: ForwardClocks(wallBehind: week))
    sync.line(isUp: true)
    try await sync.record(0)
    _ = try await sync.uploaded(1)
    sync.line(isUp: false)
    let passages = days * perDay
    let began = Stopwatch.now()
    for number in 1...passages {
      sync.clocks.forward(.seconds(86_400) / perDay)
      try await sync.record(number)
    }
    let recorded = Double(Stopwatch.now() - began) / 1e9
    let texted = try sync.overview().texted
    let back = Stopwatch.now()
    sync.line(isUp: true)
    _ = try await sync.drained(passages, after: 1)
    let seconds = Double(Stopwatch.now() - back) / 1e9
    let rows = sync.server.withModel { $0.rows(of: "vehicle_passages") }
    let identities = Set(rows.map { $0["client_id"] })
    guard rows.count == passages + 1, identities.count == rows.count else {
      throw Failure("\(passages + 1) recorded, \(rows.count) rows of \(identities.count) passages")
    }
    let end = try sync.overview()
    guard end.synced == rows.count, end.pending == 0, end.failed == 0 else {
      throw Failure("\(rows.count) rows, and the queue has \(end.synced) as uploaded")
    }
    try sync.end()
    simulator.stop()
    await simulator.finished()
    report.add(
      Figure(
        name: "a week offline, then drained", measured: "\(Format.number(seconds, places: 1)) s",
        against: "as set", reference: "600 s", ratio: nil, target: "<= 600 s",
        isMet: seconds <= most))
    report.note(
      "\(passages) passages recorded in \(Format.number(recorded, places: 1)) s, \(texted) of them"
        + " texted within the budget; each is on the server once; the pause of a second between two"
        + " batches is left out")
  }
}
