import Passages

/// Which records of one vehicle at one place have to be read so that judging them again gives what judging
/// everything would give.
///
/// A store reads the records of ``first`` with what changed in them, and asks ``look(at:read:)`` whether
/// that is enough; until it is, it reads what is asked for. A vehicle comes by a few times a week, so the
/// first answer is nearly always the last.
public struct RejudgingSpan: Hashable, Sendable {
  /// What the records say.
  public enum Look: Hashable, Sendable {
    /// These have to be judged, and no others. Nothing follows them, for as long as an exit is waited for,
    /// where `endsInGap`.
    case enough(ClosedRange<Int64>, endsInGap: Bool)
    /// Read all of these first.
    case more(ClosedRange<Int64>)
  }

  /// From the first to the last second at which something came, went or changed.
  public let changed: ClosedRange<Int64>
  /// The place.
  public let place: JudgedPlace

  /// The span around what changed.
  ///
  /// - Parameter changed: The seconds of the records that came or changed, as they were and as they are.
  public init(changed: ClosedRange<Int64>, place: JudgedPlace) {
    self.changed = changed
    self.place = place
  }

  /// The seconds to read first.
  public var first: ClosedRange<Int64> { widened(changed) }

  /// Looks for the next places on both sides across which nothing can work, whatever changed in between.
  /// There are three kinds. One is a gap in which nothing is paired. One lies between two passages at the
  /// same post that follow each other: they are no pair, and neither has a say in what goes with the other.
  /// And one lies, where there is one segment, before a travel of ordinary length that nothing near precedes: its entry
  /// goes with its exit, whatever was before. All lie outside of what changed, so that they were there before too.
  ///
  /// As what rests on texts alone changes nothing of the rest, each has to be one for all passages, and also for those
  /// alone that do not rest on texts alone.
  ///
  /// - Parameters:
  ///   - records: What is there now, in any order.
  ///   - read: The seconds that were read; all of ``changed`` is in it.
  public func look(at records: [PassageRecord], read: ClosedRange<Int64>) -> Look {
    let marks = marks(records)
    let left = start(marks, readFrom: read.lowerBound)
    let right = end(marks, readTo: read.upperBound)
    guard let left, let right else { return .more(widened(read)) }
    return .enough(left...right.second, endsInGap: right.inGap)
  }

  /// The first second that has to be read for ``changed``, whatever comes there: nothing before it has a say
  /// in what is from then on, so it may be forgotten when nothing changes before ``changed`` any more.
  ///
  /// - Parameters:
  ///   - records: What is there now, in any order.
  ///   - read: The seconds that were read, up to ``changed``.
  /// - Returns: That second; nil where more has to be read first, which is what `widened(_:)` says.
  func beginning(of records: [PassageRecord], read: ClosedRange<Int64>) -> Int64? {
    start(marks(records), readFrom: read.lowerBound)
  }

  /// More seconds around these.
  func widened(_ range: ClosedRange<Int64>) -> ClosedRange<Int64> {
    // Twice as much each time, so that little is read again where much has to be read.
    let width = range.upperBound.saturatingSum(-max(range.lowerBound, 0))
    let reach = max(2 * (place.pairingWindow + place.rangerWindow), width / 2)
    return range.lowerBound.saturatingSum(-reach)...range.upperBound.saturatingSum(reach)
  }

  /// What a record has a say by.
  private struct Mark {
    var second: Int64
    var post: CheckpostCode
    var isFounded: Bool
  }

  private func marks(_ records: [PassageRecord]) -> [Mark] {
    records.filter(\.isDated).map { ($0.place, $0.isFounded) }.sorted { $0.0 < $1.0 }
      .map { Mark(second: $0.0.second, post: $0.0.post, isFounded: $0.1) }
  }

  /// The first second of the span; nil where more has to be read.
  private func start(_ marks: [Mark], readFrom: Int64) -> Int64? {
    let low = changed.lowerBound
    let before = marks.filter { $0.second < low }
    var next = low
    for index in before.indices.reversed() {
      let mark = before[index]
      if isGap(mark.second, next) { return next }
      let rest = before[(index + 1)...]
      if isCut(before[...index], rest, from: readFrom, to: low),
        isFoundedCut(before[...index], rest, from: readFrom, to: low)
      {
        return next
      }
      next = mark.second
    }
    return isGap(readFrom, next) ? next : nil
  }

  /// The last second of the span; nil where more has to be read.
  private func end(_ marks: [Mark], readTo: Int64) -> (second: Int64, inGap: Bool)? {
    let high = changed.upperBound
    let after = marks.filter { $0.second > high }
    var last = high
    for (index, mark) in after.enumerated() {
      if isGap(last, mark.second) { return (last, true) }
      // What changed may have stood up to there, and nothing is known of what was not read.
      let (from, to) = (high.saturatingSum(1), readTo.saturatingSum(1))
      if isCut(after[..<index], after[index...], from: from, to: to),
        isFoundedCut(after[..<index], after[index...], from: from, to: to)
      {
        return (last, false)
      }
      last = mark.second
    }
    return isGap(last, readTo) ? (last, true) : nil
  }

