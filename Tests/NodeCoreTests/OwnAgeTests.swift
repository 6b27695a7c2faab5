import NodeCore
import Passages
import Testing
import Time

/// What a passage is worth as a text is looked at once more before it leaves, by what is known then.
@Suite struct OwnAgeTests {
  private static let hour = Duration.seconds(3_600)
  private static let day = hour * 24

  private let right = WallTime(epochSeconds: 1_800_000_000)
  private let since = BootInstant.seconds(10_000)
  private let now = BootInstant.seconds(10_600)

  /// The age of a passage that was recorded ten minutes ago, in another start of the machine if `start` is
  /// later than that.
  private func age(
    own: Duration, clock: Duration, start: BootInstant = .seconds(9_000)
  ) -> Duration? {
    PassageTimes(recordedAt: right + own, createdAt: right + clock).ownAge(
      since: since, start: start,
      by: KnownTime(.network, right + .seconds(600), at: now), farOff: .seconds(120), at: now)
  }

  @Test func aClockThatWasRightTellsNothingNew() {
    for off in [-120, 0, 120].map({ Duration.seconds($0) }) {
      #expect(age(own: OwnAgeTests.day * -5, clock: off) == nil)
    }
  }

  @Test func aClockThatWasFarOffIsLookedThrough() {
    let day = OwnAgeTests.day
    #expect(age(own: day * -5, clock: day * -5) == day * 5 + .seconds(600))
    #expect(age(own: day * 900, clock: day * 900) == .seconds(600) - day * 900)
    // Another clock dated it, which was right.
    #expect(age(own: .zero, clock: day * 900) == .seconds(600))
  }

  /// How long the machine was without power nobody knows: it may have been that long ago.
  @Test func ofAnEarlierStartOnlyAClockThatWasAheadIsKnown() {
    let day = OwnAgeTests.day
    #expect(age(own: day * 900, clock: day * 900, start: since) == .seconds(600) - day * 900)
    #expect(age(own: day * -5, clock: day * -5, start: since) == nil)
  }

  // What follows from it.

  private func due(_ ownAge: Duration?, to recipient: TextRecipient = .centre) throws -> DueText {
    var due = DueText(
      queueID: 7, clientID: try #require(ClientID("00000000-0000-4000-8000-000000000007")),
      body: "V1", since: since, status: .pending)
    due.ownAge = ownAge
    due.recipient = recipient
    return due
  }

  private func effects(of due: DueText) -> [NodeEffect] {
    var rules = NodeRules.testing
    rules.oppositeNumber = "+9779811111111"
    var core = NodeCore(rules: rules, seed: 1)
    _ = core.handle(.started(StartFacts(nextTextID: 1, charges: [])), at: .seconds(1_000))
    _ = core.handle(.modemChanged(ModemID(0), canSend: true, reason: ""), at: .seconds(1_000))
    return core.handle(.chosen(DueAnswer(text: due, nextDue: nil)), at: now)
  }

  @Test func oneThatIsTooOldIsNotPaidFor() throws {
    let age = OwnAgeTests.hour * 72
    let effects = effects(of: try due(age))
    #expect(effects.sent.isEmpty)
    #expect(effects.contains(.write(.outdated(queueID: 7))))
    #expect(effects.facts == [.passageOutdated(try due(nil).clientID, age: age)])
    let young = self.effects(of: try due(age - .seconds(3_600))).sent
    #expect(young.map(\.worthFor) == [.seconds(3_600)])
  }

  @Test func oneThatIsDatedFarAheadIsSetAside() throws {
    let effects = effects(of: try due(OwnAgeTests.hour * -72 - .seconds(1)))
    #expect(effects.sent.isEmpty)
    let reason =
      "its time is 72 h ahead of the mobile network's: the clock that dated it was wrong"
    #expect(effects.contains(.write(.park(queueID: 7, recipient: .centre, reason: reason))))
    #expect(effects.facts == [.passageParked(try due(nil).clientID, reason: reason)])
    #expect(effects.contains(.chooseDue), "the next one is looked at")
  }

  @Test func oneThatIsDatedAheadWaitsForItsTime() throws {
    let ahead = OwnAgeTests.hour * 6
    let effects = effects(of: try due(.zero - ahead))
    #expect(effects.sent.isEmpty && effects.facts.isEmpty)
    #expect(effects.contains(.write(.putOff(queueID: 7, until: now + ahead))))
    #expect(self.effects(of: try due(.zero)).sent.count == 1)
  }

  /// What was known when it was recorded is not looked at where more is known.
  @Test func aClockThatWasWrongMakesNothingOld() throws {
    var due = try due(.seconds(600))
    due.worthSince = since - OwnAgeTests.day * 900
    #expect(effects(of: due).sent.count == 1)
  }

  @Test func whoAsksForItHasItTextedAllTheSame() throws {
    for age in [OwnAgeTests.day * 5, OwnAgeTests.day * -900, OwnAgeTests.hour * -6] {
      var due = try due(age)
      due.worthSince = since + .seconds(500)
      #expect(effects(of: due).sent.map(\.worthFor) == [OwnAgeTests.hour * 72 - .seconds(100)])
    }
  }

  @Test func theOppositePostIsNotToldEither() throws {
    let late = effects(of: try due(OwnAgeTests.day * 5, to: .opposite))
    #expect(late.sent.isEmpty && late.facts.isEmpty)
    #expect(late.contains(.write(.outdated(queueID: 7, recipient: .opposite))))
    let never = effects(of: try due(OwnAgeTests.day * -900, to: .opposite))
    #expect(never.sent.isEmpty && never.facts.isEmpty)
    #expect(
      never.contains { effect in
        if case .write(.park(queueID: 7, recipient: .opposite, _)) = effect { true } else { false }
      })
    let ahead = effects(of: try due(OwnAgeTests.hour * -6, to: .opposite))
    #expect(
      ahead.contains(
        .write(.putOff(queueID: 7, recipient: .opposite, until: now + OwnAgeTests.hour * 6))))
  }
}
