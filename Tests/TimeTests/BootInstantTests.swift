import SeededRandom
import Testing
import Time

struct BootInstantTests {
  private let first = BootInstant(nanoseconds: .min)
  private let last = BootInstant(nanoseconds: .max)

  @Test func countsNanoseconds() {
    let start = BootInstant.seconds(10)
    #expect(start.nanoseconds == 10_000_000_000)
    #expect((start + .milliseconds(1)).nanoseconds == 10_001_000_000)
    #expect((start - .seconds(11)).nanoseconds == -1_000_000_000)
    #expect(start.advanced(by: .nanoseconds(-1)).nanoseconds == 9_999_999_999)
    #expect(BootInstant.zero.nanoseconds == 0)
    #expect(BootInstant.zero < start && !(start < start))
  }

  @Test func tellsHowLongItIs() {
    let start = BootInstant.seconds(10)
    let end = BootInstant.seconds(13)
    #expect(end - start == .seconds(3))
    #expect(start - end == .seconds(-3))
    #expect(start.duration(to: end) == .seconds(3))
    #expect(start.duration(to: start) == .zero)
  }

  // A deadline for ever away stays for ever away and never becomes the past.
  @Test func staysAtItsEnds() {
    #expect(last + .nanoseconds(1) == last)
    #expect(last + .seconds(Int64.max) == last)
    #expect(first - .nanoseconds(1) == first)
    #expect(first - .seconds(Int64.max) == first)
    #expect(BootInstant.zero + .seconds(Int64.max) == last)
    #expect(BootInstant.zero + .seconds(Int64.min) == first)
    #expect(BootInstant.zero - .seconds(Int64.min) == last)
    #expect(last + .seconds(-1) < last)
    #expect(BootInstant.seconds(.max) == last)
    #expect(BootInstant.seconds(.min) == first)
    #expect(BootInstant.seconds(9_223_372_037) == last)
  }

  @Test func tellsTheLongestTimeThereIs() {
    #expect(last - first == .nanoseconds(Int64.max))
    #expect(first - last == .nanoseconds(Int64.min))
    #expect(last - last == .zero)
  }

  @Test func neverTurnsRound() {
    for seed in UInt64(0)..<5_000 {
      var random = SplitMix64(seed: seed)
      let instant = BootInstant(nanoseconds: Int64.random(in: .min ... .max, using: &random))
      let duration = Duration.nanoseconds(Int64.random(in: .min ... .max, using: &random))
      if duration >= .zero {
        #expect(instant + duration >= instant && instant - duration <= instant, "seed \(seed)")
      } else {
        #expect(instant + duration < instant || instant == first, "seed \(seed)")
        #expect(instant - duration > instant || instant == last, "seed \(seed)")
      }
    }
  }
}
