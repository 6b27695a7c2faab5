import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Testing
import Time

/// What a text is worth counts from when the vehicle passed, and not from when the row was handed in.
@Suite struct OwnTimeTests {
  /// A passage of so long before the clock of the bench.
  private func old(_ age: Duration, _ bench: Bench) throws -> RecordRequest {
    let passage = try Passage(
      recording: try Plate("BA 1 PA 1"), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: bench.wall - age, suffix: .unknown)
    return RecordRequest(passage)
  }

  @Test func anOldRowIsNotTexted() throws {
    let bench = try Bench()
    try bench.start()
    try bench.handle(.record(requestID: 1, [try old(.seconds(100 * 3_600), bench)]))
    let outputs = try bench.pass(.seconds(301))
    #expect(outputs.texts.isEmpty)
    let events = outputs.events.filter { $0.name == "passage_outdated" }
    #expect(events.count == 1)
    #expect(events.first?.words.contains("100 h old") == true)
    #expect(try bench.passUntilText(within: .seconds(86_400)).texts.isEmpty)
  }

  @Test func aTextIsKeptByTheNetworkForWhatIsLeftOfItsPassage() throws {
    let bench = try Bench()
    try bench.start()
    try bench.handle(.record(requestID: 1, [try old(.seconds(70 * 3_600), bench)]))
    let text = try #require(try bench.pass(.seconds(301)).texts.first)
    #expect(text.validity == .seconds(2 * 3_600 - 301))
  }

  @Test func whoAsksForItHasItTextedAllTheSame() throws {
    let bench = try Bench()
    try bench.start()
    try bench.handle(.record(requestID: 1, [try old(.seconds(100 * 3_600), bench)]))
    try bench.pass(.seconds(301))
    let moment = Moment(boot: bench.store.clock.time(at: bench.boot), wall: bench.wall)
    #expect(try bench.store.retry(1, at: moment) == .retried)
    #expect(try bench.handle(.woke).texts.count == 1)
  }

  // A clock that was never set says nothing of the age of anything.
  @Test func aRowThatIsAheadOfTheClockIsAsYoungAsItCanBe() throws {
    let bench = try Bench()
    try bench.start()
    try bench.handle(.record(requestID: 1, [try old(.seconds(-3_600), bench)]))
    #expect(try bench.pass(.seconds(301)).texts.count == 1)
  }
}
