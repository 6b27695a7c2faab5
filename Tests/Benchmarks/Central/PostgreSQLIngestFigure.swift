import CentralCore
import CentralPostgreSQL
import EventLoop
import Glibc
import Passages
import PostgreSQL
import Synchronization
import TestSupport
import Time

/// Taking in and judging passages durably in a PostgreSQL with millions of them, beside what `pgbench` inserts of the
/// same columns into a bare table of as many rows: one row a transaction, over as many connections.
enum PostgreSQLIngestFigure {
  /// What `pgbench` inserts a second, of which so much is to be reached.
  private static let least = 0.6
  private static let connections = 4
  /// With as many `pgbench` inserts the most here.
  private static let plainConnections = 8
  private static let rounds = 3
  /// Passages in a transaction: as many as wait while others are committed, as a post hands in after an outage, one.
  private static let sizes = [200, 50, 1]
  private static let roundSeconds: Int64 = 6

  static func measure(_ place: Place, _ report: inout Report) async throws {
    guard PostgreSQLServer.binaries != nil else {
      report.note("PostgreSQL is not installed: apt-get install postgresql")
      return
    }
    let begun = Stopwatch.now()
    let rows = try await PostgreSQLRows()
    let filling = Double(Stopwatch.now() - begun)
    let stream = PostgreSQLStream()
    var plain = Samples()
    var taken = sizes.map { _ in Samples() }
    for _ in 0..<rounds {
      plain.add(try plainInserts(place, rows))
      for (index, size) in sizes.enumerated() { taken[index].add(try takes(size, rows, stream)) }
    }
    for (size, samples) in zip(sizes, taken) {
      let isHeld = size == sizes.first
      report.add(
        Figure(
          name: "PostgreSQL, take and judge, \(size) at once",
          measured: "\(Format.number(samples.median, places: 0))/s",
          against: "pgbench, plain insert",
          reference: "\(Format.number(plain.median, places: 0))/s",
          ratio: plain.median / samples.median, target: isHeld ? "<= 1.67 times" : nil,
          isMet: samples.median >= least * plain.median))
    }
    let count = "\(Format.number(Double(CentralRows.count) / 1e6, places: 1)) M"
    let paired = try pairing(rows, stream)
    report.add(
      Figure(
        name: "PostgreSQL, pairing and its violation, p99",
        measured: Format.time(paired.ours.part(99)),
        against: "floor: a bare insert, p99", reference: Format.time(paired.floor.part(99)),
        ratio: paired.ours.part(99) / paired.floor.part(99), target: nil, isMet: true))
    try await RestFigure.measure(place, rows, &report)
    try ListFigure.measure(rows, &report)
    report.note(
      "\(count) passages were there, \(connections) connections each; two in five travels are too fast; written in"
        + " \(Format.number(filling / 1e9, places: 0)) s")
  }

  /// Rows a second that `pgbench` inserts.
  private static func plainInserts(_ place: Place, _ rows: PostgreSQLRows) throws -> Double {
    guard let binaries = PostgreSQLServer.binaries else { return 0 }
    let script = place.path("insert.sql")
    let output = place.path("pgbench.out")
    try TextFile.write(PostgreSQLRows.insert, to: script)
    let process = try ChildProcess(
      "\(binaries)/pgbench",
      [
        "--no-vacuum", "--protocol=prepared", "--client=\(plainConnections)", "--jobs=2",
        "--time=\(roundSeconds)", "--file=\(script)", "--host=\(rows.server.directory)",
        "--port=\(rows.server.port)", "--username=\(rows.server.owner)", rows.database,
      ], output: output)
    process.waitForEnd()
    let line = TextFile.lines(output).first { $0.hasPrefix("tps = ") }
    guard let line, let rate = line.dropFirst(6).split(separator: " ").first.flatMap({ Double($0) })
    else { throw Failure("pgbench: \(TextFile.lines(output).suffix(3))") }
    return rate
  }

  /// Passages a second that are taken and judged, so many in a transaction.
  private static func takes(
    _ size: Int, _ rows: PostgreSQLRows, _ stream: PostgreSQLStream
  ) throws -> Double {
    let end = Stopwatch.now() + roundSeconds * 1_000_000_000
    let taken = Atomic(0)
    let failure = Mutex<String?>(nil)
    let threads = (0..<connections).map { _ in WorkerThread() }
    let begun = Stopwatch.now()
    for thread in threads {
      try thread.start(name: "take") {
        do {
          let connection = try rows.connect()
          defer { connection.close() }
          let judging = JudgingDatabase(connection)
          while Stopwatch.now() < end {
            let arrivals = try stream.next(size)
            let took = try judging.take(arrivals, at: PostgreSQLStream.wall)
            guard took.receipts.allSatisfy(\.isFirst) else { throw Failure("it was there before") }
            taken.wrappingAdd(size, ordering: .relaxed)
          }
        } catch {
          failure.withLock { $0 = $0 ?? "\(error)" }
        }
      }
    }
    for thread in threads { thread.join() }
    if let words = failure.withLock({ $0 }) { throw Failure(words) }
    return Double(taken.load(ordering: .relaxed)) / Double(Stopwatch.now() - begun) * 1e9
  }

  /// How long it takes until a second passage is paired and its violation stands, on a connection alone.
  private static func pairing(
    _ rows: PostgreSQLRows, _ stream: PostgreSQLStream
  ) throws -> (ours: Samples, floor: Samples) {
    let connection = try rows.connect()
    defer { connection.close() }
    let judging = JudgingDatabase(connection)
    var (ours, floor) = (Samples(), Samples())
    while ours.values.count < 500 {
      for arrival in try stream.next(2) {
        let begun = Stopwatch.now()
        let taken = try judging.take([arrival], at: PostgreSQLStream.wall)
        if !taken.changes.violations.isEmpty { ours.add(Double(Stopwatch.now() - begun)) }
      }
      floor.add(
        try Stopwatch.time {
          try connection.query(
            """
            INSERT INTO public.bare (client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id,
              recorded_at, source)
              VALUES (gen_random_uuid(), 'X', 'X', 'car', gen_random_uuid(), now(), 'app')
            """)
        })
    }
    return (ours, floor)
  }
}

/// What comes in at the end of the year, for whoever asks: every second one leaves, of which two in five were too fast,
/// as in the stories of the tests.
final class PostgreSQLStream: Sendable {
  static let wall = WallTime(epochSeconds: CentralRows.start + 33_000_000)
  private let passages = Mutex(0)

  /// The next passages: each entry, and the exit of the one before.
  func next(_ count: Int) throws -> [PassageArrival] {
    let first = passages.withLock { number in
      defer { number += count + count % 2 }
      return number
    }
    return try (first..<first + count).map { number in
      let (trip, isExit) = (number / 2, number % 2 == 1)
      return try CentralRows.arrival(
        1 << 40 + number, isExit ? "BNP-B" : "BNP-A",
        32_000_000 + Int64(trip) + (isExit ? trip % 5 < 2 ? 600 : 2_700 : 0),
        vehicle: 1 + trip % CentralRows.vehicles)
    }
  }
}
