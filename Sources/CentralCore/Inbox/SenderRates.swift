public import Time

/// How many passages each number may text, so that one number whose owner is not who it was cannot fill the
/// centre. What is too much is not lost: it waits in the inbox for an operator.
///
/// It counts by the times of receipt, which the wall clock told: a clock that goes back gives nothing, and one that goes
/// ahead no more than a full burst.
public struct SenderRates: Sendable {
  /// What a number may text.
  public struct Allowance: Hashable, Sendable {
    /// Passages at once, after a time in which fewer came: what a post has recorded while the network was away.
    public var burst: Int64
    /// Passages a minute that come in addition.
    public var perMinute: Int64

    /// An allowance; each number from 1 to 1,000,000.
    public init(burst: Int64, perMinute: Int64) {
      self.burst = min(max(burst, 1), 1_000_000)
      self.perMinute = min(max(perMinute, 1), 1_000_000)
    }
  }

  private struct Bucket {
    /// Sixty-thousandths of a passage, so that a millisecond at one a minute is a whole number.
    var left: Int64
    var at: WallTime
  }

  /// What a number may text.
  public var allowance: Allowance
  private var buckets: [String: Bucket] = [:]
  private static let whole: Int64 = 60_000

  /// No number has texted anything.
  public init(_ allowance: Allowance) {
    self.allowance = allowance
  }

  /// How many numbers are counted at the moment.
  public var count: Int { buckets.count }

  /// A number texts a passage.
  ///
  /// - Returns: Whether it may.
  public mutating func take(_ sender: String, at time: WallTime) -> Bool {
    let most = allowance.burst * SenderRates.whole
    var bucket = buckets[sender] ?? Bucket(left: most, at: time)
    bucket.left = min(most, filled(bucket, at: time))
    // Texts come a little out of order; a clock that was ahead and is set back counts from then on.
    let (back, overflow) = bucket.at.milliseconds.subtractingReportingOverflow(time.milliseconds)
    let isSetBack = overflow ? time < bucket.at : .milliseconds(back) > Limits.outOfOrder
    bucket.at = isSetBack ? time : max(bucket.at, time)
    let isTaken = bucket.left >= SenderRates.whole
    if isTaken { bucket.left -= SenderRates.whole }
    if buckets[sender] == nil, buckets.count >= Limits.countedSenders { forget(at: time) }
    buckets[sender] = bucket
    return isTaken
  }

  private func filled(_ bucket: Bucket, at time: WallTime) -> Int64 {
    let most = allowance.burst * SenderRates.whole
    let (passed, overflow) = time.milliseconds.subtractingReportingOverflow(bucket.at.milliseconds)
    guard !overflow, passed < most else { return most }
    let (gained, isMore) = max(0, passed).multipliedReportingOverflow(by: allowance.perMinute)
    return isMore ? most : min(most, bucket.left) + min(most, gained)
  }

  /// Forgets the quarter of all who are nearest to a full burst, which they have then: many at once, so that it is
  /// seldom done.
  private mutating func forget(at time: WallTime) {
    let fullest = buckets.map { (sender: $0.key, left: filled($0.value, at: time)) }
      .sorted { $0.left == $1.left ? $0.sender < $1.sender : $0.left > $1.left }
    for (sender, _) in fullest.prefix(max(1, fullest.count / 4)) { buckets[sender] = nil }
  }
}
