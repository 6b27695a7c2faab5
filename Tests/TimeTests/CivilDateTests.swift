import Testing
import Time

struct CivilDateTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (1970, 1, 2, 86_400), (1969, 12, 31, -86_400), (2000, 3, 1, 951_868_800),
    (2024, 2, 29, 1_709_164_800), (2024, 3, 1, 1_709_251_200), (2100, 3, 1, 4_107_542_400),
    (1900, 3, 1, -2_203_891_200), (1, 1, 1, -62_135_596_800), (0, 3, 1, -62_162_035_200),
    (-1, 12, 31, -62_167_305_600),
  ])
  func countsDays(_ year: Int, _ month: Int, _ day: Int, _ seconds: Int64) throws {
    let date = try #require(
      CivilDate(year: year, month: month, day: day, hour: 0, minute: 0, second: 0))
    #expect(date.epochSeconds == seconds)
    #expect(CivilDate(epochSeconds: seconds) == date)
  }

  @Test func goesThroughEveryDayOfFourHundredYears() {
    var day = CivilDate(epochSeconds: 0)
    for number in Int64(1)...146_097 {
      let next = CivilDate(epochSeconds: number * 86_400 + 3_661)
      #expect(next.epochSeconds == number * 86_400 + 3_661)
      #expect((next.hour, next.minute, next.second) == (1, 1, 1))
      // One day on: the next of the month, or the first of the next month.
      let follows =
        (next.year, next.month, next.day) == (day.year, day.month, day.day + 1)
        || (next.day == 1 && next.month == day.month % 12 + 1
          && next.year == day.year + (day.month == 12 ? 1 : 0))
      #expect(follows, "\(day) and then \(next)")
      day = next
    }
    #expect(day.year == 2370 && day.month == 1 && day.day == 1)
  }

  @Test func hasLeapDays() {
    func exists(_ year: Int, _ month: Int, _ day: Int) -> Bool {
      CivilDate(year: year, month: month, day: day, hour: 0, minute: 0, second: 0) != nil
    }
    #expect(exists(2024, 2, 29) && exists(2000, 2, 29) && exists(2400, 2, 29) && exists(0, 2, 29))
    #expect(!exists(2023, 2, 29) && !exists(1900, 2, 29) && !exists(2100, 2, 29))
    for month in 1...12 {
      #expect(exists(2023, month, 28))
      #expect(exists(2023, month, 30) == (month != 2))
      #expect(exists(2023, month, 31) == [1, 3, 5, 7, 8, 10, 12].contains(month))
      #expect(!exists(2023, month, 32) && !exists(2023, month, 0))
    }
    #expect(!exists(10_000, 1, 1) && !exists(-10_000, 1, 1))
    #expect(!exists(2023, 0, 1) && !exists(2023, 13, 1))
  }

  @Test func hasNoOtherTimes() {
    func exists(_ hour: Int, _ minute: Int, _ second: Int) -> Bool {
      CivilDate(year: 2024, month: 1, day: 1, hour: hour, minute: minute, second: second) != nil
    }
    #expect(exists(0, 0, 0) && exists(23, 59, 59))
    #expect(!exists(24, 0, 0) && !exists(0, 60, 0) && !exists(0, 0, 60))
    #expect(!exists(-1, 0, 0) && !exists(0, -1, 0) && !exists(0, 0, -1))
  }

  @Test func hasADateForEveryNumber() {
    for seconds in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
      let date = CivilDate(epochSeconds: seconds)
      #expect((1...12).contains(date.month) && (1...31).contains(date.day))
      #expect((0...23).contains(date.hour) && (0...59).contains(date.second))
    }
  }
}
