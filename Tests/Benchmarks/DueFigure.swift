import GRDB
import GSM
import NodeCore
import NodeSQLite
import Passages
import SeededRandom
import Storage
import Time

/// Choosing what is due among a million queued passages, beside one look-up by primary key.
enum DueFigure {
  private static let rows = 1_000_000
  private static let batch = 50_000
  /// As many as are refused within an hour at fifteen texts a minute.
  private static let refused = 900
  private static let most = 1e6
  /// How long the service is left alone before its memory is read, in nanoseconds.
  private static let settle: Int64 = 20_000_000_000

  static func measure(_ place: Place, _ report: inout Report) throws {
    let place = try place.within("due")
    try choose(place, &report)
    try serve(place, &report)
  }

  private static func choose(_ place: Place, _ report: inout Report) throws {
    let store = try SQLiteNodeStore(path: place.path("node.db"), bootID: "bench")
    defer { try? store.close() }
    let start = Moment(boot: .seconds(1_000), wall: WallTime(epochSeconds: PassageSamples.epoch))
    let filling = try Stopwatch.time { try fill(store, at: start) }
    let floor = try lookUp(place)
    let later = start.boot + NodeRules().fallbackAfter + .seconds(1)
    try row("choose due among 1,000,000, none due", store, at: start.boot, due: nil, floor, &report)
    try row("choose due among 1,000,000, all due", store, at: later, due: 1, floor, &report)
    try refuse(store, at: Moment(boot: later, wall: start.wall))
    try row(
      "choose due behind \(refused) refused ones", store, at: later + .seconds(1),
      due: Int64(refused + 1), floor, &report)
    try uploads(store, at: later, floor, &report)
    report.note("the rows were written in \(Format.number(filling / 1e9, places: 1)) s")
  }

  /// One passage, as it goes by itself, and a batch of a backlog.
  private static func uploads(
    _ store: SQLiteNodeStore, at now: BootInstant, _ floor: Double, _ report: inout Report
  ) throws {
    for (name, count) in [("one upload", 1), ("a batch of uploads", NodeCore.Limits.batch)] {
      var samples = Samples()
      for _ in 0..<1_000 {
        let begun = Stopwatch.now()
        let answer = try store.transaction { transaction throws(StorageError) in
          try transaction.dueUploads(UploadQuery(.passage, limit: count), at: now)
        }
        samples.add(Double(Stopwatch.now() - begun))
        guard answer.uploads.count == count else { throw Failure("\(name): chose \(answer)") }
      }
      report.add(
        Figure(
          name: "choose \(name) among 1,000,000", measured: Format.time(samples.median),
          against: "floor: one primary-key look-up", reference: Format.time(floor),
          ratio: samples.median / floor, target: count == 1 ? "< 1 ms" : nil,
          isMet: samples.median < most))
    }
  }

  /// The service over that queue: how long it takes to be ready, and its memory.
  private static func serve(_ place: Place, _ report: inout Report) throws {
    let simulator = try IdleFigure.startSimulator(place)
    defer { simulator.process.end() }
    let begun = Stopwatch.now()
    let running = try IdleFigure.startService(place, port: simulator.port)
    defer { running.end() }
    let took = Double(Stopwatch.now() - begun)
    Stopwatch.idle(for: settle)
    let (own, resident, most) = (
      running.process.memory("Private_Dirty"), running.process.memory("Rss"),
      running.process.mostMemory
    )
    report.add(
      Figure(
        name: "1,000,000 wait: private memory", measured: Format.megabytes(own),
        against: "the same, with an empty queue", reference: "below: idle", ratio: nil,
        target: "<= 20 MB", isMet: own <= 20_000))
    report.add(
      Figure(
        name: "1,000,000 wait: resident, at its most", measured: Format.megabytes(most),
        against: "as set", reference: "64 MB", ratio: nil, target: "<= 64 MB", isMet: most <= 64_000
      ))
    report.note(
      "\(Format.megabytes(resident)) resident after \(settle / 1_000_000_000) s; ready with its"
        + " modem after \(Format.number(took / 1e9, places: 1)) s")
  }

  private static func row(
    _ name: String, _ store: SQLiteNodeStore, at now: BootInstant, due: Int64?, _ floor: Double,
    _ report: inout Report
  ) throws {
    var samples = Samples()
    for _ in 0..<2_000 {
      let answer: DueAnswer
      let begun = Stopwatch.now()
      answer = try store.transaction { transaction throws(StorageError) in
        try transaction.chooseDue(at: now)
      }
      samples.add(Double(Stopwatch.now() - begun))
      guard answer.text?.queueID == due else { throw Failure("\(name): chose \(answer)") }
    }
    report.add(
      Figure(
        name: name, measured: Format.time(samples.median),
        against: "floor: one primary-key look-up",
        reference: Format.time(floor), ratio: samples.median / floor, target: "< 1 ms",
        isMet: samples.median < most))
  }

  private static func fill(_ store: SQLiteNodeStore, at moment: Moment) throws {
    for start in stride(from: 0, to: rows, by: batch) {
      let requests = try (start..<start + batch).map { number in
        RecordRequest(
          try PassageSamples.ordered(number, like: PassageSamples.passage(number)),
          hasGivenIdentity: true)
      }
      _ = try store.transaction { transaction throws(StorageError) in
        try transaction.record(requests, at: moment)
      }
    }
  }

  /// The oldest were refused a moment ago and wait for an hour.
  private static func refuse(_ store: SQLiteNodeStore, at moment: Moment) throws {
    for number in 1...refused {
      guard let item = try store.item(Int64(number)) else { throw Failure("row \(number)") }
      let intent = TextIntent(
        id: Int64(number), queueID: item.queueID, modem: ModemID(0), to: "+9779800000000",
        body: item.passage.v1Body)
      let refusal = TextOutcome.refused(
        Refusal(code: "CMS 38", words: "network out of order", kind: .later))
      try store.transaction { transaction throws(StorageError) in
        try transaction.apply(.intent(intent), at: moment)
        try transaction.apply(
          .outcome(
            intent.id, refusal, .againAfterRefusal(at: moment.boot + .seconds(3_600))),
          at: moment)
      }
    }
  }

  /// One row by its number in a transaction of its own, as the choice is in one.
  private static func lookUp(_ place: Place) throws -> Double {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    let queue = try DatabaseQueue(path: place.path("node.db"), configuration: configuration)
    defer { try? queue.close() }
    var (samples, random) = (Samples(), SplitMix64(seed: 1))
    for _ in 0..<2_000 {
      let id = Int.random(in: 1...rows, using: &random)
      samples.add(
        try Stopwatch.time {
          let body = try queue.write { database in
            try String.fetchOne(
              database.cachedStatement(sql: "SELECT v1_body FROM passages WHERE id = ?"),
              arguments: [id])
          }
          guard body != nil else { throw Failure("row \(id) is missing") }
        })
    }
    return samples.median
  }
}
