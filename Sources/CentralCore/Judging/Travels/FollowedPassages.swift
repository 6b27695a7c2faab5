import Passages

/// Passages in order of time, with the segments over which each was followed by the next one.
struct FollowedPassages {
  let passages: [RecognisedPassage]
  private let place: JudgedPlace
  /// Of each passage the segment of the travel that it begins.
  private(set) var begun: [JudgedPlace.Stretch?]
  /// Of each passage the segment of the travel that it ends.
  private(set) var ended: [JudgedPlace.Stretch?]
  /// Of each passage the segment of the long stay that it may have begun, with the next one, which begins an ordinary
  /// travel back.
  private(set) var turned: [JudgedPlace.Stretch?]
  /// Of each passage the one at the other end of what it began, where it began something.
  private(set) var exits: [Int?]
  /// The passages that begin a travel within which others lie that change nothing of it.
  private(set) var crossed: Set<Int> = []

  /// Passages of which none is paired yet.
  init(_ passages: [RecognisedPassage], at place: JudgedPlace) {
    self.passages = passages
    self.place = place
    begun = Array(repeating: nil, count: passages.count)
    ended = begun
    turned = begun
    exits = Array(repeating: nil, count: passages.count)
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
      } else if let around = travel(around: passage, after: places.count) {
        crossed.insert(places[around])
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
      joined.exits[place] = exits[index].map { places[$0] }
    }
    return joined
  }

  /// The passage that begins a travel within which another one lies, which comes after the first so many of these.
  private func travel(around passage: RecognisedPassage, after count: Int) -> Int? {
    // Where no post ever stood elsewhere, that is the last of them or none.
    let first = place.isMoved ? 0 : max(0, count - 1)
    return (first..<count).last { index in
      guard let exit = exits[index], exit >= count, let stretch = begun[index] ?? turned[index]
      else { return false }
      return isOnRoad(passage, of: stretch)
    }
  }

  /// Whether a passage says something of the way over a segment: its post hung together with it then.
  private func isOnRoad(_ passage: RecognisedPassage, of stretch: JudgedPlace.Stretch) -> Bool {
    !place.isMoved
      || place.isJoined(
        passage.place.post, with: stretch.segment.name, at: passage.place.second)
  }

  /// Pairs those that are not paired yet.
  mutating func pair() {
    // First as a post does it, so that the two say the same of what both know.
    pair { $0.longest(from: $1) }
    // Then what stayed long: the next one at the other end, with no passage between.
    pair { $0.pairingWindow(from: $1) }
    // What would have been such a stay, had the vehicle not turned or come again.
    for index in passages.indices where isFree(index) {
      guard let way = way(from: index, within: { $0.pairingWindow(from: $1) }),
        !ended[index].isOn(way.stretch), let back = begun[way.exit],
        begun[way.exit].isOn(way.stretch), let end = exits[way.exit],
        passages[end].earliest - passages[way.exit].earliest
          <= back.longest(from: passages[way.exit].earliest)
      else { continue }
      turned[index] = way.stretch
      exits[index] = way.exit
    }
  }

  /// Pairs those that are not paired yet and follow each other within a time.
  private mutating func pair(within limit: (JudgedPlace.Stretch, Int64) -> Int64) {
    for index in passages.indices where isFree(index) {
      guard let way = way(from: index, within: limit), !ended[index].isOn(way.stretch),
        ended[way.exit] == nil, !begun[way.exit].isOn(way.stretch),
        !turned[way.exit].isOn(way.stretch)
      else { continue }
      begun[index] = way.stretch
      ended[way.exit] = way.stretch
      exits[index] = way.exit
    }
  }

  private func isFree(_ index: Int) -> Bool { begun[index] == nil && turned[index] == nil }

  /// The segment between a passage and the next one, where these lie no further apart than a time.
  ///
  /// Where posts stood elsewhere at other times, the next one is that of the road that the passage was on, by what
  /// hung together when each was recorded. Of several roads the nearest next one counts.
  private func way(
    from index: Int, within limit: (JudgedPlace.Stretch, Int64) -> Int64
  ) -> (stretch: JudgedPlace.Stretch, exit: Int)? {
    let first = passages[index].place
    var found: (stretch: JudgedPlace.Stretch, exit: Int)?
    if place.isMoved {
      for stretch in place.stretches where stretch.isHeld(by: first.post, at: first.second) {
        guard let exit = next(after: index, on: [stretch]), exit < found?.exit ?? .max else {
          continue
        }
        let second = passages[exit].place
        guard second.post != first.post, stretch.posts.contains(first.post),
          stretch.isHeld(by: second.post, at: second.second)
        else { continue }
        found = (stretch, exit)
      }
    } else if index + 1 < passages.count {
      let second = passages[index + 1].place
      found = place.stretch(first.post, at: first.second, second.post, at: second.second)
        .map { ($0, index + 1) }
    }
    guard let found, passages[found.exit].place.plate == first.plate,
      passages[found.exit].place.second - first.second <= limit(found.stretch, first.second)
    else { return nil }
    return found
  }

  /// The next passage of the vehicle that says something of one of these segments.
  func next(after index: Int, on stretches: [JudgedPlace.Stretch]) -> Int? {
    guard place.isMoved else { return index + 1 < passages.count ? index + 1 : nil }
    return passages.indices.dropFirst(index + 1).first { next in
      stretches.contains { isOnRoad(passages[next], of: $0) }
    }
  }
}

extension JudgedPlace.Stretch? {
  /// Whether it is that segment, with any posts at its ends.
  fileprivate func isOn(_ other: JudgedPlace.Stretch) -> Bool {
    self?.segment.name == other.segment.name
  }
}
