import NodeCore
import Passages
import Testing
import Time

/// What a text of the opposite post says, and whose word is taken.
struct RemoteTextTests {
  let now = WallTime(epochSeconds: morning + 60)

  func rules(_ numbers: [String], anyone: Bool = false) -> MatchingRules {
    var rules = MatchingRules()
    rules.oppositeNumbers = numbers
    rules.takesTextsOfAnyone = anyone
    return rules
  }

  func take(
    _ text: String? = nil, from sender: String = "+9779841114567", by rules: MatchingRules,
    at place: MatchingPlace? = nil, now: WallTime? = nil
  ) throws -> RemotePassage? {
    RemotePassage(
      text: try text ?? passage("BA1PA1234", "BNP-A", morning).v1Body, from: sender, rules: rules,
      place: try place ?? matchingPlace(), now: now ?? self.now)
  }

  @Test func aTextOfTheOppositePostIsAPassageThere() throws {
    let found = try #require(try take(by: rules(["09841114567"])))
    let same = try passage("BA1PA1234", "BNP-A", morning)
    #expect(found.clientID == same.clientID, "it is the same one when the server tells of it")
    #expect(found.recordedAt == same.recordedAt)
    #expect(found.plate == "BA1PA1234")
    #expect(found.origin == .text)
    #expect(found.serverID == nil)
  }

  @Test func theWordOfOthersIsNotTaken() throws {
    #expect(try take(by: rules([])) == nil)
    #expect(try take(by: rules(["+9779841114568"])) == nil)
    #expect(try take(from: "Ncell", by: rules(["+9779841114567"])) == nil)
    #expect(try take(from: "Ncell", by: rules(["Ncell"])) != nil)
    #expect(try take(by: rules([], anyone: true)) != nil)
  }

  /// Who may be anybody is believed about the opposite post alone, which has to be known for that.
  @Test func itHasToBeAboutTheOppositePost() throws {
    let own = try passage("BA1PA1234", "BNP-B", morning).v1Body
    #expect(try take(own, by: rules(["+9779841114567"])) == nil)
    let third = try passage("BA1PA1234", "BNP-C", morning).v1Body
    #expect(try take(third, by: rules(["+9779841114567"])) == nil)
    let unknown = try matchingPlace(oppositePost: nil)
    #expect(try take(third, by: rules(["+9779841114567"]), at: unknown) != nil)
    #expect(try take(third, by: rules([], anyone: true), at: unknown) == nil)
  }

  @Test func whatIsNoPassageIsNone() throws {
    #expect(try take("Your balance is 20.00", by: rules(["+9779841114567"])) == nil)
    #expect(try take("", by: rules([], anyone: true)) == nil)
  }

  @Test func aPassageFarAheadIsNotBelieved() throws {
    let body = try passage("BA1PA1234", "BNP-A", morning + 3_661).v1Body
    #expect(try take(body, by: rules(["+9779841114567"])) == nil)
    #expect(try take(body, by: rules(["+9779841114567"]), now: now + .seconds(1)) != nil)
    let unset = WallTime(epochSeconds: 100)
    #expect(try take(body, by: rules(["+9779841114567"]), now: unset) != nil)
  }
}
