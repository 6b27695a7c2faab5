import NodeCore
import Passages
import Settings

extension MatchingRules {
  /// What the settings say of warning on the spot.
  init(_ settings: Settings) {
    self.init()
    let node = settings.node
    if let distance = node.segmentDistance.flatMap({ Double($0) }),
      let minimum = node.minimumSpeed.flatMap({ Double($0) }),
      let maximum = node.maximumSpeed.flatMap({ Double($0) })
    {
      segment = try? Segment(
        name: node.segment ?? "the segment", distanceKilometres: distance,
        minimumKilometresPerHour: minimum, maximumKilometresPerHour: maximum)
    }
    ownPost = node.checkpost.flatMap { try? CheckpostCode($0) }
    oppositePost = node.oppositePost.flatMap { try? CheckpostCode($0) }
    takesTextsOfAnyone = node.oppositeNumbers.contains("any")
    oppositeNumbers = node.oppositeNumbers.filter { $0 != "any" }
  }
}
