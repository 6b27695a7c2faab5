import CentralCore
import CentralPostgreSQL
import EventLoop
import PostgreSQL
import TestSupport
import Time

/// How long a page of each list takes where there are millions of passages: by what is common, rare and not there at
/// all, from the front and from far behind.
enum ListFigure {
  private static let most: Double = 2e9

  static func measure(_ rows: PostgreSQLRows, _ report: inout Report) throws {
    let store = try PostgreSQLCentralStore(
      try PostgreSQLSettings(text: rows.text), clocks: SystemClocks())
    defer { try? store.close() }
    let middle = WallTime(epochSeconds: CentralRows.start + 16_000_000)
    let changes: [(String, (inout PassageQuery) -> Void)] = [
      ("all", { _ in }), ("of a segment", { $0.segment = "Banepa" }),
      ("of no segment", { $0.segment = "Nowhere" }), ("with a part", { $0.platePart = "PA00012" }),
      ("with a part of none", { $0.platePart = "QQQ" }), ("unpaired", { $0.isUnpaired = true }),
      ("before", { $0.until = middle }), ("by arrival", { $0.order = .arrival(after: 0) }),
      (
        "by arrival, of then",
        {
          $0.order = .arrival(after: 0)
          $0.since = middle
        }
      ), ("following", { $0.order = .following(2_000_000) }),
    ]
    var slowest = (name: "", time: 0.0)
    func time(_ name: String, _ body: () throws -> Void) throws {
      let taken = try Stopwatch.time(body)
      if taken > slowest.time { slowest = (name, taken) }
    }
    try time("status") { _ = try store.overview() }
    for (name, change) in changes {
      var query = PassageQuery()
      change(&query)
      try time(name) { _ = try store.passages(query) }
    }
    try time("violations") { _ = try store.violations(ViolationQuery()) }
    try time("alerts") { _ = try store.alerts(AlertQuery()) }
    report.add(
      Figure(
        name: "PostgreSQL, slowest page of a list", measured: Format.time(slowest.time),
        against: slowest.name, reference: Format.time(most), ratio: slowest.time / most,
        target: "<= 1 times", isMet: slowest.time <= most))
  }
}
