extension TravelAlert {
  /// What it says, without the plate: for the log and for people.
  public var words: String {
    switch kind {
    case .speeding:
      "speeding: \(segment) in \(minutes(seconds)), at least"
        + " \(minutes(limitSeconds, roundedUp: true)) are needed" + speed + doubt
    case .overstay:
      "overstay: \(minutes(seconds)) for \(segment), at most \(minutes(limitSeconds)) are expected"
        + doubt
    case .overdue:
      "a vehicle that came in at \(entry.checkpost ?? "the opposite post") \(minutes(seconds)) ago"
        + " has not been seen here; at most \(minutes(limitSeconds)) are expected" + doubt
    }
  }

  /// - Parameter roundedUp: Of the least time: 67 minutes are too few where 67 and a half are needed.
  private func minutes(_ seconds: Int64, roundedUp: Bool = false) -> String {
    seconds < 600 ? "\(seconds) s" : "\((seconds + (roundedUp ? 59 : 0)) / 60) min"
  }

  private var speed: String {
    kilometresPerHour.map { " (\(Int($0.rounded())) km/h)" } ?? ""
  }

  private var doubt: String {
    if isSure { return "" }
    return doubtSeconds == nil
      ? "; nobody compared the clocks of the posts" : "; the clocks may be too far apart for that"
  }
}
