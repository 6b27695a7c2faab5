import NodeCore
import Passages
import Settings
import Testing

@testable import Host

/// What the settings say of warning on the spot.
struct MatchingSettingsTests {
  @Test func theSegmentStandsInThreeSettings() throws {
    var settings = Settings()
    #expect(MatchingRules(settings).segment == nil)
    settings.node.segment = "Banke"
    settings.node.segmentDistance = "45"
    settings.node.minimumSpeed = "10"
    #expect(MatchingRules(settings).segment == nil)
    settings.node.maximumSpeed = "40.5"
    let segment = try #require(MatchingRules(settings).segment)
    #expect(segment.name == "Banke")
    #expect(segment.distanceMetres == 45_000)
    #expect(segment.minimumMetresPerHour == 10_000)
    #expect(segment.maximumMetresPerHour == 40_500)
  }

  @Test func thePostsAndTheNumbersAreTakenOver() throws {
    var settings = Settings()
    settings.node.checkpost = "BNP-B"
    settings.node.oppositePost = "BNP-A"
    settings.node.oppositeNumbers = ["+9779841114567"]
    var rules = MatchingRules(settings)
    #expect(rules.ownPost == (try CheckpostCode("BNP-B")))
    #expect(rules.oppositePost == (try CheckpostCode("BNP-A")))
    #expect(rules.oppositeNumbers == ["+9779841114567"])
    #expect(!rules.takesTextsOfAnyone)
    settings.node.oppositeNumbers = ["any"]
    rules = MatchingRules(settings)
    #expect(rules.takesTextsOfAnyone)
    #expect(rules.oppositeNumbers.isEmpty)
  }
}
