import GRDB
import SimulatedDisk
import Testing

/// What SQLite keeps in each of its modes when the power fails at any change: only those that sync each
/// commit may lose nothing, and the disk has to see that the others do.
@Suite struct JournalTests {
  struct Mode: Sendable, CustomTestStringConvertible {
    var journal: String
    var synchronous: String
    var keeps: Bool

    var testDescription: String { "\(journal) / \(synchronous)" }
  }

  static let modes = [
    Mode(journal: "wal", synchronous: "normal", keeps: false),
    Mode(journal: "wal", synchronous: "full", keeps: true),
    Mode(journal: "delete", synchronous: "normal", keeps: false),
    Mode(journal: "delete", synchronous: "full", keeps: false),
    Mode(journal: "delete", synchronous: "extra", keeps: true),
    Mode(journal: "truncate", synchronous: "full", keeps: true),
    Mode(journal: "persist", synchronous: "full", keeps: true),
  ]

  private static let transactions = 12

  private func open(_ path: String, _ mode: Mode) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { database in
      _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = \(mode.journal)")
      try database.execute(sql: "PRAGMA synchronous = \(mode.synchronous)")
      try database.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS passages (id INTEGER PRIMARY KEY, plate TEXT);
          CREATE TABLE IF NOT EXISTS queue (id INTEGER PRIMARY KEY, state TEXT);
          """)
    }
    return queue
  }

  @Test(arguments: modes) func whatWasAcknowledgedIsThere(_ mode: Mode) throws {
    let cuts = try Cuts()
    let queue = try open(cuts.disk.path, mode)
    var acknowledged: [Int] = []
    for number in 1...JournalTests.transactions {
      try queue.inTransaction { database in
        try database.execute(
          sql: "INSERT INTO passages VALUES (?, ?)", arguments: [number, "BA 1 PA \(number)"])
        try database.execute(
          sql: "INSERT INTO queue VALUES (?, 'pending')", arguments: [number])
        return .commit
      }
      acknowledged.append(cuts.disk.changes)
    }
    let (images, lost, torn) = try judge(cuts, mode, acknowledged)
    print(
      "\(mode.testDescription): \(images) images, \(lost) lost what was acknowledged, \(torn) torn")
    if mode.keeps {
      #expect(lost == 0)
      #expect(torn == 0)
    } else {
      #expect(lost > 0, "a power cut that takes nothing back")
    }
    try queue.close()
  }

  private func judge(
    _ cuts: Cuts, _ mode: Mode, _ acknowledged: [Int]
  ) throws -> (images: Int, lost: Int, torn: Int) {
    var (images, lost, torn) = (0, 0, 0)
    try cuts.each { changes, _ in
      images += 1
      let expected = acknowledged.count { $0 <= changes }
      do {
        let queue = try open(cuts.image.path, mode)
        let found = try queue.inDatabase { database in
          (
            passages: try Int.fetchOne(database, sql: "SELECT count(*) FROM passages") ?? 0,
            queue: try Int.fetchOne(database, sql: "SELECT count(*) FROM queue") ?? 0,
            isWhole: try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok"
          )
        }
        try queue.close()
        if found.passages < expected { lost += 1 }
        if !found.isWhole || found.passages != found.queue { torn += 1 }
      } catch is DatabaseError {
        torn += 1
      }
    }
    return (images, lost, torn)
  }
}
