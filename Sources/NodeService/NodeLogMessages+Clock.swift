import Events
import ModemSession
import Time

extension NodeLogMessages {
  /// The event of a clock that shows another time than the network's.
  func clockIsOff(_ comparison: ClockComparison) -> Event {
    make(
      "clock_off", .warning,
      "\(comparison.words); passages are recorded with wrong times until it is set (timedatectl)")
  }

  /// The event of a clock that is right again.
  func clockIsRight() -> Event {
    make("clock_right", .notice, "this machine's clock agrees with the network's time")
  }
}
