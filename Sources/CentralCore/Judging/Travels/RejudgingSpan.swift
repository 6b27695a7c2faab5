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
  /// - Parameters:
  ///   - records: What is there now, in any order.
  ///   - read: The seconds that were read; all of ``changed`` is in it.
  public func look(at records: [PassageRecord], read: ClosedRange<Int64>) -> Look {
    let places = records.filter(\.isDated).map(\.place).sorted()
    let left = start(places, readFrom: read.lowerBound)
    let right = end(places, readTo: read.upperBound)
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
    start(records.filter(\.isDated).map(\.place).sorted(), readFrom: read.lowerBound)
  }

  /// More seconds around these.
  func widened(_ range: ClosedRange<Int64>) -> ClosedRange<Int64> {
    // Twice as much each time, so that little is read again where much has to be read.
    let width = range.upperBound.saturatingSum(-max(range.lowerBound, 0))
    let reach = max(2 * (place.pairingWindow + place.rangerWindow), width / 2)
    return range.lowerBound.saturatingSum(-reach)...range.upperBound.saturatingSum(reach)
  }

  /// The first second of the span; nil where more has to be read.
  private func start(_ places: [ContentKey], readFrom: Int64) -> Int64? {
    let before = places.filter { $0.second < changed.lowerBound }
    var next = changed.lowerBound
    var nextPost: CheckpostCode?
    for index in before.indices.reversed() {
      let place = before[index]
      if isGap(place.second, next) { return next }
      if isFar(place.second, next), beginsTravel(before[(index + 1)...]) { return next }
      if place.post == nextPost, readFrom <= place.second - self.place.rangerWindow,
        isClear(before[...index], before: next)
      {
        return next
      }
      (next, nextPost) = (place.second, place.post)
    }
    return isGap(readFrom, next) ? next : nil
  }

  /// The last second of the span; nil where more has to be read.
  private func end(_ places: [ContentKey], readTo: Int64) -> (second: Int64, inGap: Bool)? {
    let after = places.filter { $0.second > changed.upperBound }
    var last = changed.upperBound
    for (index, place) in after.enumerated() {
      if isGap(last, place.second) { return (last, true) }
      if isFar(last, place.second), beginsTravel(after[index...]) { return (last, false) }
      if index > 0, after[index - 1].post == place.post,
        changed.upperBound < last - self.place.rangerWindow,
        isClear(after[..<index], before: place.second)
      {
        return (last, false)
      }
      last = place.second
    }
    return isGap(last, readTo) ? (last, true) : nil
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

  /// Whether the first of these, which nothing near precedes, is surely the entry of an ordinary travel: the
  /// next passage is at the other end, and near.
  private func beginsTravel(_ places: ArraySlice<ContentKey>) -> Bool {
    guard let first = places.first else { return false }
    let next = places.dropFirst().first {
      $0.post != first.post || $0.second - first.second > place.rangerWindow
    }
    guard place.stretches.count == 1 else { return false }
    return next.map { $0.post != first.post && !isFar(first.second, $0.second) } ?? false
  }

  /// Whether the last of these is surely the last passage before `next`, which is at the same post: `next`
  /// is too late to be one with it, and no passage at the other post can have begun after it did.
  private func isClear(_ places: ArraySlice<ContentKey>, before next: Int64) -> Bool {
    guard let last = places.last, next - last.second > place.rangerWindow else { return false }
    for other in places.reversed() where other.second >= last.second - place.rangerWindow {
      if other.post != last.post { return false }
    }
    return true
  }
}
