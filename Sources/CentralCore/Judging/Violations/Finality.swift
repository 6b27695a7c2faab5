public import Passages
public import Time

/// Whether something that comes later can still change a violation.
public enum Finality: String, CaseIterable, Hashable, Sendable, Codable {
  /// A post may still hold passages that change it, or it rests on texts alone or on what a person has to
  /// look at first, see ``TravelDoubt/needsPerson``.
  case provisional
  /// The posts have reported past every time that could change it: no passage does any more.
  case reported
  /// A post has not reported for so long that it is not waited for; flagged, as a passage that does come
  /// may still change it.
  case unreported
}

/// Up to when each post has handed in everything, as it last reported.
public struct PostReports: Hashable, Sendable {
  private var through: [CheckpostCode: Int64] = [:]

  /// No post has reported.
  public init() {}

  /// What posts reported, as a store has it.
  public init(through: [CheckpostCode: Int64]) {
    self.through = through
  }

  /// A post reported that all it recorded before a second is here. What it reported before still counts
  /// where it was more. What is recorded after the report cannot be in it, so one from a clock that is ahead
  /// counts up to the moment at which it came, and not to more when that moment is past.
  public mutating func report(
    _ post: CheckpostCode, through second: Int64, receivedAt: WallTime
  ) {
    let second = min(second, receivedAt.epochSeconds)
    through[post] = max(through[post] ?? second, second)
  }

  /// Before which second all of a post is here; nil while it never reported.
  public func through(_ post: CheckpostCode) -> Int64? {
    through[post]
  }
}

extension StandingViolation {
  /// Settles whether something can still change it.
  ///
  /// Pairing goes by time and looks at nothing that comes after a pair. So what could change a pair was
  /// recorded at the exit's post up to the end of the time in which another ranger may write the exit
  /// down, or at the entry's post up to the exit. A pair that lies far apart stands only while the exit is
  /// not the entry of a shorter travel back, which the entry's post would see. Where further posts are judged
  /// together with these two, a passage at any of them up to the exit may lie between, or belong to another
  /// travel before; of posts that stood there at other times alone nothing is waited for.
  ///
  /// - Returns: Whether that is another state than before.
  public mutating func settle(
    _ reports: PostReports, place: JudgedPlace, rules: JudgingRules, at now: WallTime
  ) -> Bool {
    let before = finality
    finality = settled(reports, place, rules, now)
    return finality != before
  }

  /// When it becomes final although a post does not report; nil where that is not waited for.
  public func unreportedFrom(_ rules: JudgingRules) -> WallTime? {
    isRetracted || finality != .provisional || waitsForProof
      ? nil : since + .seconds(rules.provisionalFor)
  }

  /// Past which seconds the posts of the entry and the exit have to report for it to be final; nil of one that
  /// no report changes. Further posts of the place have to report past ``ViolationFinding/End/latest`` of the exit.
  func awaitedReports(_ place: JudgedPlace) -> (entry: Int64, exit: Int64)? {
    isRetracted || waitsForProof || finality == .reported ? nil : needs(place)
  }

  private func needs(_ place: JudgedPlace) -> (entry: Int64, exit: Int64) {
    let (entry, exit) = (finding.entry, finding.exit)
    var atEntry = max(exit.latest, entry.earliest.saturatingSum(place.rangerWindow))
    if finding.isFar,
      let stretch = place.stretch(
        entry.post, at: entry.earliest, exit.post, at: exit.earliest)
    {
      atEntry = max(atEntry, exit.latest.saturatingSum(stretch.longest))
    }
    return (atEntry, exit.earliest.saturatingSum(place.rangerWindow))
  }

  /// Whether an upload, a better clock or a person has to confirm it first.
  private var waitsForProof: Bool {
    confirmedAt == nil && finding.doubts.contains(where: \.needsPerson)
  }

  private func settled(
    _ reports: PostReports, _ place: JudgedPlace, _ rules: JudgingRules, _ now: WallTime
  ) -> Finality {
    guard !isRetracted, !waitsForProof else { return .provisional }
    if finality == .reported { return .reported }
    let (entry, exit) = (finding.entry, finding.exit)
    let (atEntry, atExit) = needs(place)
    func hasReported(_ post: CheckpostCode, past second: Int64) -> Bool {
      reports.through(post).map { $0 > second } ?? false
    }
    if hasReported(exit.post, past: atExit), hasReported(entry.post, past: atEntry),
      place.posts(
        with: finding.segment,
        during: entry.earliest.saturatingSum(
          -place.pairingWindow)...max(
            entry.earliest, exit.latest)
      ).allSatisfy({
        $0 == exit.post || $0 == entry.post || hasReported($0, past: exit.latest)
      })
    {
      return .reported
    }
    return now >= since + .seconds(rules.provisionalFor) ? .unreported : .provisional
  }
}
