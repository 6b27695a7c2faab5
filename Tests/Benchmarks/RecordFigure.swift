import NodeCore
import NodeSQLite
import Passages
import Time

/// Recording one passage in a transaction of its own, beside one page written and flushed.
enum RecordFigure {
  private static let most = 1.1

  static func measure(_ place: Place, _ report: inout Report) throws {
    let page = try BarePage(place.path("record-floor"))
    let store = try SQLiteNodeStore(path: place.path("record.db"), bootID: "bench")
    defer { try? store.close() }
    let disk = try compare(page, store, numbers: 0..<1_000)
    let card = try Flushes.slowed(to: Flushes.card) {
      try compare(page, store, numbers: 1_000..<1_200)
    }
    report.add(
      Figure(
        name: "record durably, flushes for each passage",
        measured: Format.number(disk.flushes, places: 2), against: "floor: one page, flushed",
        reference: "1.00", ratio: disk.flushes, target: "1, checkpoints", isMet: disk.flushes < 1.05
      ))
    report.add(
      Figure(
        name: "record durably, a flush takes 5 ms", measured: Format.time(card.store),
        against: "floor: one page, flushed", reference: Format.time(card.floor),
        ratio: card.store / card.floor, target: "<= 1.10 times",
        isMet: card.store / card.floor <= most))
    report.note(
      "on this disk \(Format.time(disk.store)) (mean \(Format.time(disk.mean))) beside "
        + "\(Format.time(disk.floor)) for the page; checkpoints of the log are in the mean")
  }

  private static func compare(
    _ page: BarePage, _ store: SQLiteNodeStore, numbers: Range<Int>
  ) throws -> (store: Double, mean: Double, floor: Double, flushes: Double) {
    var (recorded, floor) = (Samples(), Samples())
    var flushes = 0
    for number in numbers {
      floor.add(try Stopwatch.time { try page.put() })
      let passage = try PassageSamples.passage(number)
      let before = Flushes.count
      recorded.add(
        try Stopwatch.time {
          let moment = Moment(
            boot: BootInstant(nanoseconds: Stopwatch.now()), wall: passage.recordedAt)
          let outcomes = try store.record([RecordRequest(passage)], at: moment)
          guard case .recorded = outcomes.first else { throw Failure("a passage was there twice") }
        })
      flushes += Flushes.count - before
    }
    return (
      recorded.median, recorded.mean, floor.median, Double(flushes) / Double(numbers.count)
    )
  }
}
