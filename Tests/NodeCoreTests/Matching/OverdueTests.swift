import NodeCore
import Passages
import Testing
import Time

/// Vehicles that ought to have left by now.
struct OverdueTests {
  func at(_ seconds: Int64) -> WallTime { WallTime(epochSeconds: morning + seconds) }

  @Test func theSecondIsThatOfTheFirstOverstay() throws {
    let place = try matchingPlace()
    let entry = try remote("BA1PA1234", morning)
    let before = OverdueLook([entry], told: [], at: place, now: at(5_401))
    #expect(before.candidates.isEmpty)
    #expect(before.next == at(5_402))
    let then = OverdueLook([entry], told: [], at: place, now: at(5_402))
    #expect(then.candidates == [entry])
    #expect(then.next == nil)
    let alert = place.overdue(entry, at: at(5_402), doubt: 0)
    #expect(alert.kind == .overdue)
    #expect(alert.seconds == 5_402)
    #expect(alert.limitSeconds == 5_400)
    #expect(alert.isSure)
    #expect(
      OverdueLook([entry], told: [entry.clientID], at: place, now: at(9_000)).candidates == [])
  }

  /// Of several passages of one vehicle the last counts; the first may be of another ranger, or its way
  /// out was never seen.
  @Test func theLastEntryCounts() throws {
    let place = try matchingPlace()
    let entries = [try remote("BA1PA1234", morning), try remote("BA1PA1234", morning + 3_000)]
    let look = OverdueLook(entries, told: [], at: place, now: at(6_000))
    #expect(look.candidates.isEmpty)
    #expect(look.next == at(8_402))
  }

  @Test func whatCameInTooLongAgoIsNotTold() throws {
    let place = try matchingPlace()
    let entry = try remote("BA1PA1234", morning)
    #expect(OverdueLook([entry], told: [], at: place, now: at(86_400)).candidates == [entry])
    #expect(OverdueLook([entry], told: [], at: place, now: at(86_401)).candidates.isEmpty)
  }

  @Test func whatWasSeenSinceIsNotInside() throws {
    let place = try matchingPlace()
    let entry = try remote("BA1PA1234", morning + 5_000)
    #expect(place.isInside(entry, in: VehicleHistory(remote: [entry], own: [])))
    let out = try passage("BA1PA1234", "BNP-B", morning + 7_000)
    #expect(!place.isInside(entry, in: VehicleHistory(remote: [entry], own: [out])))
    // It came in here before, and that passage at the opposite post was its way out.
    let before = try passage("BA1PA1234", "BNP-B", morning + 2_000)
    #expect(!place.isInside(entry, in: VehicleHistory(remote: [entry], own: [before])))
    // What was seen here before belongs to another travel.
    let first = try remote("BA1PA1234", morning)
    #expect(place.isInside(entry, in: VehicleHistory(remote: [first, entry], own: [before])))
  }
}
