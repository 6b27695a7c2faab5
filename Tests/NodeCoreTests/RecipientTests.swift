import GSM
import NodeCore
import Passages
import Testing
import Time

/// Further numbers get a passage as a text, after the centre, and keep nobody waiting.
@Suite struct RecipientTests {
  private let officer = "+9779822222222"
  private let office = "+9779833333333"
  private let centre = "+9779800000000"
  private let late = BootInstant.seconds(1_301)

  private var rules: NodeRules {
    var rules = NodeRules.testing
    rules.recipients = [officer, office]
    return rules
  }

  private func core(_ rules: NodeRules) -> NodeCore {
    var core = NodeCore(rules: rules, seed: 1)
    _ = core.handle(.started(StartFacts(nextTextID: 1, charges: [])), at: .seconds(1_000))
    let ready = NodeEvent.modemChanged(ModemID(0), canSend: true, reason: "")
    #expect(core.handle(ready, at: .seconds(1_000)).contains(.chooseDue))
    return core
  }

  private func due(
    _ queueID: Int64 = 7, to recipient: TextRecipient, refusals: Int = 0
  ) throws -> DueText {
    var due = DueText(
      queueID: queueID, clientID: try #require(clientID(queueID)), body: "V1",
      since: .seconds(1_000), status: .pending, refusals: refusals)
    due.recipient = recipient
    return due
  }

  private func answer(
    _ core: inout NodeCore, _ due: DueText, at now: BootInstant
  ) -> [NodeEffect] {
    core.handle(.chosen(DueAnswer(text: due, nextDue: nil)), at: now)
  }

  private func refusal(_ kind: ErrorClass) -> TextOutcome {
    .refused(Refusal(code: "CMS 1", words: "unassigned number", kind: kind))
  }

  private func rests(_ effects: [NodeEffect]) -> [NodeFact] {
    effects.facts.filter { if case .recipientRests = $0 { true } else { false } }
  }

  private func holds(_ effects: [NodeEffect]) -> [NodeFact] {
    effects.facts.filter { if case .sendingHeld = $0 { true } else { false } }
  }

  @Test func eachGoesToItsOwnNumberAndIsWorthWhatTheSettingsSay() throws {
    var rules = rules
    rules.worthFor = .seconds(20 * 3_600)
    var core = core(rules)
    // The opposite post's would be worth nothing any more.
    let now = BootInstant.seconds(1_000 + 6 * 3_600)
    let sent = try #require(answer(&core, try due(to: .number(office)), at: now).sent.first)
    #expect(sent.to == office)
    #expect(sent.recipient == .number(office))
    #expect(sent.worthFor == .seconds(14 * 3_600))
    _ = core.handle(.textFinished(sent.id, .accepted(references: [1])), at: now)
    let end = BootInstant.seconds(1_000 + 20 * 3_600)
    let effects = answer(&core, try due(to: .number(office)), at: end)
    #expect(effects.contains(.write(.outdated(queueID: 7, recipient: .number(office)))))
    #expect(effects.sent.isEmpty)
  }

