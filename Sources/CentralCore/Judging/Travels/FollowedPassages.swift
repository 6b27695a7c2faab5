import Passages

/// Passages in order of time, with the segments over which each was followed by the next one.
struct FollowedPassages {
  let passages: [RecognisedPassage]
  private let place: JudgedPlace
  /// Of each passage the segment of the travel that it begins, with the next one.
  private(set) var begun: [JudgedPlace.Stretch?]
  /// Of each passage the segment of the travel that it ends.
  private(set) var ended: [JudgedPlace.Stretch?]
  /// Of each passage the segment of the long stay that it may have begun, with the next one, which begins an ordinary
  /// travel back.
  private(set) var turned: [JudgedPlace.Stretch?]
  /// The passages that begin a travel within which others lie that change nothing of it.
  private(set) var crossed: Set<Int> = []

  /// Passages of which none is paired yet.
  init(_ passages: [RecognisedPassage], at place: JudgedPlace) {
    self.passages = passages
    self.place = place
    begun = Array(repeating: nil, count: passages.count)
    ended = begun
    turned = begun
  }

  /// These with all that there are, in order of time: what is paired stays so, and what lies within a travel is left
  /// out.
  func joined(with all: [RecognisedPassage]) -> FollowedPassages {
    var outside: [RecognisedPassage] = []
    var places: [Int] = []
    var crossed: Set<Int> = []
    for passage in all {
      if passage.isFounded {
        places.append(outside.count)
        outside.append(passage)
      } else if let last = places.indices.last, begun[last] != nil || turned[last] != nil {
        crossed.insert(places[last])
      } else {
        outside.append(passage)
      }
    }
    var joined = FollowedPassages(outside, at: place)
    joined.crossed = crossed
    for (index, place) in places.enumerated() {
      joined.begun[place] = begun[index]
      joined.ended[place] = ended[index]
      joined.turned[place] = turned[index]
    }
    return joined
  }

  /// Pairs those that are not paired yet.
  mutating func pair() {
    // First as a post does it, so that the two say the same of what both know.
    pair { $0.longest(from: $1) }
    // Then what stayed long: the next one at the other end, with no passage between.
    pair { $0.pairingWindow(from: $1) }
    // What would have been such a stay, had the vehicle not turned or come again.
    for index in passages.indices.dropLast(2) where isFree(index) {
      guard let stretch = stretch(from: index, within: { $0.pairingWindow(from: $1) }),
        ended[index] != stretch, begun[index + 1] == stretch,
        passages[index + 2].earliest - passages[index + 1].earliest
          <= stretch.longest(from: passages[index + 1].earliest)
      else { continue }
      turned[index] = stretch
    }
  }

  /// Pairs those that are not paired yet and follow each other within a time.
  private mutating func pair(within limit: (JudgedPlace.Stretch, Int64) -> Int64) {
    for index in passages.indices.dropLast() where isFree(index) {
      guard let stretch = stretch(from: index, within: limit), ended[index] != stretch,
        begun[index + 1] != stretch, turned[index + 1] != stretch
      else { continue }
      begun[index] = stretch
      ended[index + 1] = stretch
    }
  }

  private func isFree(_ index: Int) -> Bool { begun[index] == nil && turned[index] == nil }

  /// The segment between a passage and the next one, where these lie no further apart than a time.
  private func stretch(
    from index: Int, within limit: (JudgedPlace.Stretch, Int64) -> Int64
  ) -> JudgedPlace.Stretch? {
    let (first, second) = (passages[index].place, passages[index + 1].place)
    guard first.plate == second.plate, let stretch = place.stretch(first.post, second.post),
      second.second - first.second <= limit(stretch, first.second)
    else { return nil }
    return stretch
  }
}
