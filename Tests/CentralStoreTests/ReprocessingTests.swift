import CentralCore
import Passages
import Testing
import Time

/// What an operator has processed again, and what is left alone by that.
struct ReprocessingTests {
  private let stranger = "+9779812345678"

  @Test(arguments: StoreKind.all) func aRuleIsSetAsideForTheNamedTextAlone(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    try bench.receive(text(0), id: "SM1", from: stranger)
    try bench.keep(text(1), id: "SM2", from: stranger)
    #expect(try bench.reprocess(1, waiving: .anySender).map(\.id) == [1])
    #expect(try bench.store.inboxItem(1)?.state == .decoded)
    #expect(try bench.store.inboxItem(2)?.state == .received)
    try bench.process()
    #expect(try bench.store.inboxItem(2)?.reason == "sender")
  }

  @Test(arguments: StoreKind.all) func whatDoesNotWaitIsNotProcessed(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.receive(text(0), id: "SM1")
    try bench.keep(text(1), id: "SM2", from: stranger)
    for id in 1...3 as ClosedRange<Int64> {
      #expect(try bench.reprocess(id, waiving: .anySender).isEmpty)
    }
    #expect(try bench.clientIDs().count == 1)
  }

  @Test(arguments: StoreKind.all) func allOfOneReasonAreProcessed(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    for index in 0..<3 {
      try bench.receive(
        "V1|BNP-A|BA1PA\(1_234 + index)|CAR|\(1_609_120_000 + index)|4567", id: "SM\(index)")
    }
    try bench.receive(text(0), id: "SM3", from: stranger)
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1609120009|4567", id: "SM4", from: stranger)
    let page = try bench.store.reprocessAll(
      reason: Reason.time, rules: bench.rules, waiving: .anyTime, at: bench.wall)
    #expect(page.messages.map(\.id) == [1, 2, 3, 5])
    #expect(page.lastID == 5)
    #expect(try bench.clientIDs().count == 3)
    let left = try bench.store.inbox(state: .undecodable)
    #expect(left.map(\.reason) == ["sender", "sender"])
    let rest = try bench.store.reprocessAll(
      after: 5, reason: Reason.time, rules: bench.rules, waiving: .anyTime, at: bench.wall)
    #expect(rest == Reprocessed(messages: [], lastID: nil))
  }

  @Test(arguments: StoreKind.all) func allAreProcessedInPages(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let count = Limits.processedAtOnce + 1
    _ = try bench.store.keep(
      (0..<count).map { index in
        InboundMessage(
          provider: "twilio", providerID: "SM\(index)", from: stranger, text: text(index),
          receivedAt: bench.wall)
      })
    while try !bench.process().isEmpty {}
    bench.rules.ingress = .open
    let first = try bench.store.reprocessAll(rules: bench.rules, at: bench.wall)
    #expect(first.messages.count == Limits.processedAtOnce)
    let last = try #require(first.lastID)
    let second = try bench.store.reprocessAll(after: last, rules: bench.rules, at: bench.wall)
    #expect(second.messages.count == 1)
    #expect(try bench.store.overview().passages == count)
    #expect(try bench.store.overview().undecodable == 0)
  }
}
