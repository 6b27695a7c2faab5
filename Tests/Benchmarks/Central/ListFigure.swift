import CentralCore
import CentralPostgreSQL
import CentralSQLite
import EventLoop
import Passages
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
    try measure(store, "PostgreSQL", &report)
  }

  /// The same of a central's file.
  static func measure(file path: String, _ report: inout Report) throws {
    let store = try SQLiteCentralStore(readingFrom: path)
    defer { try? store.close() }
    try measure(store, "SQLite", &report)
  }

  private static func measure(
    _ store: some CentralStore & KeepingStore, _ kind: String, _ report: inout Report
  ) throws {
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
    // Exports go page by page, each behind the last.
    try time("page of exported violations") {
      var query = ViolationQuery()
      query.standing = .all
      query.post = try CheckpostCode("BNP-B")
      query.after = try store.violations(query).last?.place
      guard let uuid = try store.violations(query).last?.uuid else { return }
      _ = try store.violation(uuid)
    }
    try time("page of the exported inbox") { _ = try store.messages(after: 0, limit: 500) }
    try time("what is known of a vehicle") { _ = try store.holdings(of: "ZZ1PA000012") }
    report.add(
      Figure(
        name: "\(kind), slowest page of a list", measured: Format.time(slowest.time),
        against: slowest.name, reference: Format.time(most), ratio: slowest.time / most,
        target: "<= 1 times", isMet: slowest.time <= most))
  }
}