  @Test func oneThatIsNoLongerNamedIsLetGo() throws {
    var core = core(.testing)
    let effects = answer(&core, try due(to: .number(officer)), at: late)
    #expect(
      effects.contains(.write(.putOff(queueID: 7, recipient: .number(officer), until: nil))))
    #expect(effects.sent.isEmpty)
  }

  @Test func quietHoursAndTheBudgetsReserveAreTheirsToo() throws {
    var core = core(rules)
    core.setQuiet(until: .seconds(2_000))
    let until = BootInstant.seconds(2_000)
    #expect(
      answer(&core, try due(to: .number(officer)), at: late).contains(
        .write(.putOff(queueID: 7, recipient: .number(officer), until: until))))
    var poor = rules
    poor.textsPerDay = 5
    var second = self.core(poor)
    let effects = answer(&second, try due(to: .number(officer)), at: late)
    #expect(
      effects.contains(.write(.putOff(queueID: 7, recipient: .number(officer), until: nil))))
    #expect(effects.sent.isEmpty)
  }

  /// Whatever the network says to a text to such a number, the modem is there for the centre at once.
  @Test(arguments: [
    ErrorClass.destination, .soon, .later, .alert, .storage, .permanent,
  ]) func aNumberThatRefusesHoldsNoModem(_ kind: ErrorClass) throws {
    var core = core(rules)
    var now = late
    for text in 1...6 as ClosedRange<TextID> {
      let offer = try due(Int64(text), to: text % 2 == 0 ? .number(officer) : .number(office))
      let sent = try #require(answer(&core, offer, at: now).sent.first, "\(text)")
      let effects = core.handle(.textFinished(sent.id, refusal(kind)), at: now)
      #expect(holds(effects).isEmpty)
      #expect(effects.contains(.chooseDue), "what is due next is looked for at once")
      let toCentre = answer(&core, try due(Int64(100 + text), to: .centre), at: now).sent
      #expect(toCentre.map(\.to) == [centre])
      _ = core.handle(
        .textFinished(try #require(toCentre.first).id, .accepted(references: [1])), at: now)
      now = now + .seconds(22_000)
      _ = core.handle(.timePassed, at: now)
    }
  }

  @Test func aNumberThatTheNetworkDoesNotKnowRestsLongerEachTimeAndTheOtherGoesOn() throws {
    var core = core(rules)
    var now = late
    var pauses: [Int64] = []
    for round in 1...6 as ClosedRange<Int64> {
      let sent = try #require(
        answer(&core, try due(round, to: .number(officer)), at: now).sent.first)
      let effects = core.handle(.textFinished(sent.id, refusal(.destination)), at: now)
      guard case .recipientRests(let who, let number, let until, _)? = rests(effects).first else {
        Issue.record("it does not rest")
        return
      }
      #expect(who == .number(officer))
      #expect(number == officer)
      pauses.append((until - now).wholeSeconds)
      #expect(
        effects.contains(
          .write(.outcome(sent.id, refusal(.destination), .againAfterRefusal(at: until)))))
      // Another passage for it waits as long; the other number gets both.
      #expect(
        answer(&core, try due(50, to: .number(officer)), at: now).contains(
          .write(.putOff(queueID: 50, recipient: .number(officer), until: until))))
      let other = try #require(answer(&core, try due(50, to: .number(office)), at: now).sent.first)
      #expect(other.to == office)
      _ = core.handle(.textFinished(other.id, .accepted(references: [1])), at: now)
      now = until
      _ = core.handle(.timePassed, at: now)
    }
    #expect(pauses == [60, 300, 900, 3_600, 21_600, 21_600])
  }

  @Test func oneFailureThatMayBeTheNetworksIsNotToldAndASecondIs() throws {
    var core = core(rules)
    let first = try #require(answer(&core, try due(to: .number(officer)), at: late).sent.first)
    #expect(rests(core.handle(.textFinished(first.id, refusal(.later)), at: late)).isEmpty)
    let now = late + .seconds(60)
    _ = core.handle(.timePassed, at: now)
    let second = try #require(answer(&core, try due(to: .number(officer)), at: now).sent.first)
    #expect(rests(core.handle(.textFinished(second.id, refusal(.later)), at: now)).count == 1)
    let later = now + .seconds(300)
    _ = core.handle(.timePassed, at: later)
    let third = try #require(answer(&core, try due(to: .number(officer)), at: later).sent.first)
    _ = core.handle(.textFinished(third.id, .accepted(references: [1])), at: later)
    let fourth = try #require(
      answer(&core, try due(8, to: .number(officer)), at: later).sent.first)
    #expect(rests(core.handle(.textFinished(fourth.id, refusal(.later)), at: later)).isEmpty)
  }

  @Test func whatANumberRefusesForGoodIsParkedThereAlone() throws {
    var core = core(rules)
    let sent = try #require(answer(&core, try due(to: .number(officer)), at: late).sent.first)
    let effects = core.handle(.textFinished(sent.id, refusal(.permanent)), at: late)
    #expect(
      effects.contains(
        .write(
          .outcome(sent.id, refusal(.permanent), .parked(reason: "CMS 1 unassigned number")))))
    #expect(!effects.facts.contains { if case .passageParked = $0 { true } else { false } })
    let parked = answer(&core, try due(8, to: .number(office), refusals: 8), at: late)
    #expect(
      parked.contains(
        .write(.park(queueID: 8, recipient: .number(office), reason: "refused 8 times"))))
    #expect(parked.sent.isEmpty)
    #expect(answer(&core, try due(8, to: .centre), at: late).sent.map(\.to) == [centre])
  }

  /// Texts that nobody knows of may be the modem's fault: it gets a moment, and never a longer one.
  @Test func silenceAfterSuchATextPausesTheModemForAMinuteAtMost() throws {
    var core = core(rules)
    var now = late
    for round in 1...5 as ClosedRange<Int64> {
      let sent = try #require(
        answer(&core, try due(round, to: .number(officer)), at: now).sent.first)
      let effects = core.handle(.textFinished(sent.id, .unknown(reason: "no answer")), at: now)
      guard case .sendingHeld(_, let until, _, let needsOperator)? = holds(effects).first else {
        Issue.record("the modem has no pause")
        return
      }
      #expect(until == now + .seconds(60))
      #expect(!needsOperator)
      now = now + .seconds(22_000)
      _ = core.handle(.timePassed, at: now)
    }
  }

  @Test func somebodyWhoAsksToTryNowEndsTheRest() throws {
    var core = core(rules)
    let sent = try #require(answer(&core, try due(to: .number(officer)), at: late).sent.first)
    _ = core.handle(.textFinished(sent.id, refusal(.destination)), at: late)
    _ = answer(&core, try due(to: .number(officer)), at: late)
    _ = core.handle(.retryNow, at: late)
    #expect(answer(&core, try due(to: .number(officer)), at: late).sent.map(\.to) == [officer])
  }

  @Test func eightAreTheMost() {
    var rules = NodeRules.testing
    rules.oppositeNumber = "+9779811111111"
    rules.recipients = (1...9).map { "+977982222222\($0)" }
    #expect(rules.others.count == 9)
    #expect(rules.others.first == .opposite)
    #expect(rules.others.last == .number("+9779822222228"))
  }

  @Test(arguments: [TextRecipient.centre, .opposite, .number("+9779822222222")])
  func aStoreKnowsItByItsName(_ recipient: TextRecipient) {
    #expect(TextRecipient(name: recipient.name) == recipient)
    #expect(TextRecipient(name: "somebody") == nil)
  }
}
