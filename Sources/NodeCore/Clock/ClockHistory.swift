public import Passages
public import Storage
public import Time

/// What a store has seen this machine's clock show: the order in which things happened is beyond doubt, and a
/// clock that contradicts it is known to be wrong.
///
/// A board without a battery begins with the time that was saved when it went off, or with 1970, and so it is
/// behind by as long as it was off. Two things tell: a time before the newest moment of an earlier start, and a
/// clock that is set while the machine runs, since the boot clock counts on meanwhile. Which of both times is the
/// right one then, the clock does not say: somebody has to vouch for it.
public struct ClockHistory: Hashable, Sendable {
  /// How far a clock may be set without that being told: a time service does so now and then, and a leap
  /// second is one. No travel is judged by so little.
  public static let tolerance: Duration = .seconds(2)

  /// What names this start of the machine.
  public var boot: String
  /// The newest moment that the store saw in earlier starts; nil before any.
  public var newest: WallTime?
  /// What the clock showed last in this start while it was not known to be wrong; nil where it never was.
  public var seen: Moment?
  /// How far the clock was set forward in this start without anybody vouching for it, all in all; negative where it
  /// was set back. Nil where it was not set, or somebody vouches for it.
  public var unproven: Duration?

  /// What a store has seen.
  public init(
    boot: String, newest: WallTime? = nil, seen: Moment? = nil, unproven: Duration? = nil
  ) {
    self.boot = boot
    self.newest = newest
    self.seen = seen
    self.unproven = unproven
  }

  /// Whether the clock showed in this start what contradicts each other, and nobody has vouched for either.
  public var isContested: Bool { unproven != nil }

  /// The newest moment for the starts that follow: a clock that was set forward, and for which nobody vouched,
  /// makes no later one wrong.
  public var newestForNextStart: WallTime? {
    seen.map { $0.wall - max(unproven ?? .zero, .zero) }
  }

  /// What the clock shows, beside what it showed before.
  public enum Look: Hashable, Sendable {
    /// As much later as the boot clock says.
    case steady
    /// So much later than that, or earlier: it was set.
    case set(by: Duration)
    /// It is known to be wrong: it was never set, or is behind the newest moment by so much.
    case wrong(behind: Duration)
  }

  /// What a clock shows that is known to be wrong, and how far it is behind at least; nil where nothing here
  /// contradicts it.
  public func behind(_ wall: WallTime) -> Duration? {
    let newest = max(newest ?? Passage.earliest, Passage.earliest)
    return wall < newest - ClockHistory.tolerance || wall < Passage.earliest ? newest - wall : nil
  }

  /// Looks at the clock, and keeps what it shows unless that is known to be wrong.
  public mutating func look(at moment: Moment) -> Look {
    if let behind = behind(moment.wall) { return .wrong(behind: behind) }
    let before = seen
    seen = moment
    guard let before else { return .steady }
    let step = moment.wall - before.wall(at: moment.boot)
    guard step > ClockHistory.tolerance || step < .zero - ClockHistory.tolerance else {
      return .steady
    }
    unproven = (unproven ?? .zero) + step
    return .set(by: step)
  }

  /// Takes it from somebody who keeps the time that it is no later than this: a clock that was ahead once
  /// proves nothing any more.
  ///
  /// - Returns: Whether that changed something.
  public mutating func vouched(_ now: WallTime) -> Bool {
    guard let newest, now >= Passage.earliest, newest > now + ClockHistory.tolerance else {
      return false
    }
    self.newest = now
    return true
  }
}

/// A passage whose time was read from a clock that was wrong by then, as is known now.
public struct MisdatedPassage: Hashable, Sendable {
  /// Its place in the queue.
  public var queueID: Int64
  /// What was written down.
  public var passage: Passage
  /// By how many seconds its time was put right before.
  public var mended: Int64
  /// How many seconds the clock was ahead when it was recorded.
  public var ahead: Int64
  /// Whether something of it may have left: then its time stays.
  public var hasLeft: Bool

  /// A passage with a wrong time.
  public init(
    queueID: Int64, passage: Passage, mended: Int64, ahead: Int64, hasLeft: Bool
  ) {
    self.queueID = queueID
    self.passage = passage
    self.mended = mended
    self.ahead = ahead
    self.hasLeft = hasLeft
  }
}

/// What putting times right came to.
public struct ClockMending: Hashable, Sendable {
  /// Passages that have their right time now.
  public var mended = 0
  /// Passages that keep a wrong one, because something of them has left: it is told with them how wrong it is.
  public var flagged = 0

  /// Nothing was put right.
  public init() {}

  /// Whether nothing was.
  public var isEmpty: Bool { mended == 0 && flagged == 0 }
}

extension ClockSource {
  /// How many seconds the time of a passage may be wrong; nil where nothing is known against it.
  ///
  /// - Parameters:
  ///   - recorded: Its time.
  ///   - created: What the clock showed when it was recorded.
  ///   - ahead: How many seconds that clock was ahead, where that was noted.
  public func doubt(recorded: WallTime, created: WallTime, ahead: Int64?) -> Int64? {
    // A time that was put right is not off by what it was put right by.
    guard self != .none, let ahead else { return doubt(ahead: ahead) }
    let off = created - recorded
    let left = off - .seconds(ahead)
    let isMended = max(left, .zero - left) < max(off, .zero - off)
    return doubt(ahead: isMended ? nil : ahead)
  }
}

