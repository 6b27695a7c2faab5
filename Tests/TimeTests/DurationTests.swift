import Testing
import Time

struct DurationTests {
  @Test(arguments: [
    (Duration.zero, 0, 0, 0), (.nanoseconds(1), 1, 0, 0), (.nanoseconds(-1), -1, 0, 0),
    (.milliseconds(1_999), 1_999_000_000, 1_999, 1),
    (.milliseconds(-1_999), -1_999_000_000, -1_999, -1),
    (.seconds(60), 60_000_000_000, 60_000, 60),
    (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0, 0, 0),
    (Duration(secondsComponent: -1, attosecondsComponent: -1), -1_000_000_000, -1_000, -1),
  ])
  func roundsTowardsZero(
    _ duration: Duration, _ nanoseconds: Int64, _ milliseconds: Int64, _ seconds: Int64
  ) {
    #expect(duration.wholeNanoseconds == nanoseconds)
    #expect(duration.wholeMilliseconds == milliseconds)
    #expect(duration.wholeSeconds == seconds)
  }

  @Test func staysWithinItsBounds() {
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    #expect(Duration.nanoseconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.nanoseconds(Int64.min).wholeNanoseconds == .min)
    #expect((Duration.nanoseconds(Int64.max) + .nanoseconds(1)).wholeNanoseconds == .max)
    #expect((Duration.nanoseconds(Int64.min) - .nanoseconds(1)).wholeNanoseconds == .min)
    #expect(Duration.seconds(Int64.max).wholeSeconds == .max)
  }
}