  /// Whether nothing goes across between these, all of which are known from one second until before another, where
  /// nothing goes across between those that do not rest on texts alone.
  private func isCut(
    _ left: ArraySlice<Mark>, _ right: ArraySlice<Mark>, from: Int64, to: Int64
  ) -> Bool {
    // Where posts stood elsewhere at other times, two passages that follow each other need not be of one road.
    guard let next = right.first, !place.isMoved else { return false }
    if isFar(left.last?.second ?? from.saturatingSum(-1), next.second), isWhole(next, before: to),
      beginsTravel(right, before: to)
    {
      return true
    }
    guard isClear(left, from: from, before: next) else { return false }
    // A text belongs to what begins behind it: then something else may come first.
    return next.isFounded
      || isWhole(next, before: to)
        && !right.contains {
          $0.post != next.post && $0.second <= next.second + place.rangerWindow
        }
  }

  /// Whether nothing goes across between those that do not rest on texts alone.
  private func isFoundedCut(
    _ left: ArraySlice<Mark>, _ right: ArraySlice<Mark>, from: Int64, to: Int64
  ) -> Bool {
    let (before, after) = (left.filter(\.isFounded)[...], right.filter(\.isFounded)[...])
    let last = before.last?.second ?? from.saturatingSum(-1)
    guard let next = after.first else { return isGap(last, to) }
    return isGap(last, next.second) || isClear(before, from: from, before: next)
      || right.first?.isFounded == true && isFar(last, next.second) && isWhole(next, before: to)
        && beginsFoundedTravel(after)
  }

  /// Whether all is known of what may be one passage with this.
  private func isWhole(_ mark: Mark, before to: Int64) -> Bool {
    mark.second.saturatingSum(place.rangerWindow) < to
  }

  private func isGap(_ first: Int64, _ second: Int64) -> Bool {
    second.saturatingSum(-place.pairingWindow) > first
  }

  /// Whether no ordinary travel is so long.
  private func isFar(_ first: Int64, _ second: Int64) -> Bool {
    // Where there are several segments, a vehicle that begins a travel on one may end a longer one on another.
    guard place.stretches.count == 1 else { return false }
    return second.saturatingSum(-place.stretches[0].longest) > first
  }

  /// Whether two passages, the first of which begins a travel where there is one segment, are an ordinary one.
  private func isNear(_ first: Int64, _ second: Int64) -> Bool {
    guard place.stretches.count == 1 else { return true }
    return second.saturatingSum(-place.stretches[0].longest(from: first)) <= first
  }

  /// Whether the first of these, which nothing near precedes, is surely the entry of an ordinary travel: the
  /// next passage is at the other end, and near.
  private func beginsTravel(_ marks: ArraySlice<Mark>, before to: Int64) -> Bool {
    guard let first = marks.first, let next = next(in: marks), next.post != first.post,
      isNear(first.second, next.second)
    else { return false }
    // What goes with it then goes before any text.
    if first.isFounded { return beginsFoundedTravel(marks.filter(\.isFounded)[...]) }
    // A text belongs to what begins behind it.
    let window = place.rangerWindow
    guard !next.isFounded, isWhole(next, before: to),
      !marks.contains(where: {
        $0.isFounded && $0.post == next.post && $0.second <= next.second + window
      })
    else { return false }
    return next.second - first.second > window
      && !marks.contains {
        $0.isFounded && $0.post == first.post && $0.second <= first.second + window
      }
  }

  /// The same, where all do not rest on texts alone.
  private func beginsFoundedTravel(_ marks: ArraySlice<Mark>) -> Bool {
    guard let first = marks.first, let next = next(in: marks) else { return false }
    return next.post != first.post && isNear(first.second, next.second)
  }

  /// The first of these that is not one with the first.
  private func next(in marks: ArraySlice<Mark>) -> Mark? {
    guard let first = marks.first else { return nil }
    return marks.dropFirst().first {
      $0.post != first.post || $0.second - first.second > place.rangerWindow
    }
  }

  /// Whether the last of these, all of which are known from a second on, is surely the last passage before `next`,
  /// which is at the same post: `next` is too late to be one with it, and no passage at the other post can have begun
  /// after it did.
  private func isClear(_ marks: ArraySlice<Mark>, from: Int64, before next: Mark) -> Bool {
    let window = place.rangerWindow
    guard let last = marks.last, last.post == next.post, from <= last.second - window,
      next.second - last.second > window
    else { return false }
    for other in marks.reversed() where other.second >= last.second - window {
      if other.post != last.post { return false }
    }
    return true
  }
}
