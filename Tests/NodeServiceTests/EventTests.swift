import Events
import GSM
import JSON
import Log
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Testing
import Time

/// What a node tells, as the service's log writes it.
@Suite struct EventTests {
  /// The events of a passage that is refused, goes, and is reported on, and of what else comes in.
  private func events() throws -> [Event] {
    let bench = try Bench()
    var events = try bench.start().events
    events += try bench.handle(.record(requestID: 1, [try sample(1)])).events
    var outputs = try bench.pass(.seconds(301))
    events += outputs.events
    let first = try #require(outputs.texts.first)
    events += try bench.handle(.outcome(first.id, .networkOutOfOrder)).events
    outputs = try bench.passUntilText(within: .seconds(3_600))
    events += outputs.events
    let second = try #require(outputs.texts.first)
    events += try bench.handle(.outcome(second.id, .accepted(references: [17]))).events
    events += try bench.handle(.received(try report(reference: 17, status: 0x46), token: 1)).events
    events += try bench.handle(.received(try report(reference: 18, status: 0), token: 2)).events
    events += try bench.handle(.received(try deliver("call +9779841000001"), token: 3)).events
    events += try bench.handle(.received("0791", token: 4)).events
    return events
  }

  @Test func everyStepIsToldByName() throws {
    #expect(
      try events().map(\.name) == [
        "node_started", "budget", "offline", "modem_ready", "passage_recorded", "text_begun",
        "text_refused", "sending_held", "sending_resumed", "text_begun", "text_accepted",
        "text_undelivered", "report_unmatched", "text_received", "text_undecodable",
      ])
  }

  @Test func platesNumbersAndTextsAreMasked() throws {
    let body = try sample(1).passage.v1Body
    for event in try events() {
      let line = LogRecord(event, mask: .short).json
      for secret in ["BA1PA0001", "800000000", "841000001", body, "V1|"] {
        #expect(!line.contains(secret), "\(line)")
      }
    }
  }

  @Test func thePlateIsAFieldOfItsOwn() throws {
    let accepted = try #require(try events().first { $0.name == "text_accepted" })
    let record = LogRecord(accepted, mask: .short)
    #expect(record.fields["plate"]?.text == "BA••")
    #expect(record.fields["text_id"]?.integer == 2)
    #expect(record.level == .info)
    #expect(record.time == accepted.time)
    #expect(record.waiting == 0)
  }

  // The identity is a hash of the plate, the post, the type and the second: whoever has the log knows
  // the last three, and finds the plate by trying all there are.
  @Test func theIdentityIsMaskedAsThePlateIs() throws {
    let client = try sample(1).passage.clientID.description
    for event in try events() where event.clientID != nil {
      let masked = LogRecord(event, mask: .short)
      for part in client.split(separator: "-") {
        #expect(!masked.json.contains(part), "\(masked.json)")
      }
      #expect(masked.fields["client_id"]?.text?.isEmpty == false)
      let whole = LogRecord(event, mask: .whole)
      #expect(whole.fields["client_id"]?.text == client)
    }
  }

  // Whoever asks for a plate's story sees it to its end.
  @Test func whatBecomesOfATextNamesItsPassage() throws {
    let events = try events().filter { $0.textID != nil }
    #expect(events.contains { $0.name == "text_begun" })
    #expect(events.contains { $0.name == "text_undelivered" })
    let client = try sample(1).passage.clientID
    for event in events {
      #expect(event.clientID == client, "\(event.name)")
      #expect(event.plate == "BA1PA0001", "\(event.name)")
    }
  }

  // Own ones are told when they are recorded, those of other processes when they are found.
  @Test func eachPassageIsToldOnceWhoeverRecordedIt() throws {
    let bench = try Bench()
    try bench.start()
    let other = try bench.another()
    defer { try? other.close() }
    var told: [ClientID] = []
    var wanted: [ClientID] = []
    for number in 1...8 as ClosedRange<Int64> {
      let request = try sample(number)
      wanted.append(request.passage.clientID)
      let outputs: [NodeOutput]
      if number % 3 == 0 {
        let moment = Moment(
          boot: .seconds(1_000 + number), wall: WallTime(epochSeconds: 1_800_000_000))
        _ = try other.record([request], at: moment)
        outputs = try bench.handle(.woke)
      } else {
        outputs = try bench.handle(.record(requestID: number, [request]))
      }
      told += outputs.events.filter { $0.name == "passage_recorded" }.compactMap(\.clientID)
    }
    #expect(told == wanted)
  }

  @Test func aPassageSaysFromWhenOnItIsTexted() throws {
    let recorded = try #require(try events().first { $0.name == "passage_recorded" })
    let time = try #require(recorded.time)
    #expect(recorded.next == NextStep("texted from", at: time + .seconds(300)))
    var rules = NodeRules()
    let moment = Moment(boot: .seconds(1_000), wall: time)
    let passage = try sample(1).passage
    #expect(Event.recorded(passage, at: moment, rules).next == nil, "no number to text to")
    rules.gateways = ["+9779800000000"]
    rules.hasServer = true
    #expect(
      Event.recorded(passage, at: moment, rules).next?.words
        == "unless the server answers, texted from")
  }

  @Test func anUnknownOutcomeSaysHowManyWait() throws {
    let bench = try Bench()
    try bench.start()
    let (_, text) = try bench.recordDue(1)
    let events = try bench.handle(.outcome(text.id, .unknown(reason: "no answer"))).events
    #expect(events.first { $0.name == "text_unknown" }?.waiting == 0)
  }

  @Test(arguments: LogLevel.allCases)
  func levelsKeepTheirNames(level: LogLevel) {
    let event = Event(
      "made_up", level, at: WallTime(epochSeconds: 1_800_000_000), words: "words",
      next: NextStep("next try", at: WallTime(epochSeconds: 1_800_000_060)))
    let record = LogRecord(event, mask: .short)
    #expect(record.level.rawValue == level.rawValue)
    #expect(record.next?.words == "next try")
    #expect(record.next?.at == WallTime(epochSeconds: 1_800_000_060))
  }
}
