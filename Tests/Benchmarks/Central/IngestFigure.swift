import CentralCore
import CentralSQLite
import GRDB
import Glibc
import Passages
import Time

/// Taking in and judging one passage durably in a central's file with millions of them, beside a bare table of as
/// many rows into which the same columns are inserted; and beside the rows that taking writes at the least, inserted
/// into the same tables by somebody who knows them already.
enum IngestFigure {
  /// A bare loop's rate that is to be reached.
  private static let least = 0.8
  private static let singles = 1_000
  private static let batch = 200

  static func measure(_ place: Place, _ report: inout Report) throws {
    let path = place.path("central.db")
    let filling = try Stopwatch.time { _ = try CentralRows(path) }
    let bare = try BareRows(place.path("central-floor.db"), like: path)
    let store = try SQLiteCentralStore(path: path, checks: false)
    defer { try? store.close() }
    try ListFigure.measure(file: path, &report)
    // What filling left to be written would be written by the first flush that is measured.
    sync()
    var next = Stream()
    let disk = try compare(store, bare, singles, &next)
    let card = try Flushes.slowed(to: Flushes.card) { try compare(store, bare, 200, &next) }
    let count = "\(Format.number(Double(CentralRows.count) / 1e6, places: 1)) M"
    add("take and judge durably, \(count) are there", disk.taken, disk.floor, &report)
    add("keep a text durably, \(count) are there", disk.kept, disk.floor, &report)
    add("take so, a flush takes 5 ms", card.taken, card.floor, &report)
    report.add(
      Figure(
        name: "pairing and its violation, p99", measured: Format.time(disk.paired.part(99)),
        against: "floor: a bare insert, p99", reference: Format.time(disk.floor.part(99)),
        ratio: disk.paired.part(99) / disk.floor.part(99), target: nil, isMet: true))
    try batches(store, bare, &next, &report)
    // Last, since what one connection writes empties the cache of the other.
    let rows = try OwnRows(path)
    for (count, rounds) in [(1, singles), (batch, 20)] {
      report.add(try least(rows, bare, count, rounds, &next))
    }
    report.note("the rows were written in \(Format.number(filling / 1e9, places: 0)) s")
  }

  private static func add(
    _ name: String, _ ours: Samples, _ floor: Samples, _ report: inout Report
  ) {
    let rate = { (samples: Samples) in "\(Format.number(1e9 / samples.mean, places: 0))/s" }
    report.add(
      Figure(
        name: name, measured: rate(ours), against: "a bare SQLite loop", reference: rate(floor),
        ratio: ours.mean / floor.mean, target: "<= 1.25 times",
        isMet: floor.mean / ours.mean >= least))
  }

  private struct Outcome {
    var (floor, taken, kept, paired) = (Samples(), Samples(), Samples(), Samples())
  }

  /// One of each in turn, so that what disturbs one disturbs all.
  private static func compare(
    _ store: SQLiteCentralStore, _ bare: BareRows, _ count: Int, _ next: inout Stream
  ) throws -> Outcome {
    var outcome = Outcome()
    for _ in 0..<count {
      let arrival = try next.arrival()
      outcome.floor.add(try Stopwatch.time { try bare.insert([arrival]) })
      let begun = Stopwatch.now()
      let taken = try CentralRows.take([arrival], store)
      let took = Double(Stopwatch.now() - begun)
      guard taken.receipts.first?.isFirst == true else { throw Failure("it was there before") }
      outcome.taken.add(took)
      if !taken.changes.violations.isEmpty { outcome.paired.add(took) }
      let message = try next.message()
      outcome.kept.add(
        try Stopwatch.time {
          guard case .kept = try store.keep([message]).first else { throw Failure("it is known") }
        })
    }
    _ = try store.process(rules: rules, at: Stream.wall)
    guard outcome.paired.values.count > count / 8 else { throw Failure("nothing was paired") }
    return outcome
  }

  private static var rules: CentralRules {
    var rules = CentralRules()
    rules.ingress = .open
    rules.past = .seconds(90 * 86_400)
    return rules
  }

  /// As many as come in while one commit is on its way.
  private static func batches(
    _ store: SQLiteCentralStore, _ bare: BareRows, _ next: inout Stream, _ report: inout Report
  ) throws {
    var (ours, texts, floor) = (Samples(), Samples(), Samples())
    for _ in 0..<20 {
      var arrivals: [PassageArrival] = []
      var messages: [InboundMessage] = []
      for _ in 0..<batch {
        arrivals.append(try next.arrival())
        messages.append(try next.message())
      }
      floor.add(try Stopwatch.time { try bare.insert(arrivals) })
      ours.add(try Stopwatch.time { _ = try CentralRows.take(arrivals, store) })
      texts.add(
        try Stopwatch.time {
          _ = try store.keep(messages)
          while try !store.process(rules: rules, at: Stream.wall).messages.isEmpty {}
        })
    }
    for (name, samples) in [("take and judge", ours), ("keep, take and judge texts", texts)] {
      let rate = { (samples: Samples) in Double(batch) / samples.median * 1e9 }
      report.add(
        Figure(
          name: "\(name), \(batch) at once",
          measured: "\(Format.number(rate(samples), places: 0))/s",
          against: "a bare SQLite loop", reference: "\(Format.number(rate(floor), places: 0))/s",
          ratio: samples.median / floor.median, target: nil, isMet: true))
    }
  }

