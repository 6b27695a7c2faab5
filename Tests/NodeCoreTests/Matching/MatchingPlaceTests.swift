import NodeCore
import Passages
import Testing
import Time

/// Where the segment and its ends are known from.
struct MatchingPlaceTests {
  func directory(distance: Double = 45) -> PostDirectory {
    PostDirectory(
      profile: ServerProfile(
        userID: "u", fullName: "Sita", role: "ranger", isActive: true,
        post: ServerPost(id: "p", code: "BNP-B", name: "South", position: 1),
        segment: ServerSegment(
          id: "s", name: "Banke", distanceKilometres: distance, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 40)),
      opposite: ServerPost(id: "q", code: "BNP-A", name: "North", position: 0))
  }

  func rules() throws -> MatchingRules {
    var rules = MatchingRules()
    rules.segment = try matchingPlace().segment
    rules.ownPost = try CheckpostCode("X-1")
    rules.oppositePost = try CheckpostCode("X-2")
    return rules
  }

  @Test func theServerIsAskedFirst() throws {
    let place = try #require(MatchingPlace(directory(), rules: try rules()))
    #expect(place.segment.name == "Banke")
    #expect(place.ownPost?.code == "BNP-B")
    #expect(place.oppositePost?.code == "BNP-A")
    #expect(place.slowestTravel == .seconds(16_200))
  }

  @Test func theConfigurationFillsIn() throws {
    let place = try #require(MatchingPlace(nil, rules: try rules()))
    #expect(place.segment.name == "Banepa")
    #expect(place.ownPost?.code == "X-1")
    #expect(place.oppositePost?.code == "X-2")
    let wrong = try #require(MatchingPlace(directory(distance: 0), rules: try rules()))
    #expect(wrong.segment.name == "Banepa", "a segment that cannot be judged by is none")
  }

  @Test func withoutASegmentThereIsNoPlace() {
    #expect(MatchingPlace(nil, rules: MatchingRules()) == nil)
    #expect(MatchingPlace(directory(distance: 0), rules: MatchingRules()) == nil)
  }
}
