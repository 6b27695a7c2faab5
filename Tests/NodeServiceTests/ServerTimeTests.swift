import Events
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Testing
import Time

/// What the server's clock is good for: it dates passages, and says how far this machine's is off.
@Suite struct ServerTimeTests {
  private let matching = MatchingTests()

  private func bench(believing: Bool = true) throws -> Bench {
    var rules = try matching.rules(.connected)
    rules.sync.userID = "user"
    rules.sync.believesServerTime = believing
    let bench = try Bench(rules)
    try bench.start()
    return bench
  }

  private func record(_ plate: String, _ bench: Bench, by clock: ClockSource?) throws
    -> [NodeOutput]
  {
    let passage = try matching.passage(plate, "BNP-B", bench.wall)
    return try bench.handle(.record(requestID: 1, [RecordRequest(passage, clock: clock)]))
  }

  private func skews(_ bench: Bench) throws -> [Int64?] {
    try bench.store.list(QueueQuery()).map(\.clockSkewSeconds)
  }

  @Test(arguments: [-90, 90]) func aClockThatIsOffIsToldWithThePassage(_ ahead: Int64) throws {
    let bench = try bench()
    // Before the server told the time, by this clock and by one that somebody typed.
    _ = try record("BA1PA1", bench, by: ClockSource.none)
    _ = try record("BA1PA2", bench, by: nil)
    bench.wait(.seconds(60))
    let server = MatchingServer()
    server.behind = .seconds(ahead)
    let outputs = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    let event = try #require(outputs.events.first { $0.name == "clock_off" })
    #expect(event["ahead_seconds"] == .integer(ahead))
    #expect(event["verdict"] == .text(ahead > 0 ? "ahead" : "behind"))
    #expect(try skews(bench) == [ahead, nil])
    // One that is recorded now; and after the clock was set right.
    bench.wait(.seconds(600))
    _ = try server.serve(bench, try record("BA1PA3", bench, by: .battery))
    bench.setClock(ahead: .seconds(-ahead))
    server.behind = .zero
    let later = try server.serve(bench, try record("BA1PA4", bench, by: .ntp))
    #expect(try skews(bench) == [ahead, nil, ahead, nil])
    #expect(later.events.filter { $0.name == "clock_right" }.count == 1)
  }

  @Test func aClockThatIsNearlyRightIsNotToldOf() throws {
    let bench = try bench()
    _ = try record("BA1PA1", bench, by: .ntp)
    let server = MatchingServer()
    server.behind = .seconds(59)
    let outputs = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    #expect(!outputs.events.contains { $0.name == "clock_off" })
    #expect(try skews(bench) == [nil])
  }

  /// What the server told in an earlier start of the machine says nothing: how long it was off nobody knows.
  @Test func aPowerCutEndsWhatTheServerTold() throws {
    let bench = try bench()
    let server = MatchingServer()
    server.behind = .seconds(90)
    _ = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    _ = try bench.crash()
    _ = try record("BA1PA1", bench, by: ClockSource.none)
    _ = try bench.powerCut(uptime: .seconds(30))
    _ = try record("BA1PA2", bench, by: ClockSource.none)
    #expect(try skews(bench) == [90, nil])
  }

  @Test func theServersTimeDatesAPassage() throws {
    let bench = try bench()
    let right = bench.wall
    let unset = Duration.seconds(-1_799_999_925)
    bench.setClock(ahead: unset)
    let undated = Passage(
      undated: try Plate("BA1PA1"), vehicleType: .car, checkpost: try CheckpostCode("BNP-B"),
      recordedAt: bench.wall, boot: "boot-1", suffix: .unknown)
    _ = try bench.handle(.record(requestID: 1, [RecordRequest(undated)]))
    bench.wait(.seconds(900))
    let server = MatchingServer()
    server.behind = unset
    var outputs = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    outputs += try server.serve(bench, try bench.pass(.seconds(10)))
    let event = try #require(outputs.events.first { $0.name == "passage_dated" })
    #expect(event["clock_source"] == .text("server"))
    let item = try #require(try bench.store.list(QueueQuery()).first)
    #expect(item.passage.recordedAt == right)
    #expect(item.status == .synced)
  }

  /// Without TLS anybody on the way may tell the time: a person is warned, and no passage is dated by it.
  @Test func theTimeOfAPlainNetworkDatesNothing() throws {
    let bench = try bench(believing: false)
    let unset = Duration.seconds(-1_799_999_925)
    bench.setClock(ahead: unset)
    let undated = Passage(
      undated: try Plate("BA1PA1"), vehicleType: .car, checkpost: try CheckpostCode("BNP-B"),
      recordedAt: bench.wall, boot: "boot-1", suffix: .unknown)
    _ = try bench.handle(.record(requestID: 1, [RecordRequest(undated)]))
    bench.wait(.seconds(900))
    let server = MatchingServer()
    server.behind = unset
    var outputs = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    outputs += try server.serve(bench, try bench.pass(.seconds(10)))
    #expect(outputs.events.contains { $0.name == "clock_off" })
    #expect(!outputs.events.contains { $0.name == "passage_dated" })
    let item = try #require(try bench.store.list(QueueQuery()).first)
    #expect(item.passage.recordedAt == undated.recordedAt)
    #expect(item.clockSkewSeconds == nil)
    #expect(item.status != .synced)
  }

  /// A portal on the way answers too, with a clock of its own.
  @Test func anAnswerThatIsNotTheServersTellsNoTime() throws {
    let bench = try bench()
    _ = try record("BA1PA1", bench, by: ClockSource.none)
    let outputs = try bench.handle(.linkChanged(.up))
    for case .call(let id, _, _) in outputs {
      let failure = ServerFailure(.outage(.captivePortal), words: "a page")
      let reply = ServerReply(.failure(failure), serverTime: bench.wall - .seconds(900))
      let answered = try bench.handle(.answered(id, reply))
      #expect(!answered.events.contains { $0.name == "clock_off" })
    }
    #expect(try skews(bench) == [nil])
  }
}
