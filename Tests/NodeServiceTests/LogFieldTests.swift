import Events
import GSM
import JSON
import Log
import NodeCore
import Passages
import Testing
import Time

@testable import NodeService

/// What the log says of a node: in words that fit a terminal, and in fields for machines.
@Suite struct LogFieldTests {
  private let moment = Moment(boot: .seconds(1_000), wall: WallTime(epochSeconds: 1_795_271_531))
  private let number = "+9779801234567"

  private func messages(modems: [String] = ["huawei", "roof"]) -> NodeLogMessages {
    var rules = NodeRules()
    rules.gateways = [number]
    rules.modems = modems.map { NodeModem(name: $0) }
    return NodeLogMessages(settings: NodeMachine.Settings(rules: rules), moment: moment)
  }

  private func object(
    _ fact: NodeFact, modems: [String] = ["huawei", "roof"]
  ) -> [String: JSONValue] {
    LogRecord(messages(modems: modems).event(for: fact, waiting: nil), mask: .short).object
  }

  private var text: TextAbout {
    var text = TextAbout(17)
    text.client = ClientID("7b0c3f0e-0b5e-4f0e-9a53-3a5a0a4b1c2d")
    text.modem = ModemID(1)
    text.to = number
    text.attempt = 2
    return text
  }

  private let refusal = Refusal(code: "CMS 38", words: "network out of order", kind: .soon)

