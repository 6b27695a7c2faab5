import Events
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Testing
import Time

/// What is found on the spot of passages that another process recorded, or that were corrected or dated later.
@Suite struct ChangedPassageTests {
  private let matching = MatchingTests()

  /// A post that a vehicle came in for 20 minutes ago, which is too fast.
  private func bench() throws -> Bench {
    let bench = try Bench(try matching.rules())
    try bench.start()
    _ = try matching.enter("BA1PA1234", bench)
    bench.wait(.seconds(1_200))
    return bench
  }

  private func correct(_ bench: Bench, to plate: String) throws {
    let other = try bench.another()
    let item = try #require(try other.list(QueueQuery()).first)
    let moment = Moment(boot: other.clock.time(at: bench.boot), wall: bench.wall)
    let outcome = try other.correct(
      item.queueID, with: PlateCorrection(plate: try Plate(plate)), at: moment)
    guard case .replaced = outcome else {
      Issue.record("\(outcome)")
      return
    }
    try other.close()
  }

  @Test func aCorrectedPassageIsMatchedAgain() throws {
    let bench = try bench()
    #expect(try matching.leave("BA1PA1243", bench).alerts.isEmpty)
    try correct(bench, to: "BA1PA1234")
    let outputs = try bench.pass(.seconds(10))
    #expect(outputs.alerts.map(\.kind) == [.speeding])
    #expect(outputs.alerts.first?.seconds == 1_200)
    #expect(try bench.pass(.seconds(10)).alerts.isEmpty)
  }

  @Test func whatACorrectionDisprovesIsTakenBack() throws {
    let bench = try bench()
    let told = try #require(try matching.leave("BA1PA1234", bench).alerts.first)
    let client = try #require(told.exit?.clientID)
    #expect(try bench.store.alerts(of: client) == [told])
    try correct(bench, to: "BA1PA9999")
    let outputs = try bench.pass(.seconds(10))
    #expect(outputs.alerts.isEmpty)
    #expect(outputs.events.contains { $0.name == "alert_withdrawn" && $0.plate == "BA1PA1234" })
    #expect(try bench.store.alerts(of: client).isEmpty)
    // Corrected back, it counts again.
    try correct(bench, to: "BA1PA1234")
    #expect(try bench.pass(.seconds(10)).alerts.map(\.kind) == [.speeding])
  }

  @Test func aPassageOfAnotherProcessIsMatched() throws {
    let bench = try bench()
    let other = try bench.another()
    _ = try other.record(
      [RecordRequest(try matching.passage("BA1PA1234", "BNP-B", bench.wall))],
      at: Moment(boot: other.clock.time(at: bench.boot), wall: bench.wall))
    try other.close()
    #expect(try bench.pass(.seconds(10)).alerts.map(\.kind) == [.speeding])
  }

  @Test func aPassageThatIsDatedLaterIsMatched() throws {
    let bench = try bench()
    let right = bench.wall
    bench.setClock(ahead: .seconds(-1_799_999_925))
    let undated = Passage(
      undated: try Plate("BA1PA1234"), vehicleType: .car, checkpost: try CheckpostCode("BNP-B"),
      recordedAt: bench.wall, boot: "boot-1", suffix: .unknown)
    let recorded = try bench.handle(.record(requestID: 1, [RecordRequest(undated)]))
    #expect(recorded.alerts.isEmpty)
    bench.setClock(ahead: .zero)
    let outputs = try bench.pass(.seconds(10))
    #expect(outputs.alerts.map(\.kind) == [.speeding])
    #expect(outputs.alerts.first?.exit?.recordedAt == right)
  }
}
