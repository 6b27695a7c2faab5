import Testing
import Time

struct LocalClockTests {
  private let time = WallTime(milliseconds: 1_795_271_531_412)  // 2026-11-21T14:32:11.412Z
  private let kathmandu = LocalClock { _ in 345 }

  @Test func showsTheReadersTimeWithoutFractions() {
    #expect(kathmandu.day(time) == "2026-11-21")
    #expect(kathmandu.time(time) == "20:17:11")
    #expect(kathmandu.full(time) == "2026-11-21 20:17:11")
    #expect(kathmandu.whole(time) == "2026-11-21 20:17:11 (UTC+05:45)")
    #expect(LocalClock.utc.whole(time) == "2026-11-21 14:32:11 (UTC)")
    #expect(LocalClock { _ in -210 }.whole(time) == "2026-11-21 11:02:11 (UTC-03:30)")
  }

  @Test func namesTheDateOnlyOfAnotherDay() {
    #expect(kathmandu.text(time, seenFrom: time - .seconds(3_600)) == "20:17:11")
    // Midnight in Kathmandu is a quarter past six in the evening, UTC.
    #expect(
      kathmandu.text(time + .seconds(4 * 3_600), seenFrom: time) == "2026-11-22 00:17:11")
    #expect(LocalClock.utc.text(time + .seconds(4 * 3_600), seenFrom: time) == "18:32:11")
  }

  @Test func staysWithinWhatTimesCanShow() {
    #expect(kathmandu.time(WallTime(milliseconds: .max)).utf8.count == 8)
    #expect(kathmandu.day(WallTime(milliseconds: -1)) == "1970-01-01")
    #expect(LocalClock.utc.full(WallTime(milliseconds: -1)) == "1969-12-31 23:59:59")
    #expect(LocalClock.utc.full(WallTime(epochSeconds: 253_402_300_800)) == "10000-01-01 00:00:00")
  }

  @Test func aHeadingStandsWhereADayBeginsAndNamesTheZoneOnce() {
    var headings = DayHeadings(kathmandu)
    #expect(headings.heading(before: time) == "2026-11-21, times in UTC+05:45")
    #expect(headings.heading(before: time + .seconds(3_600)) == nil)
    #expect(headings.heading(before: time + .seconds(4 * 3_600)) == "2026-11-22")
    #expect(headings.heading(before: time) == "2026-11-21")
  }

  @Test func aChangeOfTheZoneIsToldToo() {
    // The clocks of Berlin went back at 2026-10-25T01:00:00Z.
    let change = WallTime(epochSeconds: 1_792_890_000)
    let berlin = LocalClock { $0 < change ? 120 : 60 }
    var headings = DayHeadings(berlin)
    #expect(
      headings.heading(before: change - .seconds(1)) == "2026-10-25, times in UTC+02:00")
    #expect(headings.heading(before: change) == "2026-10-25, times in UTC+01:00")
    #expect(headings.heading(before: change + .seconds(3_600)) == nil)
  }
}