  @Test func aRefusalTellsNumberAttemptCodeAndModem() {
    let object = object(.textRefused(text, refusal, next: .seconds(1_069)))
    #expect(object["to"] == "••67" && object["attempt"] == 2 && object["text_id"] == 17)
    #expect(object["code"] == "CMS 38" && object["reason"] == "network out of order")
    #expect(object["error_class"] == "soon" && object["modem"] == "roof")
    #expect(object["subject"] == "roof")
    #expect(object["next_at"] == "2026-11-21T14:33:20Z")
    let line = LogLine(clock: .utc).text(
      LogRecord(
        messages().event(for: .textRefused(text, refusal, next: .seconds(1_069)), waiting: 3),
        mask: .short))
    #expect(
      line.hasSuffix(
        "CMS 38 network out of order, to ••67, attempt 2, next try 14:33:20, 3 waiting"), "\(line)")
    #expect(!line.contains("980123"))
  }

  @Test func aSingleModemIsNamedInItsFieldAlone() {
    let object = object(.textAccepted(text, references: [7, 8]), modems: [])
    #expect(object["subject"] == nil && object["modem"] == "modem")
    #expect(object["references"] == [7, 8])
  }

  @Test func whatPeopleReadMachinesFindInFields() {
    let use = BudgetUse(window: .hour, used: 3, limit: 3)
    let budget = object(.budgetExhausted(ModemID(0), use, until: .seconds(1_060)))
    #expect(budget["window"] == "hour" && budget["used"] == 3 && budget["limit"] == 3)
    #expect(budget["modem"] == "huawei" && budget["next"] == "next text")
    #expect(object(.modemNotReady(ModemID(0), reason: "no SIM"))["reason"] == "no SIM")
    let manual = ManualText(requestID: 1, to: number, body: "hello", modem: ModemID(1))
    for fact in [
      NodeFact.manualTextWaits(manual, reason: "no SIM"), .manualTextWithdrawn(manual),
      .manualTextRefused(manual, reason: "no SIM"),
    ] {
      let object = object(fact)
      #expect(object["to"] == "••67" && object["modem"] == "roof", "\(fact)")
    }
    let held = NodeFact.sendingHeld(
      ModemID(0), until: .seconds(1_060), reason: "CMS 38", needsOperator: true)
    #expect(object(held)["needs_operator"] == true && object(held)["reason"] == "CMS 38")
  }

  @Test func whoSentATextIsTold() {
    let entry = InboxEntry(
      pdu: "00", modem: "roof", content: .text(sender: "+9779811111111", text: "hello"))
    var event = messages().event(received: entry, textID: nil, resolved: false)
    #expect(event["from"] == .phone("+9779811111111") && event.modem == "roof")
    #expect(event.subject == "roof" && !event.words.contains("98"))
    let named = InboxEntry(pdu: "01", content: .text(sender: "NTC", text: "hello"))
    event = messages(modems: []).event(received: named, textID: nil, resolved: false)
    #expect(event["from"] == .text("NTC"))
  }

  /// Everything that a node tells, with reasons as long as they come.
  private var all: [Event] {
    let reason = "registration denied by the network"
    let use = BudgetUse(window: .month, used: 3_000, limit: 3_000)
    let client = ClientID("7b0c3f0e-0b5e-4f0e-9a53-3a5a0a4b1c2d")
    let later = BootInstant.seconds(5_000)
    let modem = ModemID(0)
    let manual = ManualText(requestID: 1, to: number, body: "hello", modem: modem)
    var facts: [NodeFact] = [
      .started(StartFacts(nextTextID: 1, charges: [], inFlight: 100, intents: 10)),
      .connectivityChanged(.unknown), .connectivityChanged(.online),
      .connectivityChanged(.offline(.noServer)), .connectivityChanged(.impaired(.credential)),
      .connectivityChanged(.offline(.outage(.noLink, words: "no network link"))),
      .connectivityChanged(.offline(.outage(.captivePortal, words: reason))), .modemReady(modem),
      .modemNotReady(modem, reason: reason), .textIntended(text),
      .textAccepted(text, references: [254, 255]), .textRefused(text, refusal, next: later),
      .textNotSent(text, reason: reason, next: later),
      .textUnknown(text, reason: reason, next: nil),
      .textUnknown(text, reason: reason, next: later),
      .sendingHeld(modem, until: later, reason: "CMS 38 \(refusal.words)", needsOperator: true),
      .gatewayRests(index: 0, number: number, until: later, reason: "CMS 1 unassigned number"),
      .recipientRests(
        .number(number), number: number, until: later, reason: "CMS 1 unassigned number"),
      .recipientRests(.opposite, number: number, until: later, reason: "CMS 1 unassigned number"),
      .noCreditSuspected(modem, reason: "CMS 21 transfer rejected"), .budgetsSet(NodeRules()),
      .budgetNearlyUsed(modem, use), .budgetExhausted(modem, use, until: later),
      .storageWorks(after: .seconds(86_400)), .manualTextWaits(manual, reason: reason),
      .manualTextWithdrawn(manual), .manualTextRefused(manual, reason: reason),
    ]
    if let client {
      facts += [
        .passageParked(client, reason: "CMS 21 transfer rejected"),
        .passageOutdated(client, age: .seconds(86_400)),
      ]
    }
    let words = messages()
    return facts.map { words.event(for: $0, waiting: $0.tellsWaiting ? 100 : nil) } + [
      words.neverLeft(TextThatNeverLeft(textID: 1_000, before: 254, after: 0)),
      words.reportsGivenUp(12), words.wholeText(parts: 3), words.partsGivenUp(1),
      words.withoutReport(1_000, after: .seconds(86_400)), words.reportsGivenUp(1),
    ]
  }

  @Test func nothingIsCutAtEightyColumns() throws {
    let line = LogLine(ConsoleLook { 80 }, clock: .utc)
    #expect(all.count > 30)
    for event in all {
      var record = LogRecord(event, mask: .short)
      // As wide as a plate is under the key of an installation.
      if event.clientID != nil { record.fields["plate"] = "plate#1f9c03aa" }
      let text = line.text(record)
      #expect(!text.contains("…"), "\(text)")
      #expect(text.split(separator: "\n").count <= 2, "\(text)")
    }
  }

  @Test func whatANumberBesideTheCentreDidNotGetIsNotAskedForAgain() {
    var rules = NodeRules()
    rules.gateways = [number]
    rules.oppositeNumber = "+9779811111111"
    rules.recipients = ["+9779822222222"]
    let messages = NodeLogMessages(settings: NodeMachine.Settings(rules: rules), moment: moment)
    func advises(_ recipient: String) -> Bool {
      let report = StatusReport(reference: 5, recipient: recipient, delivery: .failed, status: 0x46)
      return messages.event(MatchedReport(textID: 17, report: report, resolved: false))
        .words.contains("queue retry")
    }
    #expect(advises(number) && advises("9801234567"))
    #expect(!advises("+9779811111111") && !advises("9822222222"))
  }
}
