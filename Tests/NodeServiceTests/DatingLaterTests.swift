import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Testing
import Time

/// A passage that a clock of 1970 recorded gets its time when that is known, and leaves only then.
@Suite struct DatingLaterTests {
  /// What a clock that was never set is behind the right time.
  private let unset = Duration.seconds(-1_799_999_925)

  private func passage(_ bench: Bench, at moment: WallTime? = nil) throws -> RecordRequest {
    RecordRequest(
      Passage(
        undated: try Plate("BA 1 PA 1"), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
        recordedAt: moment ?? bench.wall, boot: moment == nil ? "boot-1" : nil, suffix: .unknown))
  }

  private func only(_ bench: Bench) throws -> Passage {
    let items = try bench.store.list(QueueQuery())
    #expect(items.count == 1)
    return try #require(items.first).passage
  }

  private func dated(_ outputs: [NodeOutput]) -> [Event] {
    outputs.events.filter { $0.name == "passage_dated" }
  }

  @Test func itIsDatedWhenTheClockIsSet() throws {
    let bench = try Bench()
    try bench.start()
    let right = bench.wall
    bench.setClock(ahead: unset)
    try bench.handle(.record(requestID: 1, [try passage(bench)]))
    let before = try only(bench)
    #expect(before.isUndated)
    let waiting = try bench.pass(.seconds(900))
    #expect(waiting.texts.isEmpty && dated(waiting).isEmpty)
    bench.setClock(ahead: .zero)
    let outputs = try bench.pass(.seconds(10))
    #expect(dated(outputs).count == 1)
    let after = try only(bench)
    #expect(after.recordedAt == right)
    #expect(after.clientID == .content(canonicalBody: after.v1Body))
    #expect(after.clientID != before.clientID)
    // It has waited long enough, and what is texted says the right time.
    let text = try #require((outputs.texts + (try bench.pass(.seconds(10))).texts).first)
    #expect(text.body == after.v1Body)
    #expect(dated(try bench.pass(.seconds(60))).isEmpty)
    // The button that was pressed then is the same passage still.
    let again = try bench.handle(.record(requestID: 2, [RecordRequest(before)]))
    for case .recorded(2, .success(let outcomes)) in again {
      if case .recorded = outcomes.first { Issue.record("recorded twice") }
    }
  }

  @Test func theNetworksTimeIsEnough() throws {
    let bench = try Bench()
    try bench.start()
    let right = bench.wall
    bench.setClock(ahead: unset)
    try bench.handle(.record(requestID: 1, [try passage(bench)]))
    bench.wait(.seconds(30))
    let time = NetworkTime(
      time: right + .seconds(30), source: .network, uncertainty: .seconds(2))
    let outputs = try bench.handle(.modem(ModemID(0), .networkTime(time)))
    #expect(dated(outputs + (try bench.pass(.seconds(10)))).count == 1)
    #expect(try only(bench).recordedAt == right)
  }

  @Test func aPassageAheadOfTheClockIsDatedOnceItsTimeHasCome() throws {
    let bench = try Bench()
    try bench.start()
    let own = bench.wall + .seconds(3_600)
    try bench.handle(.record(requestID: 1, [try passage(bench, at: own)]))
    let before = try only(bench)
    #expect(dated(try bench.pass(.seconds(3_400))).isEmpty)
    #expect(dated(try bench.pass(.seconds(100))).count == 1)
    let after = try only(bench)
    #expect(after.recordedAt == own && after.clientID == before.clientID && !after.isUndated)
  }

  /// How long the power was cut nobody knows.
  @Test func aPassageOfAnEarlierStartIsNotGuessed() throws {
    let bench = try Bench()
    try bench.start()
    bench.setClock(ahead: unset)
    try bench.handle(.record(requestID: 1, [try passage(bench)]))
    _ = try bench.powerCut(uptime: .seconds(60))
    bench.setClock(ahead: .zero)
    #expect(dated(try bench.pass(.seconds(10))).isEmpty)
    let before = try only(bench)
    #expect(before.isUndated)
    // A person who was there knows it; the service takes that up by itself.
    let other = try bench.another()
    let right = bench.wall - .seconds(3_600)
    let moment = Moment(boot: other.clock.time(at: bench.boot), wall: bench.wall)
    let outcome = try other.date(1, at: right, future: .seconds(120), moment: moment)
    try other.close()
    let after = try only(bench)
    #expect(outcome == .dated(after.clientID))
    #expect(after.recordedAt == right && !after.isUndated && after.clientID != before.clientID)
    let text = try #require(try bench.passUntilText(within: .seconds(400)).texts.first)
    #expect(text.body == after.v1Body)
  }
}
