import NodeCore
import Passages
import Testing
import Time

/// Each thing is told once, and what stands is known.
struct AlertBookTests {
  let now = WallTime(epochSeconds: morning + 6_000)

  @Test func aWarningIsToldOnce() throws {
    let place = try matchingPlace()
    let entry = try remote("BA1PA1234", morning)
    let out = try passage("BA1PA1234", "BNP-B", morning + 600)
    let travel = try #require(
      place.travel(of: out.clientID, in: VehicleHistory(remote: [entry], own: [out])))
    let alert = try #require(travel.alert(at: now, doubt: 0))
    var book = AlertBook()
    #expect(book.add(alert) == true)
    #expect(book.add(alert) == false)
    var again = AlertBook(book.alerts)
    #expect(again.add(alert) == false, "over a restart too")
    #expect(book.overdue.isEmpty)
  }

  @Test func aVehicleThatIsOverdueIsWaitedForUntilItIsSeen() throws {
    let place = try matchingPlace()
    let entry = try remote("BA1PA1234", morning, serverID: "s1")
    var book = AlertBook()
    #expect(book.add(place.overdue(entry, at: now, doubt: nil)) == true)
    #expect(book.awaited(plate: "BA1PA1234") == [entry])
    #expect(book.awaited(plate: "BA1PA1235").isEmpty)
    #expect(book.seen(plate: "BA1PA1235", at: now, now: now).isEmpty)
    let before = entry.recordedAt - .seconds(1)
    #expect(book.seen(plate: "BA1PA1234", at: before, now: now).isEmpty)
    let ended = book.seen(plate: "BA1PA1234", at: now, now: now)
    #expect(ended.map(\.ending) == [.seen])
    #expect(book.overdue.isEmpty)
    #expect(book.toldOverdue == [entry.clientID])
    #expect(book.seen(plate: "BA1PA1234", at: now, now: now).isEmpty)
  }

  @Test func whatTheServerMatchedOrTimeSettledIsOver() throws {
    let place = try matchingPlace()
    let entries = [try remote("BA1PA1", morning), try remote("BA1PA2", morning + 10)]
    var book = AlertBook()
    for entry in entries { #expect(book.add(place.overdue(entry, at: now, doubt: nil)) == true) }
    #expect(book.settled([entries[0].clientID], now: now).map(\.plate) == ["BA1PA1"])
    #expect(book.expire(at: place, now: now).isEmpty)
    let late = WallTime(epochSeconds: morning + 86_411)
    #expect(book.expire(at: place, now: late).map(\.ending) == [.expired])
    #expect(book.overdue.isEmpty)
  }

  /// The book is bounded; what stands is never left out of it.
  @Test func theOldestThatAreOverGo() throws {
    let place = try matchingPlace()
    var book = AlertBook()
    let standing = try remote("BA9PA1", morning)
    #expect(book.add(place.overdue(standing, at: now, doubt: nil)) == true)
    for number in 0..<100 as Range<Int64> {
      let entry = try remote("BA1PA\(number)", morning + number)
      #expect(book.add(place.overdue(entry, at: now, doubt: nil)) == true)
      #expect(book.seen(plate: entry.plate, at: now, now: now).count == 1)
    }
    #expect(book.alerts.count < 50)
    #expect(book.overdue.map(\.plate) == ["BA9PA1"])
    #expect(book.alerts.last?.plate == "BA1PA99")
    for number in 0..<199 as Range<Int64> {
      let entry = try remote("BA2PA\(number)", morning + number)
      #expect(book.hasRoom(for: entry))
      #expect(book.makeRoom(now: now).isEmpty)
      #expect(book.add(place.overdue(entry, at: now, doubt: nil)) == true)
    }
    #expect(book.overdue.count == 200)
    // A full book goes on with those that came in later, and never goes back to those before.
    #expect(!book.hasRoom(for: try remote("BA3PA1", morning - 1)))
    let later = try remote("BA3PA2", morning + 500)
    #expect(book.hasRoom(for: later))
    let ended = book.makeRoom(now: now)
    #expect(ended.map(\.ending) == [.expired])
    #expect(ended.map(\.entry.recordedAt) == [WallTime(epochSeconds: morning)])
    #expect(book.add(place.overdue(later, at: now, doubt: nil)) == true)
    #expect(book.overdue.count == 200)
  }
}
