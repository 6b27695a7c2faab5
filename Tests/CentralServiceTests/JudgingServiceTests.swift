import CentralCore
import CentralService
import Events
import Passages
import TestSupport
import Testing
import Time

/// What the service judges, and tells of it.
@Suite(.timeLimit(.minutes(15))) struct JudgingServiceTests {
  private func message(_ id: String, _ text: String, from: String) -> InboundMessage {
    InboundMessage(
      provider: "twilio", providerID: id, from: from, text: text, receivedAt: Bench.wall)
  }

  private let entry = "V1|BNP-A|BA1PA1234|CAR|1709120000|4567"
  private let exit = "V1|BNP-B|BA1PA1234|CAR|1709121000|0000"
  private let north = "+9779801000001"
  private let south = "+9779801000002"

  /// Events as they are said, for whoever waits for one.
  private func service(
    _ bench: Bench, _ clocks: TestClocks
  ) throws -> (service: CentralService, events: AsyncStream<Event>) {
    let (events, said) = AsyncStream.makeStream(of: Event.self)
    let service = try CentralService(
      machine: bench.machine, clocks: clocks, onEvent: { said.yield($0) })
    try service.start(whenEnded: { said.finish() })
    return (service, events)
  }

  private func first(_ name: String, of events: inout AsyncStream<Event>.Iterator) async -> Event? {
    while let event = await events.next() {
      if event.name == name { return event }
    }
    return nil
  }

  /// What one request changed fills no log: some of each name are told singly, and of the others how many they are.
  @Test func aRequestThatChangesMuchIsToldInSum() throws {
    var changes = JudgedChanges()
    for number in 0..<130 {
      let passage = Passage(
        received: try V1Message.decode(text(number), window: nil), segment: nil, ranger: nil)
      let report = Observation(
        of: passage, channel: .upload, isProven: true, receivedAt: Bench.wall)
      changes.handedIn.append(HandedInPassage(report, isFirst: number < 120))
    }
    let bench = try Bench()
    let said = Said<Event>()
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall), onEvent: { said.add($0) })
    service.tell(ofRequest: changes)
    #expect(said.all.count { $0.name == "passage_arrived" } == 50)
    #expect(said.all.count { $0.name == "passage_repeated" } == 10)
    let left = said.all.filter { $0.name == "changes_left_out" }
    #expect(left.count == 1)
    #expect(left.first?.fields.contains(EventField("left_out", .integer(70))) == true)
    #expect(
      left.first?.fields.contains(EventField("left_out_event", .text("passage_arrived"))) == true)
    // What the central itself finds is told whole.
    service.tell(changes)
    #expect(said.all.count { $0.name == "passage_arrived" } == 170)
  }

  @Test func whatIsFoundAndDisprovedIsTold() async throws {
    let bench = try Bench()
    let (service, events) = try service(bench, TestClocks(wall: Bench.wall))
    var said = events.makeAsyncIterator()
    _ = await service.submit(message("1", exit, from: south))
    _ = await service.submit(message("2", entry, from: north))
    let found = try #require(await first("violation_found", of: &said))
    #expect(found.fields.contains(EventField("violation", .integer(2))))
    #expect(found.fields.contains(EventField("plate", .plate("BA1PA1234"))))
    #expect(found.fields.contains(EventField("doubts", .text("by_text_alone"))))
    #expect(found.words.contains("1000 s where at least 1800 s are lawful"))
    #expect(!found.words.contains("BA1PA1234"))
    // It was seen at the exit's end before that exit, so it came from there, and too fast as well.
    _ = await service.submit(
      message("3", "V1|BNP-B|BA1PA1234|CAR|1709119000|0000", from: south))
    let retracted = try #require(await first("violation_retracted", of: &said))
    #expect(retracted.fields.contains(EventField("cause", .text("arrival"))))
    service.stop()
    await service.finished()
    let tally = service.tally
    let speeding = try #require(tally.violations[.speeding])
    #expect((speeding.found, speeding.changed, speeding.retracted, speeding.final) == (2, 0, 1, 0))
    #expect((tally.texts, tally.repeated, tally.refused) == (3, 0, 0))
    #expect((tally.paired, tally.parted) == (2, 1))
    #expect(tally.latencies.reduce(0, +) == 3)
  }

  /// What the directory says later, and other numbers, count for what is there; beside what comes in.
  @Test func whatChangesIsJudgedAgain() async throws {
    let bench = try Bench()
    bench.machine.rules.ingress = .open
    let (service, events) = try service(bench, TestClocks(wall: Bench.wall))
    var said = events.makeAsyncIterator()
    for (id, text) in [
      ("1", "V1|NEW-A|BA1PA9|CAR|1709120000|0000"), ("2", "V1|NEW-B|BA1PA9|CAR|1709120600|0000"),
    ] {
      _ = await service.submit(message(id, text, from: "1"))
      _ = await first("passage_arrived", of: &said)
    }
    #expect(try bench.store.overview().violations == 0)
    let importer = CentralImporter(store: bench.store, now: Bench.wall)
    _ = try importer.read([
      (Array("name,distance_km,min_speed_kmh,max_speed_kmh\nNew,30,20,60\n".utf8), .segments),
      (
        Array(
          "code,name,segment,position_index\nNEW-A,North,New,0\nNEW-B,South,New,1\n".utf8), .posts
      ),
    ])
    #expect(try bench.store.overview().judgesAgain)
    service.wake()
    let again = try #require(await first("judged_again", of: &said))
    #expect(again.fields.contains(EventField("changed", .integer(1))))
    #expect(try bench.store.overview().violations == 1)
    #expect(try !bench.store.overview().judgesAgain)
    #expect(try bench.store.passages(PassageQuery()).map(\.passage.segment) == ["New", "New"])
    var rules = bench.machine.rules
    try rules.judging.set(.longStay, to: 3_600)
    service.change(rules)
    let other = try #require(await first("judged_again", of: &said))
    #expect(other.fields.contains(EventField("changed", .integer(0))))
    service.stop()
    await service.finished()
  }

  /// The clock's duties come by themselves, as much of them as there are.
  @Test func whoOughtToHaveLeftIsTold() async throws {
    let bench = try Bench()
    let clocks = TestClocks(wall: WallTime(epochSeconds: 1_709_120_010), step: .milliseconds(500))
    let (service, events) = try service(bench, clocks)
    var said = events.makeAsyncIterator()
    _ = await service.submit(message("1", entry, from: north))
    _ = await first("passage_arrived", of: &said)
    clocks.pass(.seconds(5_400))
    service.wake()
    let alert = try #require(await first("overdue_alert", of: &said))
    #expect(alert.subject == "BNP-A")
    #expect(alert.fields.contains(EventField("alert", .integer(1))))
    #expect(!alert.words.contains("BA1PA1234"))
    _ = await service.submit(
      message("2", "V1|BNP-B|BA1PA1234|CAR|1709123000|0000", from: south))
    let resolved = try #require(await first("overdue_resolved", of: &said))
    #expect(resolved.fields.contains(EventField("ending", .text("left"))))
    service.stop()
    await service.finished()
  }

  /// Whatever an earlier run left undone is done at the start: also alerts.
  @Test func whatBecameDueBetweenTwoRunsIsToldAtTheStart() async throws {
    let bench = try Bench()
    let (before, _) = try service(bench, TestClocks(wall: WallTime(epochSeconds: 1_709_120_010)))
    _ = await before.submit(message("1", entry, from: north))
    before.stop()
    await before.finished()
    let (after, events) = try service(bench, TestClocks(wall: Bench.wall + .seconds(10_000)))
    var said = events.makeAsyncIterator()
    #expect(await first("overdue_alert", of: &said) != nil)
    after.stop()
    await after.finished()
  }
}
