import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Storage
import Testing
import Time

/// A board without a battery that starts with a time that could be right, and is not.
@Suite struct WrongTimeTests {
  private let hours: Duration = .seconds(11 * 3_600)

  private func request(
    _ plate: String, _ wall: WallTime, by clock: ClockSource? = ClockSource.none,
    identity: ClientID? = nil
  ) throws -> RecordRequest {
    let passage = try Passage(
      recording: try Plate(plate), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: wall, suffix: .unknown, identity: identity)
    return RecordRequest(passage, hasGivenIdentity: identity != nil, clock: clock)
  }

  @discardableResult
  private func record(
    _ plate: String, _ bench: Bench, by clock: ClockSource? = ClockSource.none
  ) throws -> [NodeOutput] {
    try bench.handle(.record(requestID: 1, [try request(plate, bench.wall, by: clock)]))
  }

  private func item(_ plate: String, _ bench: Bench) throws -> QueueItem {
    try #require(
      try bench.store.list(QueueQuery()).first { $0.passage.plate.compact == plate })
  }

  private func networkTime(_ time: WallTime, zone: Duration = .zero) -> NodeInput {
    .modem(
      ModemID(0),
      .networkTime(NetworkTime(time: time, source: .network, uncertainty: .seconds(2), zone: zone)))
  }

  /// A time service arrives: what has not left gets its time, what has left is flagged, and that is one line.
  @Test(arguments: [3_600, 39_600, -39_600, 20_700] as [Int64], [false, true])
  func aClockThatIsSetPutsTimesRight(_ step: Int64, _ restarts: Bool) throws {
    let bench = try Bench()
    // The service begins with that clock.
    bench.setClock(ahead: .seconds(-step))
    try bench.start()
    let passed = bench.wall + .seconds(step)
    try record("BA1PA1", bench)
    let (due, _) = (try item("BA1PA1", bench), try bench.pass(.seconds(301)))
    let texted = try #require(try bench.store.texts(of: due.queueID).first)
    _ = try bench.handle(.outcome(texted.id, .accepted(references: [7])))
    try record("BA1PA2", bench)
    try record("BA1PA3", bench, by: nil)
    if restarts { _ = try bench.crash() }
    bench.wait(.seconds(60))
    bench.setClock(ahead: .zero, isKept: true)
    let outputs = try bench.handle()
    let told = outputs.events.filter { $0.name == "clock_set" }
    #expect(told.count == 1)
    #expect(told.first?["step_seconds"] == .integer(step))
    #expect(told.first?["clock_source"] == .text("ntp"))
    #expect(told.first?["mended"] == .integer(1))
    #expect(told.first?["flagged"] == .integer(1))
    #expect(outputs.events.filter { $0.level > .debug }.map(\.name) == ["clock_set"])

    let left = try item("BA1PA1", bench)
    #expect(left.passage.recordedAt == passed - .seconds(step))
    #expect(left.clockSkewSeconds == -step)
    let mended = try item("BA1PA2", bench)
    #expect(mended.passage.recordedAt == passed + .seconds(301))
    #expect(mended.passage.clientID == .content(canonicalBody: mended.passage.v1Body))
    #expect(mended.passage.v1Body.contains("|\((passed + .seconds(301)).epochSeconds)|"))
    #expect(try item("BA1PA3", bench).passage.recordedAt == passed + .seconds(301 - step))
    // And it stays so: set once more, by little and by much, and back.
    for ahead in [1, -2, 0, 7_200, 0] as [Int64] {
      bench.wait(.seconds(10))
      bench.setClock(ahead: .seconds(ahead))
      try bench.handle()
    }
    #expect(try item("BA1PA2", bench).passage.recordedAt == passed + .seconds(301))
    #expect(try item("BA1PA1", bench).passage.recordedAt == passed - .seconds(step))
  }

  /// The time before the newest moment of an earlier start is a wrong one, as 1970 is.
  @Test(arguments: [3_600, 39_600] as [Int64], [false, true])
  func aClockBehindTheStoreDatesLater(_ behind: Int64, _ restarts: Bool) throws {
    let bench = try Bench()
    try bench.start()
    try record("BA1PA1", bench, by: .ntp)
    _ = try bench.pass(.seconds(60))
    bench.setClock(ahead: .seconds(-3_600 - behind))
    var outputs = try bench.powerCut(uptime: .seconds(30))
    outputs += try record("BA1PA2", bench)
    #expect(outputs.events.filter { $0.name == "clock_wrong" }.count == 1)
    #expect(bench.machine.report(at: bench.boot).clockBehind != nil)
    let passed = bench.wall + .seconds(3_600 + behind)
    let undated = try item("BA1PA2", bench)
    #expect(undated.passage.isUndated)
    // Nothing of it leaves, by its own time or another.
    #expect(try bench.pass(.seconds(200)).texts.isEmpty)
    if restarts { _ = try bench.crash() }
    bench.setClock(ahead: .zero)
    _ = try bench.pass(.seconds(11))
    let dated = try item("BA1PA2", bench)
    #expect(!dated.passage.isUndated)
    #expect(dated.passage.recordedAt == passed)
    #expect(bench.machine.report(at: bench.boot).clockBehind == nil)
    // A better clock shows that it was set to the minute, and not to the second.
    bench.setClock(ahead: .seconds(-25), isKept: true)
    try bench.handle()
    #expect(try item("BA1PA2", bench).passage.recordedAt == passed - .seconds(25))
  }

  /// Somebody who keeps the time knows better than what was seen before.
  @Test func aClockThatIsKeptIsRight() throws {
    let bench = try Bench()
    try bench.start()
    bench.setClock(ahead: .seconds(86_400 * 365), isKept: true)
    try record("BA1PA1", bench)
    bench.setClock(ahead: .zero)
    _ = try bench.powerCut(uptime: .seconds(30))
    try record("BA1PA2", bench)
    #expect(try item("BA1PA2", bench).passage.isUndated)
    try record("BA1PA3", bench, by: .ntp)
    #expect(try !item("BA1PA3", bench).passage.isUndated)
    // From then on nothing contradicts it.
    try record("BA1PA4", bench)
    #expect(try !item("BA1PA4", bench).passage.isUndated)
    _ = try bench.pass(.seconds(11))
    #expect(try !item("BA1PA2", bench).passage.isUndated)
  }

  /// What was put down while no service ran was read from the clock as it was then, whatever that shows now: it is
  /// put right by that, and never vouched for as it was.
  @Test(arguments: [3_600, -3_600, 39_600] as [Int64], [false, true])
  func whatWasPutDownByAWrongClockIsPutRight(_ behind: Int64, _ isWrongNow: Bool) throws {
    let bench = try Bench()
    bench.setClock(ahead: .seconds(isWrongNow ? 0 : -behind))
    let put = Moment(boot: bench.store.clock.time(at: bench.boot), wall: bench.wall)
    let passed = put.wall + (isWrongNow ? .zero : .seconds(behind))
    bench.wait(.seconds(600))
    bench.setClock(ahead: isWrongNow ? .seconds(-behind) : .zero)
    try bench.start()
    let right = bench.wall + (isWrongNow ? .seconds(behind) : .zero)
    _ = try bench.handle(networkTime(right))
    _ = try bench.handle(
      .recordEarlier(requestID: 1, [try request("BA1PA1", put.wall)], at: put))
    _ = try bench.handle(networkTime(right))
    let kept = try item("BA1PA1", bench)
    #expect(kept.passage.recordedAt == passed)
    #expect(kept.clockSource == .network)
  }

  /// Of another start of the machine nobody knows how its clock was.
  @Test func whatWasPutDownInAnEarlierStartIsNotVouchedFor() throws {
    let bench = try Bench()
    let wall = bench.wall
    _ = try bench.powerCut(uptime: .seconds(30))
    bench.wait(.seconds(7_200))
    _ = try bench.handle(networkTime(bench.wall))
    let start = Moment(boot: bench.store.clock.time(at: .zero), wall: wall)
    _ = try bench.handle(.recordEarlier(requestID: 1, [try request("BA1PA1", wall)], at: start))
    _ = try bench.handle(networkTime(bench.wall))
    let kept = try item("BA1PA1", bench)
    #expect(kept.passage.recordedAt == wall)
    #expect(kept.clockSource == ClockSource.none)
  }

  /// The network's time puts right what it can, where it agrees with the order in the store.
  @Test(arguments: [3_600, 39_600] as [Int64]) func theNetworksTimeIsEvidence(_ behind: Int64)
    throws
  {
    let bench = try Bench()
    try bench.start()
    bench.setClock(ahead: .seconds(-behind))
    _ = try bench.powerCut(uptime: .seconds(30))
    try record("BA1PA1", bench)
    let passed = bench.wall + .seconds(behind)
    bench.wait(.seconds(120))
    let outputs = try bench.handle(networkTime(bench.wall + .seconds(behind)))
    #expect(
      outputs.events.filter { $0.name == "times_mended" || $0.name == "passage_dated" }.count <= 1)
    _ = try bench.pass(.seconds(11))
    let mended = try item("BA1PA1", bench)
    #expect(!mended.passage.isUndated)
    #expect(mended.passage.recordedAt == passed)
    #expect(mended.clockSource == .network)
    // What is recorded from now on is by that time at once.
    try record("BA1PA2", bench)
    let next = try item("BA1PA2", bench)
    #expect(!next.passage.isUndated)
    #expect(next.passage.recordedAt == bench.wall + .seconds(behind))
  }

  @Test func aNetworksTimeBeforeTheNewestMomentIsNone() throws {
    let bench = try Bench()
    try bench.start()
    try record("BA1PA1", bench, by: .ntp)
    _ = try bench.powerCut(uptime: .seconds(30))
    try record("BA1PA2", bench)
    let before = try item("BA1PA2", bench)
    _ = try bench.handle(networkTime(bench.wall - .seconds(86_400)))
    _ = try bench.pass(.seconds(11))
    #expect(try item("BA1PA2", bench).passage == before.passage)
  }

  /// What may be the local time as well as that of Greenwich moves nothing.
  @Test func aNetworksTimeInAnUnknownZoneIsNone() throws {
    let bench = try Bench()
    try bench.start()
    _ = try bench.powerCut(uptime: .seconds(30))
    bench.setClock(ahead: .seconds(-3_600))
    _ = try bench.powerCut(uptime: .seconds(30))
    bench.wait(.seconds(10_000))
    try record("BA1PA2", bench)
    let before = try item("BA1PA2", bench)
    _ = try bench.handle(networkTime(bench.wall + .seconds(3_600), zone: .seconds(20_700)))
    #expect(try item("BA1PA2", bench).passage.recordedAt == before.passage.recordedAt)
  }

  /// A clock that agrees with somebody else's is vouched for; of a machine that was off before that, nobody
  /// knows, and the server is told so.
  @Test func whatNobodyVouchedForSaysSo() throws {
    let bench = try Bench()
    try bench.start()
    try record("BA1PA1", bench)
    _ = try bench.powerCut(uptime: .seconds(30))
    try record("BA1PA2", bench)
    try record("BA1PA3", bench, by: nil)
    _ = try bench.handle(networkTime(bench.wall))
    #expect(try item("BA1PA1", bench).clockSource == ClockSource.none)
    #expect(try item("BA1PA2", bench).clockSource == .network)
    let due = try bench.store.transaction { transaction throws(StorageError) in
      try transaction.dueUploads(UploadQuery(.passage, limit: 9), at: bench.boot + .seconds(9_000))
    }
    #expect(due.uploads.map(\.clockDoubt) == [ClockSource.anyDoubt, nil, nil])
  }

  /// An identity that a client gave stays, and so does one that belongs to another passage already.
  @Test func anIdentityThatWasGivenStays() throws {
    let bench = try Bench()
    try bench.start()
    bench.setClock(ahead: .zero - hours)
    _ = try bench.powerCut(uptime: .seconds(30))
    let given = ClientID(random: 7, 7)
    _ = try bench.handle(
      .record(requestID: 1, [try request("BA1PA1", bench.wall, identity: given)]))
    bench.setClock(ahead: .zero, isKept: true)
    try bench.handle()
    let mended = try item("BA1PA1", bench)
    #expect(mended.passage.clientID == given)
    #expect(mended.passage.recordedAt == bench.wall)
    #expect(mended.passage.contentClientID == .content(canonicalBody: mended.passage.v1Body))
  }
}
