import CentralCore
import CentralService
import Events
import Passages
import Storage
import TestSupport
import Testing
import Time

/// The service looks for photographs that no passage ever named, when it has dropped what is too old.
@Suite(.timeLimit(.minutes(15))) struct PhotographSweepTests {
  @Test func whatNoPassageNamesIsToldWithWhatIsDropped() async throws {
    let bench = try Bench()
    let passage = try Passage(
      recording: try Plate("BA1PA1234"), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: Bench.wall, suffix: .unknown, photoPath: "named.jpg")
    let arrival = PassageArrival(
      Observation(of: passage, channel: .upload, isProven: true, receivedAt: Bench.wall))
    _ = try bench.store.transaction { inbox throws(StorageError) in
      try inbox.take([arrival], rules: JudgingRules(), at: Bench.wall)
    }
    let looks = Said<PhotographSweep>()
    let unnamed = Said<[String]>()
    let names = ["named.jpg", "orphan.jpg"].compactMap { PhotoName($0) }
    let (events, said) = AsyncStream.makeStream(of: Event.self)
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall),
      sweepPhotographs: { sweep, named throws(StorageError) in
        for name in names { sweep.offer(name) }
        looks.add(sweep)
        let known = try named(sweep.names)
        let orphans = names.filter { !known.contains($0) }
        unnamed.add(orphans.map(\.text))
        return orphans.count
      }, onEvent: { said.yield($0) })
    try service.start(whenEnded: { said.finish() })
    var dropped: Event?
    for await event in events where event.name == "old_dropped" {
      dropped = event
      break
    }
    #expect(dropped?.fields.contains(EventField("photographs", .integer(1))) == true)
    #expect(dropped?.fields.contains(EventField("passages", .integer(0))) == true)
    #expect(unnamed.all == [["orphan.jpg"]])
    #expect(looks.all.map(\.moment) == [Bench.wall - CentralRules().keep])
    service.stop()
    await service.finished()
  }
}
