import Testing
import Time

@Suite struct DayPartTests {
  /// A moment of 2026-11-23 by a clock that is 5:45 ahead of UTC.
  private func time(_ hour: Int64, _ minute: Int64) -> WallTime {
    WallTime(epochSeconds: 1_795_392_000 - 20_700 + hour * 3_600 + minute * 60)
  }

  private let clock = LocalClock { _ in 345 }

  @Test func ofADay() throws {
    let part = try #require(DayPart("08:30-17:00"))
    #expect(part.left(at: time(8, 29), by: clock) == nil)
    #expect(part.left(at: time(8, 30), by: clock) == .seconds(8 * 3_600 + 1_800))
    #expect(part.left(at: time(16, 59), by: clock) == .seconds(60))
    #expect(part.left(at: time(17, 0), by: clock) == nil)
  }

  @Test func overMidnight() throws {
    let part = try #require(DayPart("22:00-05:00"))
    #expect(part.left(at: time(21, 59), by: clock) == nil)
    #expect(part.left(at: time(22, 0), by: clock) == .seconds(7 * 3_600))
    #expect(part.left(at: time(0, 0), by: clock) == .seconds(5 * 3_600))
    #expect(part.left(at: time(4, 59), by: clock) == .seconds(60))
    #expect(part.left(at: time(5, 0), by: clock) == nil)
  }

  @Test func theClockOnTheWallCounts() throws {
    let part = try #require(DayPart("22:00-05:00"))
    #expect(part.left(at: time(22, 0), by: .utc) == nil)
  }

  @Test func aClockThatWasNeverSetKnowsNoHours() throws {
    let part = try #require(DayPart("00:00-23:59"))
    #expect(part.left(at: WallTime(epochSeconds: 3_600), by: clock) == nil)
  }

  @Test(arguments: [
    "", "22:00", "22:00-", "-05:00", "22:00-05:00-06:00", "24:00-05:00", "22:60-05:00",
    "22:00-22:00", "2:00-05:00", "22.00-05.00", "22:00 - 05:00", "aa:bb-cc:dd", "٢٢:٠٠-٠٥:٠٠",
  ])
  func nothingElseIsOne(_ text: String) {
    #expect(DayPart(text) == nil)
  }
}
