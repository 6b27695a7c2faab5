import Testing
import Time

struct WallTimeTests {
  @Test func floorsToSeconds() {
    #expect(WallTime(milliseconds: 1_999).epochSeconds == 1)
    #expect(WallTime(milliseconds: 0).epochSeconds == 0)
    #expect(WallTime(milliseconds: -1).epochSeconds == -1)
    #expect(WallTime(milliseconds: -1_000).epochSeconds == -1)
    #expect(WallTime(milliseconds: -1_001).epochSeconds == -2)
    #expect(WallTime(epochSeconds: 1_709_123_456).milliseconds == 1_709_123_456_000)
  }

  @Test func countsOnAndBack() {
    let time = WallTime(epochSeconds: 100)
    #expect(time + .milliseconds(5) == WallTime(milliseconds: 100_005))
    #expect(time - .seconds(200) == WallTime(epochSeconds: -100))
    #expect(WallTime(epochSeconds: 160) - time == .seconds(60))
    #expect(time - WallTime(epochSeconds: 160) == .seconds(-60))
    #expect(time < WallTime(milliseconds: 100_001))
  }

  // A time that came from outside may be any number.
  @Test func staysAtItsEnds() {
    let first = WallTime(milliseconds: .min)
    let last = WallTime(milliseconds: .max)
    #expect(WallTime(epochSeconds: .max) == last)
    #expect(WallTime(epochSeconds: .min) == first)
    #expect(last + .seconds(1) == last)
    #expect(first - .seconds(1) == first)
    #expect(first + .seconds(-1) == first)
    #expect(last - first == .milliseconds(Int64.max))
    #expect(first - last == .milliseconds(Int64.min))
    #expect(first.epochSeconds == -9_223_372_036_854_776)
    #expect(last.epochSeconds == 9_223_372_036_854_775)
    #expect(!first.rfc3339.isEmpty && !last.rfc3339.isEmpty)
    #expect(!last.rfc3339(offsetMinutes: 345).isEmpty)
  }
}
