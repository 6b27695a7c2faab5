public import Passages
public import Time

/// What a post told of itself last, and what follows from it together with what came.
///
/// A passage has no number in its text, so that one is missing shows in the counts: a post tells how many
/// passages it has texted, ever, and the centre knows how many of it are there. What the difference was
/// when the post was first heard of so says nothing, as the post may be older than this centre, or this
/// centre may have got passages by hand. What it has grown by since then is missing.
public struct PostHeartbeat: Hashable, Sendable {
  /// What it said.
  public var message: H1Message
  /// When it came.
  public var at: WallTime
  /// How many more it had texted than were here, at the time when that was least.
  public var baseline: Int64

  /// A heartbeat as a store keeps it.
  public init(message: H1Message, at: WallTime, baseline: Int64) {
    self.message = message
    self.at = at
    self.baseline = baseline
  }

  /// A heartbeat that came; nil when a later one of that post came before it.
  ///
  /// Anybody can forge a number. So what it says is here it says of nothing after the moment at which it came, and what
  /// came last counts, but for a text that another one has overtaken on its way.
  ///
  /// - Parameters:
  ///   - before: What the post told before.
  ///   - came: Passages of the post that are there.
  public init?(_ message: H1Message, after before: PostHeartbeat?, at: WallTime, came: Int64) {
    var message = message
    if let through = message.syncedThrough, through > at.epochSeconds,
      let bounded = try? H1Message(
        checkpost: message.checkpost, lastNumber: message.lastNumber,
        syncedThrough: at.epochSeconds, waiting: message.waiting, texted: message.texted)
    {
      message = bounded
    }
    self.init(message: message, at: at, baseline: PostHeartbeat.difference(message.texted, came))
    guard let before else { return }
    let told = before.message
    guard message.lastNumber < told.lastNumber || message.texted < told.texted else {
      baseline = min(before.baseline, baseline)
      return
    }
    // The network may hand texts over out of their order. Where it is not older, the post has begun again
    // with an empty queue, and so does the count.
    if let now = message.syncedThrough, let then = told.syncedThrough, now <= then,
      at - before.at < Limits.overtaking
    {
      return nil
    }
  }

  /// Passages that it texted and that did not come. Those whose texts are still on their way are among them.
  public func missing(came: Int64) -> Int64 {
    max(0, PostHeartbeat.difference(PostHeartbeat.difference(message.texted, came), baseline))
  }

  /// What is left of a number, as far as there are numbers: another program may have written any count.
  private static func difference(_ number: Int64, _ less: Int64) -> Int64 {
    let (difference, overflow) = number.subtractingReportingOverflow(less)
    return overflow ? (less < 0 ? .max : .min) : difference
  }
}
