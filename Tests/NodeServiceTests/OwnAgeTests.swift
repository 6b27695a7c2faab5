import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Storage
import Testing
import Time

/// A passage that was recorded by a clock which was far off is looked at again before it is texted, where
/// the mobile network tells the time.
@Suite struct OwnAgeTests {
  private static let day = Duration.seconds(86_400)

  private func record(_ bench: Bench) throws {
    let passage = try Passage(
      recording: try Plate("BA 1 PA 1"), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: bench.wall, suffix: .unknown)
    try bench.handle(.record(requestID: 1, [RecordRequest(passage)]))
  }

  /// The mobile network tells the right time, of which the bench's clock may be ahead.
  @discardableResult
  private func tell(_ bench: Bench, ahead: Duration = .zero) throws -> [NodeOutput] {
    let time = NetworkTime(time: bench.wall - ahead, source: .network, uncertainty: .seconds(2))
    return try bench.handle(.modem(ModemID(0), .networkTime(time)))
  }

  /// What comes of a passage that a clock recorded which was so far ahead, and is right since.
  private func outputs(_ bench: Bench, ahead: Duration) throws -> [NodeOutput] {
    try bench.start()
    bench.setClock(ahead: ahead)
    try record(bench)
    bench.setClock(ahead: .zero)
    return try tell(bench) + bench.pass(.seconds(301))
  }

  private func item(_ bench: Bench) throws -> QueueItem {
    try #require(try bench.store.item(1))
  }

  private func retry(_ bench: Bench) throws -> [NodeOutput] {
    let moment = Moment(boot: bench.store.clock.time(at: bench.boot), wall: bench.wall)
    #expect(try bench.store.retry(1, at: moment) == .retried)
    return try bench.handle(.woke)
  }

  @Test func whatAClockOfThePastRecordedIsNotPaidFor() throws {
    let bench = try Bench()
    let outputs = try outputs(bench, ahead: OwnAgeTests.day * -300)
    #expect(outputs.texts.isEmpty)
    #expect(outputs.events.filter { $0.name == "passage_outdated" }.count == 1)
    #expect(try item(bench).isOutdated)
    #expect(try bench.passUntilText(within: OwnAgeTests.day).texts.isEmpty)
    // Whoever asks for it has it texted all the same.
    #expect(try retry(bench).texts.count == 1)
  }

  @Test func whatAClockOfTheFutureRecordedIsSetAside() throws {
    let bench = try Bench()
    let outputs = try outputs(bench, ahead: OwnAgeTests.day * 300)
    #expect(outputs.texts.isEmpty)
    let event = try #require(outputs.events.first { $0.name == "passage_parked" })
    #expect(event.words.contains("7199 h ahead of the mobile network's"), "\(event.words)")
    #expect(try item(bench).parkedReason?.contains("ahead") == true)
    #expect(try bench.passUntilText(within: OwnAgeTests.day).texts.isEmpty)
    #expect(try retry(bench).texts.count == 1)
  }

  /// The network need not wait for somebody to set the clock.
  @Test func aClockThatIsStillWrongIsNotBelieved() throws {
    let bench = try Bench()
    try bench.start()
    bench.setClock(ahead: OwnAgeTests.day * 300)
    try record(bench)
    let outputs = try tell(bench, ahead: OwnAgeTests.day * 300) + bench.pass(.seconds(301))
    #expect(outputs.texts.isEmpty)
    #expect(try item(bench).parkedReason != nil)
  }

  @Test func whatIsDatedHoursAheadWaitsForItsTime() throws {
    let bench = try Bench()
    let begun = bench.boot
    #expect(try outputs(bench, ahead: .seconds(6 * 3_600)).texts.isEmpty)
    #expect(try item(bench).textDue != nil)
    #expect(try bench.passUntilText(within: OwnAgeTests.day).texts.count == 1)
    #expect(bench.boot - begun >= .seconds(6 * 3_600))
    #expect(bench.boot - begun < .seconds(6 * 3_600 + 60))
  }

  @Test func afterAPowerCutAClockThatWasAheadIsStillKnown() throws {
    let bench = try Bench()
    try bench.start()
    bench.setClock(ahead: OwnAgeTests.day * 300)
    try record(bench)
    bench.setClock(ahead: .zero)
    _ = try bench.powerCut(uptime: .seconds(60))
    let outputs = try tell(bench) + bench.pass(.seconds(400))
    #expect(outputs.texts.isEmpty)
    #expect(try item(bench).parkedReason != nil)
  }

  /// The power may have been away for as long.
  @Test func afterAPowerCutAClockThatWasBehindMayHaveBeenRight() throws {
    let bench = try Bench()
    try bench.start()
    bench.setClock(ahead: OwnAgeTests.day * -300)
    try record(bench)
    bench.setClock(ahead: .zero)
    _ = try bench.powerCut(uptime: .seconds(60))
    #expect(try (tell(bench) + bench.pass(.seconds(400))).texts.count == 1)
  }

  @Test func aClockThatWasRightKeepsNothingBack() throws {
    let bench = try Bench()
    try bench.start()
    try record(bench)
    // It is set wrong since.
    bench.setClock(ahead: OwnAgeTests.day * 300)
    let outputs = try tell(bench, ahead: OwnAgeTests.day * 300) + bench.pass(.seconds(301))
    #expect(outputs.texts.count == 1)
  }

  /// Where a modem tells its time and a zone beside it, that may be the local time or that of Greenwich:
  /// against a clock that agrees with neither, only more than such a doubt counts.
  @Test func aDoubtfulZoneKeepsNothingBack() throws {
    let bench = try Bench()
    try bench.start()
    try record(bench)
    let hours = Duration.seconds(20_700)
    bench.setClock(ahead: OwnAgeTests.day * 300)
    let outputs =
      try tell(bench, ahead: OwnAgeTests.day * 300 + hours) + bench.pass(.seconds(301))
    #expect(outputs.texts.count == 1)
  }

  @Test(arguments: [-300, 300]) func withoutTheNetworksWordItGoes(_ days: Int) throws {
    let bench = try Bench()
    try bench.start()
    bench.setClock(ahead: OwnAgeTests.day * days)
    try record(bench)
    bench.setClock(ahead: .zero)
    #expect(try bench.pass(.seconds(301)).texts.count == 1)
  }

  /// The server's clock may be the one that is wrong, and the passage would reach nobody.
  @Test(arguments: [-365, 365]) func theServersClockKeepsNothingBack(_ days: Int) throws {
    let matching = MatchingTests()
    var rules = try matching.rules(.connected)
    rules.sync.userID = "user"
    rules.sync.believesServerTime = true
    let bench = try Bench(rules)
    try bench.start()
    let server = MatchingServer()
    server.behind = OwnAgeTests.day * days
    _ = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    try bench.handle(.linkChanged(.down))
    try record(bench)
    #expect(bench.machine.report(at: bench.boot).serverTime != nil)
    #expect(try bench.passUntilText(within: .seconds(1_200)).texts.count == 1)
  }
}
