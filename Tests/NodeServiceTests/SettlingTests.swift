import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Testing
import Time

/// Texts with an unknown outcome that the references of the modem tell of.
@Suite struct SettlingTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.start()
  }

  /// The next text, whenever the pauses allow it.
  private func next(_ number: Int64) throws -> (queueID: Int64, text: OutgoingText) {
    let queueID = try bench.record(number)
    return (queueID, try #require(try bench.passUntilText(within: .seconds(9_000)).texts.first))
  }

  /// Texts that went, with references that count by `step`.
  private func history(_ count: Int64, from reference: UInt8, step: UInt8 = 1) throws {
    for number in 0..<count {
      let (_, text) = try next(100 + number)
      let mine = reference &+ UInt8(number) &* step
      try bench.handle(.outcome(text.id, .accepted(references: [mine])))
    }
  }

  @Test func whereReferencesRunOnWithoutAGapATextNeverLeft() throws {
    try history(10, from: 20)
    let (lost, text) = try next(1)
    try bench.handle(.outcome(text.id, .unknown(reason: "the modem restarted")))
    let (_, after) = try next(2)
    let outputs = try bench.handle(.outcome(after.id, .accepted(references: [30])))
    #expect(outputs.events.map(\.name).contains("text_never_left"))
    let words = outputs.events.first { $0.name == "text_never_left" }?.words ?? ""
    #expect(words.contains("without a gap"))
    #expect(try bench.outcomes(lost)[0] == "not_sent")
    // It is due again at once, with nobody asking.
    let again = outputs.texts + (try bench.passUntilText(within: .seconds(10)).texts)
    #expect(again.map(\.body) == [text.body])
  }

  @Test(arguments: [(0, 1), (10, 7), (7, 1)])
  func aModemOfWhichItIsNotKnownThatItCountsByOneTellsNothing(count: Int64, step: UInt8) throws {
    try history(count, from: 20, step: step)
    let (before, first) = try next(50)
    try bench.handle(.outcome(first.id, .accepted(references: [100])))
    let (lost, text) = try next(1)
    try bench.handle(.outcome(text.id, .unknown(reason: "the modem restarted")))
    let (_, after) = try next(2)
    try bench.handle(.outcome(after.id, .accepted(references: [101])))
    #expect(try bench.outcomes(lost) == ["unknown"])
    #expect(try bench.outcomes(before) == ["accepted"])
  }

  @Test func whereAReferenceIsMissingTheTextMayHaveLeft() throws {
    try history(10, from: 20)
    let (lost, text) = try next(1)
    try bench.handle(.outcome(text.id, .unknown(reason: "the modem restarted")))
    let (_, after) = try next(2)
    try bench.handle(.outcome(after.id, .accepted(references: [31])))
    #expect(try bench.outcomes(lost) == ["unknown"])
    let now = bench.wall.epochSeconds
    let outputs = try bench.handle(
      .received(try report(reference: 30, status: 0, taken: now), token: 1))
    #expect(outputs.events.map(\.name) == ["text_delivered"])
    #expect(outputs.events[0].words.contains("only text"))
  }

  @Test func whatAReportTellsOfOneTextLeavesNoRoomForAnother() throws {
    try history(10, from: 20)
    let (lost, text) = try next(1)
    try bench.handle(.outcome(text.id, .unknown(reason: "the modem restarted")))
    // An operator's own, to another number.
    let manual = ManualText(requestID: 9, to: "+9779841000001", body: "hello")
    let other = try #require(try bench.handle(.manualText(manual)).texts.first)
    try bench.handle(.outcome(other.id, .unknown(reason: "the modem restarted")))
    let (_, after) = try next(2)
    let accepted = try bench.handle(.outcome(after.id, .accepted(references: [31])))
    #expect(accepted.events.map(\.name) == ["text_accepted"])
    let now = bench.wall.epochSeconds
    let outputs = try bench.handle(
      .received(try report(reference: 30, status: 0, taken: now), token: 1))
    #expect(outputs.events.map(\.name) == ["text_delivered", "text_never_left"])
    #expect(outputs.events.map(\.textID) == [text.id, other.id])
    #expect(try bench.outcomes(lost) == ["accepted"])
  }

  // A counter that begins again may begin where the last one stood.
  @Test func aCountThatBeginsAgainTellsNothing() throws {
    try history(10, from: 247)
    let (lost, text) = try next(1)
    try bench.handle(.outcome(text.id, .unknown(reason: "the modem restarted")))
    let (_, after) = try next(2)
    try bench.handle(.outcome(after.id, .accepted(references: [1])))
    #expect(try bench.outcomes(lost) == ["unknown"])
  }

  @Test func aCandidateAboveTheHighestReferenceSinceIsNone() throws {
    try history(1, from: 10)
    let refused = SendOutcome.networkOutOfOrder
    let (first, text) = try next(1)
    try bench.handle(.outcome(text.id, refused))
    for _ in 0..<2 {
      let again = try #require(try bench.passUntilText(within: .seconds(9_000)).texts.first)
      try bench.handle(.outcome(again.id, refused))
    }
    let unknown = try #require(try bench.passUntilText(within: .seconds(9_000)).texts.first)
    try bench.handle(.outcome(unknown.id, .unknown(reason: "no answer")))
    let (_, between) = try next(2)
    try bench.handle(.outcome(between.id, .accepted(references: [11])))
    let (second, later) = try next(3)
    try bench.handle(.outcome(later.id, .unknown(reason: "no answer")))
    // 12 comes after 11, so it is not of the text that was begun before the one with 11.
    let now = bench.wall.epochSeconds
    let outputs = try bench.handle(
      .received(try report(reference: 12, status: 0, taken: now), token: 1))
    #expect(outputs.events.map(\.name) == ["text_delivered"])
    #expect(outputs.events[0].words.contains("references"))
    #expect(try bench.outcomes(second) == ["accepted"])
    #expect(try bench.outcomes(first).last == "unknown")
  }
}