extension NodeTransaction {
  /// Records passages. One whose time was read from a clock that is known to be wrong is kept without its
  /// time, like one of 1970, and gets it later.
  ///
  /// - Returns: The passages as they were recorded, what came of each, and what was seen of the clock.
  public func recordByClock(
    _ requests: [RecordRequest], at moment: Moment
  ) throws(StorageError)
    -> (requests: [RecordRequest], outcomes: [RecordOutcome], history: ClockHistory)
  {
    var history = try clockHistory()
    if requests.contains(where: { $0.clock == .ntp }), history.vouched(moment.wall) {
      try keep(history)
    }
    var judged = requests.map { $0.judged(by: history) }
    let outcomes = try record(judged, at: moment)
    // The store names the ranger who is signed in where the request names nobody: an identity by content is
    // another one then, and what is said of the passage from here on has to name that.
    for (index, outcome) in outcomes.enumerated() {
      if case .recorded(let client, let queueID) = outcome,
        client != judged[index].passage.clientID,
        let stored = try passage(queueID)
      {
        judged[index].passage = stored
      }
    }
    if history.seen == nil || requests.contains(where: { $0.clock != nil }) {
      // A clock that was set meanwhile is for a person to look at: what was seen before stays until then.
      if history.seen.map({ abs($0, moment) <= ClockHistory.tolerance }) ?? true,
        history.behind(moment.wall) == nil
      {
        history.seen = moment
        try keep(history)
      }
    }
    return (judged, outcomes, history)
  }

  private func abs(_ seen: Moment, _ now: Moment) -> Duration {
    let step = now.wall - seen.wall(at: now.boot)
    return step < .zero ? .zero - step : step
  }

  /// Puts right the times that were read from this machine's clock in this start, where they are further than
  /// `tolerance` from what the time was by what is known now. What was recorded while somebody kept the clock
  /// stays, and so does what has left, which is flagged.
  public func mendTimes(
    by time: KnownTime, tolerance: Duration, limit: Int, at moment: Moment
  ) throws(StorageError) -> ClockMending {
    var result = ClockMending()
    for item in try misdated(by: time, tolerance: tolerance, limit: limit) {
      let right = item.passage.recordedAt - .seconds(item.ahead - item.mended)
      if !item.hasLeft, right >= Passage.earliest,
        var passage = try? item.passage.dated(at: right)
      {
        if try holder(of: passage, besides: item.queueID) != nil {
          passage.contentClientID = passage.contentClientID ?? passage.clientID
          passage.clientID = item.passage.clientID
        }
        try replace(item.queueID, with: passage, at: moment)
        try noteClock(
          item.queueID, source: time.source == .none ? nil : time.source, ahead: item.ahead)
        result.mended += 1
      } else {
        try noteClock(item.queueID, source: nil, ahead: item.ahead)
        result.flagged += 1
      }
    }
    return result
  }
}

extension RecordRequest {
  /// The request with the time that somebody told, where its own was read from a clock that nobody keeps.
  ///
  /// - Parameters:
  ///   - time: What was told.
  ///   - wall: What this machine's clock shows.
  ///   - now: When it shows that, by the node's clock.
  public func told(by time: KnownTime, showing wall: WallTime, at now: BootInstant) -> RecordRequest
  {
    guard let clock, clock < .network, !passage.isUndated else { return self }
    var request = self
    let ahead = wall - time.wall(at: now)
    if ahead <= TimeKnowledge.tolerance, ahead >= .zero - TimeKnowledge.tolerance {
      if clock == .none { request.clock = time.source }
      return request
    }
    guard let right = try? passage.dated(at: passage.recordedAt - ahead),
      right.recordedAt >= Passage.earliest
    else { return self }
    request.passage = right
    if hasGivenIdentity, right.clientID != passage.clientID {
      request.passage.contentClientID = right.contentClientID ?? right.clientID
      request.passage.clientID = passage.clientID
    }
    request.clock = time.source
    request.clockAhead = ahead.wholeSeconds
    return request
  }

  /// The request as it may be recorded: without its time where that is from a clock known to be wrong. Who
  /// keeps the time knows better than what was seen before.
  func judged(by history: ClockHistory) -> RecordRequest {
    var request = self
    // What the battery kept is not what the clock shows since it was set, or the other way round.
    if history.isContested, clock == .battery { request.clock = ClockSource.none }
    guard let clock, clock < .server, !passage.isUndated,
      history.behind(passage.recordedAt) != nil
    else { return request }
    let hasOwnIdentity = passage.contentClientID != nil
    request.passage = Passage(
      undated: passage.plate, vehicleType: passage.vehicleType, checkpost: passage.checkpost,
      recordedAt: passage.recordedAt, boot: history.boot, suffix: passage.suffix,
      identity: hasOwnIdentity ? passage.clientID : nil, segment: passage.segment,
      ranger: passage.ranger, photoPath: passage.photoPath)
    return request
  }
}