  /// What the rows of a take cost, so many in a transaction, when nothing is looked up or judged.
  private static func least(
    _ rows: OwnRows, _ bare: BareRows, _ count: Int, _ rounds: Int, _ next: inout Stream
  ) throws -> Figure {
    var (least, floor) = (Samples(), Samples())
    for _ in 0..<rounds {
      let arrivals = try (0..<count).map { _ in try next.other() }
      floor.add(try Stopwatch.time { try bare.insert(arrivals) })
      least.add(try Stopwatch.time { try rows.insert(arrivals) })
    }
    let rate = { (samples: Samples) in
      "\(Format.number(Double(count) / samples.mean * 1e9, places: 0))/s"
    }
    return Figure(
      name: "the rows alone, nothing judged, \(count) at once", measured: rate(least),
      against: "a bare SQLite loop", reference: rate(floor), ratio: least.mean / floor.mean,
      target: nil, isMet: true)
  }
}

/// What comes in at the end of the year: every second one leaves, of which two in five were too fast, as in the stories
/// of the tests.
private struct Stream {
  static let wall = WallTime(epochSeconds: CentralRows.start + 33_000_000)
  private var passages = 0
  private var texts = 0
  private var others = 0

  /// The next passage: an entry, or the exit of the one before.
  mutating func arrival() throws -> PassageArrival {
    let (trip, isExit) = (passages / 2, passages % 2 == 1)
    passages += 1
    return try CentralRows.arrival(
      1 << 40 + passages, isExit ? "BNP-B" : "BNP-A",
      32_000_000 + Int64(trip) + (isExit ? trip % 5 < 2 ? 600 : 2_700 : 0),
      vehicle: 1 + trip % CentralRows.vehicles)
  }

  /// The next passage of vehicles that are nobody else's, each of which passes once.
  mutating func other() throws -> PassageArrival {
    others += 1
    return try CentralRows.arrival(
      1 << 41 + others, "BNP-A", 32_000_000 + Int64(others), vehicle: 600_000 + others)
  }

  /// The next text, of a passage of its own.
  mutating func message() throws -> InboundMessage {
    texts += 1
    let time = CentralRows.start + 32_000_000 + Int64(texts)
    return InboundMessage(
      provider: .modem, providerID: "bench-\(texts)", from: "+9779801234567",
      text: "V1|BNP-A|ZY1PA\(100_000 + texts)|CAR|\(time)|4567", receivedAt: Stream.wall)
  }
}

/// A table of the columns that a passage has, with the indexes that it needs to be found.
private final class BareRows {
  private let queue: DatabaseQueue

  /// Makes it with the passages of a central's file.
  init(_ path: String, like central: String) throws {
    queue = try BareDatabase.open(path)
    try queue.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          ATTACH '\(central)' AS central;
          CREATE TABLE passages (
            id INTEGER PRIMARY KEY, client_id TEXT NOT NULL, plate_number TEXT NOT NULL,
            plate_number_raw TEXT NOT NULL, vehicle_type TEXT NOT NULL, checkpost TEXT NOT NULL,
            segment TEXT, recorded_at_ms INTEGER NOT NULL, suffix TEXT NOT NULL, source TEXT NOT NULL,
            inserted_at_ms INTEGER NOT NULL
          ) STRICT;
          INSERT INTO passages SELECT id, client_id, plate_number, plate_number_raw, vehicle_type,
            checkpost, segment, recorded_at_ms, ranger_phone_suffix, source, inserted_at_ms
            FROM central.passages;
          CREATE UNIQUE INDEX passages_identity ON passages (client_id);
          CREATE INDEX passages_plate ON passages (plate_number, recorded_at_ms);
          DETACH central;
          PRAGMA wal_checkpoint(TRUNCATE);
          """)
    }
  }

  /// Inserts rows in one transaction.
  func insert(_ arrivals: [PassageArrival]) throws {
    try queue.write { database in
      let statement = try database.cachedStatement(
        sql: """
          INSERT INTO passages (client_id, plate_number, plate_number_raw, vehicle_type, checkpost,
            segment, recorded_at_ms, suffix, source, inserted_at_ms)
          VALUES (?, ?, ?, ?, ?, 'Banepa', ?, ?, 'app', ?)
          """)
      for arrival in arrivals {
        guard case .observation(let report) = arrival.content else { continue }
        try statement.execute(arguments: [
          report.clientID.description, report.plate.compact, report.plate.raw,
          report.vehicleType.rawValue, report.post.code, report.recordedAt.milliseconds,
          report.suffix.digits, report.receivedAt.milliseconds,
        ])
      }
    }
  }
}
