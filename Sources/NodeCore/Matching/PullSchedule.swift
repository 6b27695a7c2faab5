public import Passages
public import Time

/// When passages of the opposite post are asked for, and which: at the start, when the line comes back,
/// and with each look at what is to be pushed; never more often than ``SyncRules/every``, page after page
/// until all that may still find a partner is there.
///
/// Most looks ask back to what the slowest lawful travel needs, with ``SyncRules/pullBuffer``. The first one, the
/// first after the line has come back, and one in ``Limits/pullFar`` ask for all vehicles that are waited for:
/// a post that was without a line for hours uploads the entry of a vehicle late that then has stayed too long.
///
/// It asks nothing itself: ``advance(at:wall:)`` says what is to be asked, and the answer is handed to
/// ``answered(_:at:)``.
public struct PullSchedule: Hashable, Sendable {
  /// Where passages are asked for.
  public struct Area: Hashable, Sendable {
    /// The server's names of our place.
    public var names: ServerPlace
    /// The segments and their ends.
    public var place: MatchingPlace
    /// The server's names of the posts at the other ends; none where it does not tell who stands at the ends.
    public var postIDs: [String]
    /// Whether one of these posts ends further segments.
    public var includesArrivals: Bool

    /// An area.
    public init(
      names: ServerPlace, place: MatchingPlace, postIDs: [String] = [],
      includesArrivals: Bool = false
    ) {
      self.names = names
      self.place = place
      self.postIDs = postIDs
      self.includesArrivals = includesArrivals
    }
  }

  private struct Run: Hashable {
    var since: WallTime
    /// Whether it asks for all vehicles that are waited for.
    var isFar: Bool
    var before: PullPlace?
    var pages = 0
    var seen: Set<ClientID> = []
    var oldest: WallTime?
    /// What the last page had, while it is to be found out whether it was the last.
    var checking: Int?
  }

  private var rules: SyncRules
  private var area: Area?
  private var run: Run?
  private var isAsking = false
  private var lastBegan: BootInstant?
  /// When the last run began that asked for all vehicles that are waited for, and got them.
  private var lastFar: BootInstant?
  private var notBefore = BootInstant.zero
  private var failures = 0
  /// Rows that the server gives at most, when that is fewer than are asked for.
  private var cap: Int?
  /// The longest page that is known to have been all there was.
  private var whole = 0

  /// A schedule at the start of the node: it asks as soon as it knows where.
  public init(rules: SyncRules) {
    self.rules = rules
  }

  /// Takes over what the configuration says.
  public mutating func changeRules(_ rules: SyncRules) {
    self.rules = rules
  }

  /// Takes over where passages are asked for; nil while that is not known.
  public mutating func placed(_ area: Area?) {
    guard area != self.area else { return }
    self.area = area
    run = nil
    isAsking = false
    lastFar = nil
    notBefore = .zero
  }

  /// The line has come back: failures of before say nothing any more.
  public mutating func connected() {
    failures = 0
    lastFar = nil
    notBefore = lastBegan.map { $0 + rules.every } ?? .zero
  }

  /// When there is something to ask; nil while there is not, or an answer is awaited.
  public var nextDeadline: BootInstant? {
    guard rules.pulls, area != nil, !isAsking else { return nil }
    return run == nil ? notBefore : .zero
  }

  /// What is to be asked now; nil for nothing.
  public mutating func advance(at now: BootInstant, wall: WallTime) -> PullQuery? {
    guard let area, let due = nextDeadline, due <= now else { return nil }
    if run == nil {
      let isFar = lastFar.map { now - $0 >= Limits.pullFar } ?? true
      let buffer = rules.pullBuffer
      run = Run(
        since: isFar
          ? area.place.cutoff(at: wall, buffer: buffer)
          : area.place.nearCutoff(at: wall, buffer: buffer), isFar: isFar)
      lastBegan = now
      notBefore = now + rules.every
    }
    guard let run else { return nil }
    isAsking = true
    return PullQuery(
      segmentID: area.names.segmentID, checkpostID: area.names.checkpostID,
      postIDs: area.postIDs, includesArrivals: area.includesArrivals, since: run.since,
      before: run.before, limit: Limits.pullPage)
  }

  /// Takes the answer to what was asked.
  ///
  /// - Returns: which of the passages that were known are gone, once that is known: after the last page.
  public mutating func answered(
    _ answer: Result<RemotePage, ServerFailure>, at now: BootInstant
  ) -> PulledSet? {
    guard isAsking, var run else { return nil }
    isAsking = false
    self.run = nil
    switch answer {
    case .failure(let failure):
      failed(failure, at: now)
      return nil
    case .success(let page):
      failures = 0
      run.pages += 1
      run.seen.formUnion(page.passages.map(\.clientID))
      run.oldest = ([run.oldest] + page.passages.map(\.recordedAt)).compactMap { $0 }.min()
      if isLast(page, checking: run.checking) {
        farEnded(run)
        return PulledSet(from: run.since, isFromIncluded: true, seen: run.seen)
      }
      guard run.pages < Limits.pullPages else {
        farEnded(run)
        return run.oldest.map { PulledSet(from: $0, isFromIncluded: false, seen: run.seen) }
      }
      run.checking = page.rows < Limits.pullPage ? page.rows : nil
      run.before = page.last
      self.run = run
      return nil
    }
  }

  private mutating func farEnded(_ run: Run) {
    if run.isFar { lastFar = lastBegan }
  }

  /// A server may give fewer rows than it is asked for: a short page is the last one only when it is
  /// shorter than what it is known to give, or no longer than one that was all there was.
  private mutating func isLast(_ page: RemotePage, checking: Int?) -> Bool {
    if page.rows > 0, let checking { cap = max(cap ?? 0, checking) }
    if page.rows == 0 || page.last == nil {
      if let checking, cap == nil { whole = max(whole, checking) }
      return true
    }
    if page.rows >= Limits.pullPage { return false }
    if let cap { return page.rows < cap }
    return page.rows <= whole
  }

  private mutating func failed(_ failure: ServerFailure, at now: BootInstant) {
    failures = min(failures + 1, Limits.pullDoublings)
    var pause = min(rules.every * (1 << failures), Limits.pullPause)
    if let asked = failure.retryAfter { pause = max(pause, asked) }
    notBefore = max(notBefore, now + pause)
  }
}

/// All passages without a partner that the server told of from a moment on.
public struct PulledSet: Hashable, Sendable {
  /// From when on it is all of them.
  public var from: WallTime
  /// Whether those of that very moment are all there too.
  public var isFromIncluded: Bool
  /// Their identities.
  public var seen: Set<ClientID>

  /// A set of passages.
  public init(from: WallTime, isFromIncluded: Bool, seen: Set<ClientID>) {
    self.from = from
    self.isFromIncluded = isFromIncluded
    self.seen = seen
  }

  /// Those of the passages that are known here which the server told of before and does not any more:
  /// they have found a partner, or are not there.
  public func gone(of known: [RemotePassage]) -> [ClientID] {
    known.filter { passage in
      passage.origin == .server && !seen.contains(passage.clientID)
        && (passage.recordedAt > from || (isFromIncluded && passage.recordedAt == from))
    }.map(\.clientID)
  }
}
