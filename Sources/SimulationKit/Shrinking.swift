import Time

/// A day that fails, made smaller: what it does not need to fail is left out.
public enum Shrinking {
  /// The smallest day found that still fails.
  ///
  /// - Parameters:
  ///   - planned: How many faults, crashes and changes of the line the day's plan has.
  ///   - tries: How many days may be lived for it.
  ///   - fails: Whether a day fails.
  public static func smallest<Failure: Error>(
    of settings: WorldSettings, planned: Int, tries: Int = 60,
    fails: (WorldSettings) throws(Failure) -> Bool
  ) throws(Failure) -> WorldSettings {
    var best = settings
    var left = tries
    // Parts are left out: all first, then halves, down to single ones.
    var size = planned
    while size > 0, left > 0 {
      var first = 0
      while first < planned, left > 0 {
        let part = Set(first..<min(planned, first + size)).subtracting(best.without)
        first += size
        guard !part.isEmpty else { continue }
        var smaller = best
        smaller.without.formUnion(part)
        left -= 1
        if try fails(smaller) { best = smaller }
      }
      size = size == 1 ? 0 : (size + 1) / 2
    }
    // Then the day ends earlier.
    while left > 0 {
      var smaller = best
      smaller.until = .milliseconds(best.trouble.wholeMilliseconds / 2)
      left -= 1
      guard smaller.until ?? .zero > .seconds(60), try fails(smaller) else { break }
      best = smaller
    }
    return best
  }
}
