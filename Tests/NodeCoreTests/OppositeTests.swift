import GSM
import NodeCore
import Passages
import Testing
import Time

/// The opposite post gets a passage as a text, after the centre and at its own price.
@Suite struct OppositeTests {
  private func core(_ rules: NodeRules) -> NodeCore {
    var core = NodeCore(rules: rules, seed: 1)
    _ = core.handle(.started(StartFacts(nextTextID: 1, charges: [])), at: .seconds(1_000))
    let ready = NodeEvent.modemChanged(ModemID(0), canSend: true, reason: "")
    #expect(core.handle(ready, at: .seconds(1_000)).contains(.chooseDue))
    return core
  }

  private var rules: NodeRules {
    var rules = NodeRules.testing
    rules.oppositeNumber = "+9779811111111"
    return rules
  }

  private func due(since: BootInstant = .seconds(1_000)) throws -> DueText {
    var due = DueText(
      queueID: 7, clientID: try #require(ClientID("00000000-0000-4000-8000-000000000007")),
      body: "V1", since: since, status: .pending)
    due.recipient = .opposite
    return due
  }

  private func answer(
    _ core: inout NodeCore, _ due: DueText, at now: BootInstant
  ) -> [NodeEffect] {
    return core.handle(.chosen(DueAnswer(text: due, nextDue: nil)), at: now)
  }

  private let late = BootInstant.seconds(1_301)

  @Test func itGoesToTheNumberOfThatPost() throws {
    var core = core(rules)
    let sent = answer(&core, try due(), at: late).sent
    #expect(sent.map(\.to) == ["+9779811111111"])
    #expect(sent.first?.recipient == .opposite)
    #expect(sent.first?.queueID == 7)
  }

  @Test func withoutANumberItIsLetGo() throws {
    var core = core(.testing)
    let effects = answer(&core, try due(), at: late)
    #expect(effects.contains(.write(.putOff(queueID: 7, recipient: .opposite, until: nil))))
    #expect(effects.sent.isEmpty)
  }

  @Test func theBudgetsReserveIsTheCentres() throws {
    var poor = rules
    poor.textsPerDay = 5
    var core = core(poor)
    let effects = answer(&core, try due(), at: late)
    #expect(effects.contains(.write(.putOff(queueID: 7, recipient: .opposite, until: nil))))
    #expect(effects.sent.isEmpty)
  }

  @Test func aVehicleThatHasLongPassedIsNotTold() throws {
    var core = core(rules)
    let effects = answer(&core, try due(), at: .seconds(1_000 + 5 * 3_600))
    #expect(effects.contains(.write(.outdated(queueID: 7, recipient: .opposite))))
    #expect(effects.sent.isEmpty)
  }

  @Test func itWaitsForTheEndOfQuietHours() throws {
    var core = core(rules)
    core.setQuiet(until: .seconds(2_000))
    let effects = answer(&core, try due(), at: late)
    #expect(
      effects.contains(.write(.putOff(queueID: 7, recipient: .opposite, until: .seconds(2_000)))))
    #expect(effects.sent.isEmpty)
  }

  @Test func itsRefusalParksNoPassage() throws {
    var core = core(rules)
    let sent = try #require(answer(&core, try due(), at: late).sent.first)
    let refusal = Refusal(code: "CMS 21", words: "rejected", kind: .permanent)
    let effects = core.handle(.textFinished(sent.id, .refused(refusal)), at: late)
    #expect(
      !effects.facts.contains { if case .passageParked = $0 { true } else { false } })
  }
}
