import Glibc
public import Time

extension LocalClock {
  /// The clock of this machine's time zone, or of the one that `TZ` names.
  public static let ofThisMachine = LocalClock { time in
    var seconds = time_t(time.epochSeconds)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return 0 }
    return Int(parts.tm_gmtoff) / 60
  }
}
