import CentralCore
import Passages
import Testing
import Time

/// How many texts a number may send, and what becomes of those that are more.
struct IngressTests {
  private let stranger = "+9779812345678"

  private func bench(_ kind: StoreKind) throws -> Bench {
    let bench = try Bench(kind)
    bench.rules.ingressLimits.bound = .init(burst: 3, perMinute: 1)
    bench.rules.ingressLimits.others = .init(burst: 2, perMinute: 1)
    return bench
  }

  private func process(_ bench: Bench, _ rates: inout IngressRates?) throws -> [InboxItem.State] {
    let batch = try bench.store.process(rules: bench.rules, at: bench.wall, rates: &rates)
    return try batch.messages.compactMap { try bench.store.inboxItem($0.id)?.state }
  }

  @Test(arguments: StoreKind.all) func whatIsTooMuchWaitsForAnOperator(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    var rates: IngressRates? = IngressRates(bench.rules.ingressLimits)
    for index in 0..<5 { try bench.keep(text(index), id: "SM\(index)") }
    #expect(
      try process(bench, &rates)
        == [.decoded, .decoded, .decoded, .undecodable, .undecodable])
    #expect(try bench.store.inboxItem(4)?.reason == Reason.rate)
    // Somebody who only runs everything again lets no flood through.
    #expect(try bench.reprocess(4).map(\.id) == [4])
    #expect(try bench.store.inboxItem(4)?.state == .undecodable)
    #expect(try bench.store.inboxItem(4)?.reason == Reason.rate)
    let taken = try bench.store.reprocessAll(
      reason: Reason.rate, rules: bench.rules, waiving: .anyRate, at: bench.wall)
    #expect(taken.messages.map(\.id) == [4, 5])
    #expect(try bench.clientIDs().count == 5)
  }

  @Test(arguments: StoreKind.all) func numbersThatAreBoundToNothingShareWhatTheyMay(
    _ kind: StoreKind
  ) throws {
    let bench = try bench(kind)
    bench.rules.ingress = .open
    var rates: IngressRates? = IngressRates(bench.rules.ingressLimits)
    for index in 0..<4 {
      try bench.keep(text(index), id: "SM\(index)", from: "+97798\(index)0000000")
    }
    try bench.keep(text(5), id: "SM5")
    #expect(
      try process(bench, &rates)
        == [.decoded, .decoded, .undecodable, .undecodable, .decoded])
  }

  @Test(arguments: StoreKind.all) func aNewStartGivesNobodyANewBurst(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    var rates: IngressRates? = IngressRates(bench.rules.ingressLimits)
    for index in 0..<2 { try bench.keep(text(index), id: "SM\(index)") }
    try bench.keep("nonsense", id: "SM2", from: stranger)
    _ = try process(bench, &rates)
    try bench.reopen()
    let told = try bench.store.ingress(rules: bench.rules, at: bench.wall)
    rates = told.rates
    for index in 3..<5 { try bench.keep(text(index), id: "SM\(index)") }
    #expect(try process(bench, &rates) == [.decoded, .undecodable])
    // And who texted long ago may text all of it again.
    let later = bench.wall + .seconds(3_600)
    rates = try bench.store.ingress(rules: bench.rules, at: later).rates
    let message = InboundMessage(
      provider: "twilio", providerID: "later", from: "+9779841114567", text: text(9),
      receivedAt: later)
    _ = try bench.store.keep([message])
    #expect(try process(bench, &rates) == [.decoded])
    #expect(told.quarantine.count == 1)
    var limits = bench.rules.ingressLimits
    limits.refusedOfSender = 1
    #expect(told.quarantine.isFull(for: "9812345678", limits))
    #expect(!told.quarantine.isFull(for: "+9779841114567", limits))
    limits = IngressLimits()
    limits.refused = 1
    #expect(told.quarantine.isFull(for: "+9779841114567", limits))
  }
}
