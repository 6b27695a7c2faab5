import GSM
import NodeCore
import NodeSQLite
import Passages
import Testing
import Time

@Suite struct UrgencyTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  private func record(_ number: Int64, priority: Int) throws {
    _ = try bench.store.record(
      [RecordRequest(samplePassage(number), priority: priority)], at: bench.moment)
  }

  @Test func theMostUrgentIsChosenAndOfEqualsTheOldest() throws {
    for (number, priority) in [(1, 1), (2, 2), (3, 0), (4, 2)] {
      try record(Int64(number), priority: priority)
    }
    bench.pass(.seconds(301))
    var order: [Int64] = []
    for id in 1...4 as ClosedRange<TextID> {
      let due = try #require(try bench.choose().text)
      order.append(due.queueID)
      try bench.begin(due.queueID, text: id)
    }
    #expect(order == [2, 4, 1, 3])
    #expect(try bench.item(2).priority == 2)
  }

  @Test func aNumberThatDidNotDeliverIsRememberedForItsPassage() throws {
    try record(1, priority: 1)
    bench.pass(.seconds(301))
    try bench.begin(1, text: 1)
    try bench.end(
      1, .refused(Refusal(code: "CMS 1", words: "unassigned number", kind: .destination)),
      .againAfterRefusal(at: bench.moment.boot))
    try bench.reopen()
    #expect(try bench.choose().text?.refusedBy == ["+9779800000000"])
  }

  @Test func whatIsTooOldStaysInTheQueueAndMayBeAskedForAgain() throws {
    try record(1, priority: 1)
    bench.pass(.seconds(301))
    try bench.apply([.outdated(queueID: 1)])
    let item = try bench.item(1)
    #expect(item.isOutdated)
    #expect(item.status == .pending)
    #expect(try bench.choose().text == nil)
    #expect(try bench.store.retry(1, at: bench.moment) == .retried)
    let due = try #require(try bench.choose().text)
    #expect(due.worthSince == bench.moment.boot)
    #expect(try bench.item(1).isOutdated == false)
  }

  @Test func whatATextCostsIsKeptUnderTheNameOfItsModem() throws {
    let intents = [("one", 0, 2), ("two", 1, 1), ("gone", 2, 1)]
    for (id, intent) in intents.enumerated() {
      try bench.apply([
        .intent(
          TextIntent(
            id: TextID(id + 1), queueID: nil, modem: ModemID(intent.1), to: "1", body: "b",
            modemName: intent.0, parts: intent.2))
      ])
    }
    try bench.reopen()
    bench.pass(.seconds(29 * 86_400))
    var rules = NodeRules()
    // The order has changed, and one is no longer there.
    rules.modems = [NodeModem(name: "two"), NodeModem(name: "one")]
    let facts = try bench.store.recover(rules: rules, at: bench.moment)
    #expect(facts.charges.map(\.modem) == [ModemID(1), ModemID(1), ModemID(0)])
    bench.pass(.seconds(2 * 86_400))
    #expect(try bench.store.recover(rules: rules, at: bench.moment).charges.isEmpty)
  }
}
