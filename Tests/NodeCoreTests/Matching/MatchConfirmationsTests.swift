import NodeCore
import Passages
import Testing
import Time

/// Pairs that the server is asked to confirm.
struct MatchConfirmationsTests {
  func travel(_ plate: String = "BA1PA1234", remoteID: String? = "r") throws -> SpotTravel {
    let place = try matchingPlace()
    let entry = try remote(plate, morning, serverID: remoteID)
    let out = try passage(plate, "BNP-B", morning + 600)
    return try #require(
      place.travel(of: out.clientID, in: VehicleHistory(remote: [entry], own: [out])))
  }

  @Test func aPairIsAskedAboutWhenTheServerHasBoth() throws {
    var confirmations = MatchConfirmations()
    let travel = try travel()
    confirmations.found(travel)
    #expect(confirmations.next() == nil)
    confirmations.learned(travel.exit.clientID, serverID: "o", isMatched: false)
    #expect(confirmations.isDue)
    #expect(confirmations.next() == .match(entry: "r", exit: "o"))
    #expect(confirmations.next() == nil, "one at a time")
    confirmations.answered(nil)
    #expect(!confirmations.isDue)
  }

  @Test func whatTheServerHasMatchedItselfIsNotAskedAbout() throws {
    var confirmations = MatchConfirmations()
    let travel = try travel()
    confirmations.found(travel)
    confirmations.learned(travel.exit.clientID, serverID: "o", isMatched: true)
    #expect(confirmations.next() == nil)
    confirmations.learned(travel.exit.clientID, serverID: "o", isMatched: false)
    #expect(confirmations.next() == nil)
  }

  /// An outage says nothing about the pair; a word of the server does.
  @Test func onlyAnAnswerAboutThePairEndsIt() throws {
    var confirmations = MatchConfirmations()
    let travel = try travel()
    confirmations.found(travel)
    confirmations.found(travel)
    confirmations.learned(travel.exit.clientID, serverID: "o", isMatched: false)
    for _ in 0..<5 {
      #expect(confirmations.next() == .match(entry: "r", exit: "o"))
      confirmations.answered(ServerFailure(.outage(.noAnswer), words: "no answer"))
    }
    #expect(confirmations.next() == nil, "the server matches by itself in the end")
    confirmations.found(travel)
    confirmations.learned(travel.exit.clientID, serverID: "o", isMatched: false)
    #expect(confirmations.next() != nil)
    confirmations.answered(ServerFailure(.rejected, status: 409, words: "matched already"))
    #expect(confirmations.next() == nil)
  }

  @Test func theNewestAreKept() throws {
    var confirmations = MatchConfirmations()
    for number in 0..<100 {
      let travel = try travel("BA1PA\(number)", remoteID: "r\(number)")
      confirmations.found(travel)
      confirmations.learned(travel.exit.clientID, serverID: "o\(number)", isMatched: false)
    }
    var asked = 0
    while confirmations.next() != nil {
      asked += 1
      confirmations.answered(nil)
    }
    #expect(asked == 64)
  }
}
