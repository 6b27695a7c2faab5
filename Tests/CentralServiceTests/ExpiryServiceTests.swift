import CentralCore
import CentralService
import Events
import Passages
import Storage
import TestSupport
import Testing
import Time

/// The service drops what is too old, beside what comes in, and tells how much it was.
@Suite(.timeLimit(.minutes(15))) struct ExpiryServiceTests {
  @Test func whatIsTooOldIsDroppedAndTold() async throws {
    let bench = try Bench()
    let old = Bench.wall - .seconds(400 * 86_400)
    let arrivals = try [(old, "a.jpg"), (Bench.wall, "b.jpg")].map { time, photo in
      let passage = try Passage(
        recording: try Plate("BA1PA1234"), vehicleType: .car,
        checkpost: try CheckpostCode("BNP-A"), recordedAt: time, suffix: .unknown,
        photoPath: photo)
      return PassageArrival(
        Observation(of: passage, channel: .upload, isProven: true, receivedAt: time))
    }
    _ = try bench.store.transaction { inbox throws(StorageError) in
      try inbox.take(arrivals, rules: JudgingRules(), at: Bench.wall)
    }
    let removed = Said<[String]>()
    let (events, said) = AsyncStream.makeStream(of: Event.self)
    let service = try CentralService(
      machine: bench.machine, clocks: TestClocks(wall: Bench.wall),
      removePhotographs: { names in
        removed.add(names)
        return names
      }, onEvent: { said.yield($0) })
    try service.start(whenEnded: { said.finish() })
    var dropped: Event?
    for await event in events where event.name == "old_dropped" {
      dropped = event
      break
    }
    #expect(dropped?.fields.contains(EventField("passages", .integer(1))) == true)
    #expect(dropped?.fields.contains(EventField("photographs", .integer(1))) == true)
    #expect(removed.all == [["a.jpg"]])
    #expect(try bench.store.passages(PassageQuery()).count == 1)
    service.stop()
    await service.finished()
  }
}
