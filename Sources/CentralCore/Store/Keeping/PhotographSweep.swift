public import Time

/// One look for photographs that lie in the bucket and that no passage names: at so many of them at most, as there may
/// be more than can be looked at beside what comes in. The next look goes on behind the last one, round and round.
public struct PhotographSweep: Hashable, Sendable {
  /// Only what was written before that goes: of what is younger the passage may still come.
  public let moment: WallTime
  private let after: PhotoName?
  private let limit: Int
  private var offered: [PhotoName] = []
  /// What comes behind this one is not looked at.
  private var last: PhotoName?

  /// A look.
  ///
  /// - Parameters:
  ///   - after: Up to which name the one before it looked; nil of the first.
  ///   - moment: Before when a photograph that goes was written.
  ///   - limit: How many it looks at; one at least.
  public init(after: PhotoName?, writtenBefore moment: WallTime, limit: Int) {
    self.after = after
    self.moment = moment
    self.limit = max(1, limit)
  }

  /// Offers a name that is in the bucket; all of them are, in any order. However many there are, no more are
  /// remembered than twice what is looked at.
  public mutating func offer(_ name: PhotoName) {
    if let last, !isBefore(name, last) { return }
    offered.append(name)
    guard offered.count >= 2 * limit else { return }
    offered = names
    last = offered.last
  }

  /// The names that are looked at, in their order behind the last look.
  public var names: [PhotoName] {
    Array(offered.sorted { isBefore($0, $1) }.prefix(limit))
  }

  private func isBefore(_ left: PhotoName, _ right: PhotoName) -> Bool {
    let (isLeftNext, isRightNext) = (isNext(left), isNext(right))
    return isLeftNext == isRightNext ? left.text < right.text : isLeftNext
  }

  /// Whether it comes before the bucket is begun anew.
  private func isNext(_ name: PhotoName) -> Bool {
    after.map { name.text > $0.text } ?? true
  }
}
