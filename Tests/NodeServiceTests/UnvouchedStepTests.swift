import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Storage
import Testing
import Time

/// A clock that is set while the machine runs: what it showed before may be the right time as well as what it shows
/// since, and somebody has to say which.
@Suite struct UnvouchedStepTests {
  /// Who says it.
  enum Voucher: String, CaseIterable {
    case timeService, server, network
  }

  private func record(
    _ plate: String, _ bench: Bench, by clock: ClockSource = .none
  ) throws {
    let passage = try Passage(
      recording: try Plate(plate), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: bench.wall, suffix: .unknown)
    _ = try bench.handle(.record(requestID: 1, [RecordRequest(passage, clock: clock)]))
  }

  private func item(_ plate: String, _ bench: Bench) throws -> QueueItem {
    try #require(
      try bench.store.list(QueueQuery()).first { $0.passage.plate.compact == plate })
  }

  private func doubts(_ bench: Bench) throws -> [Int64?] {
    try bench.store.transaction { transaction throws(StorageError) in
      try transaction.dueUploads(UploadQuery(.passage, limit: 9), at: bench.boot + .seconds(9_000))
    }.uploads.map(\.clockDoubt)
  }

  /// Somebody says that the right time is this one.
  private func vouch(_ voucher: Voucher, _ right: WallTime, _ bench: Bench) throws -> [NodeOutput] {
    switch voucher {
    case .timeService:
      bench.setClock(ahead: .zero, isKept: true)
      return try bench.pass(.seconds(11))
    case .server:
      return try bench.handle(
        .answered(99, ServerReply(.success(.done), serverTime: right)))
    case .network:
      return try bench.handle(
        .modem(
          ModemID(0),
          .networkTime(NetworkTime(time: right, source: .network, uncertainty: .seconds(2)))))
    }
  }

  /// Nothing is taken from it: the passage that was recorded right before keeps its time, whatever the clock is set to
  /// (minutes, the 300 days that were believed before, years), and both sides of the step are in doubt.
  @Test(arguments: [-3_600, 1_200, 300 * 86_400, 3_000 * 86_400] as [Int64], [false, true])
  func aStepThatNobodyVouchesForMovesNothing(_ step: Int64, _ restarts: Bool) throws {
    let bench = try Bench()
    try bench.start()
    let passed = bench.wall
    try record("BA1PA1", bench)
    try record("BA1PA2", bench, by: .battery)
    try record("BA1PA3", bench, by: .ntp)
    #expect(try doubts(bench) == [ClockSource.anyDoubt, nil, nil])
    bench.wait(.seconds(60))
    bench.setClock(ahead: .seconds(step))
    let outputs = try bench.handle()
    let told = outputs.events.filter { $0.name == "clock_set" }
    #expect(told.count == 1)
    #expect(told.first?.level == .warning)
    #expect(told.first?["clock_source"] == .text("none"))
    #expect(told.first?["mended"] == .integer(0))
    for plate in ["BA1PA1", "BA1PA2", "BA1PA3"] {
      #expect(try item(plate, bench).passage.recordedAt == passed)
    }
    #expect(try doubts(bench) == [ClockSource.anyDoubt, ClockSource.anyDoubt, nil])
    let again = try restarts ? bench.crash() : bench.pass(.seconds(11))
    #expect(!again.events.contains { $0.name == "clock_set" }, "once")
    // Nor is the battery believed any more.
    try record("BA1PA4", bench, by: .battery)
    #expect(try item("BA1PA4", bench).clockSource == ClockSource.none)
    #expect(try doubts(bench).last == ClockSource.anyDoubt)
  }

  /// Whoever it is, and whichever of both times is the right one: what was recorded by the other clock and has not left
  /// gets its time, and nothing else moves.
  @Test(arguments: Voucher.allCases, [false, true])
  func whoVouchesLaterPutsRightWhatWasWrong(_ voucher: Voucher, wasRight: Bool) throws {
    for restarts in [false, true] { try vouchLater(voucher, wasRight, restarts) }
  }

  private func vouchLater(_ voucher: Voucher, _ wasRight: Bool, _ restarts: Bool) throws {
    let bench = try Bench()
    let step: Duration = .seconds(7_200)
    // What it shows first is right, or what it shows then.
    if !wasRight { bench.setClock(ahead: .zero - step) }
    try bench.start()
    let first = bench.wall + (wasRight ? .zero : step)
    try record("BA1PA1", bench)
    bench.wait(.seconds(60))
    bench.setClock(ahead: wasRight ? step : .zero)
    try bench.handle()
    let second = bench.wall - (wasRight ? step : .zero)
    try record("BA1PA2", bench)
    if restarts { _ = try bench.crash() }
    bench.wait(.seconds(30))
    let right = second + .seconds(30)
    _ = try vouch(voucher, right, bench)
    #expect(try item("BA1PA1", bench).passage.recordedAt == first)
    #expect(try item("BA1PA2", bench).passage.recordedAt == second)
    #expect(try doubts(bench) == [nil, nil])
  }

  /// What left with a wrong time stays in doubt, whoever vouches for the clock afterwards.
  @Test(arguments: Voucher.allCases) func whatLeftWrongIsNotVouchedFor(_ voucher: Voucher) throws {
    let bench = try Bench()
    bench.setClock(ahead: .seconds(-39_600))
    try bench.start()
    try record("BA1PA1", bench)
    _ = try bench.pass(.seconds(301))
    let texted = try #require(
      try bench.store.texts(of: try item("BA1PA1", bench).queueID).first)
    _ = try bench.handle(.outcome(texted.id, .accepted(references: [7])))
    let right = bench.wall + .seconds(39_600)
    _ = try vouch(voucher, right, bench)
    bench.setClock(ahead: .zero, isKept: true)
    _ = try bench.pass(.seconds(11))
    _ = try vouch(voucher, bench.wall, bench)
    #expect(try item("BA1PA1", bench).clockSkewSeconds == -39_600)
    #expect(try doubts(bench) == [ClockSource.anyDoubt])
  }

  /// A time service vouches for what was recorded before it came, where the clock went on as it was.
  @Test func aTimeServiceVouchesForWhatWasRightBefore() throws {
    let bench = try Bench()
    try bench.start()
    try record("BA1PA1", bench)
    bench.setClock(ahead: .seconds(1), isKept: true)
    let outputs = try bench.pass(.seconds(11))
    #expect(outputs.events.filter { $0.level > .debug }.isEmpty)
    #expect(try item("BA1PA1", bench).clockSource == .ntp)
    #expect(try doubts(bench) == [nil])
  }

  /// A step ahead that was wrong makes no later start wrong.
  @Test(arguments: [false, true]) func aWrongStepAheadDoesNotOutliveItsStart(_ isKept: Bool) throws
  {
    let bench = try Bench()
    try bench.start()
    try record("BA1PA1", bench)
    bench.setClock(ahead: .seconds(200 * 86_400), isKept: isKept)
    _ = try bench.pass(.seconds(60))
    bench.setClock(ahead: .zero)
    let outputs = try bench.powerCut(uptime: .seconds(30))
    #expect(outputs.events.contains { $0.name == "clock_wrong" } == isKept)
    try record("BA1PA2", bench)
    #expect(try item("BA1PA2", bench).passage.isUndated == isKept)
  }
}
