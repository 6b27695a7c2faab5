import CentralCore
import Passages
import Testing
import Time

/// All that is known of a vehicle is found, and erased.
struct ErasureTests {
  private let now = WallTime(epochSeconds: judgedMorning + 300_000)

  /// Texts, one of them spelled otherwise and no passage, an upload, a correction from it and one to it, and
  /// vehicles beside it.
  private func fill(_ bench: Bench) throws {
    try bench.receive(text(0), id: "SM1")
    try bench.receive(text(0), id: "SM2")
    try bench.receive(text(1), id: "SM3")
    try bench.receive("entry of ba 1 pa 1234, no network", id: "SM4")
    try bench.receive("nonsense", id: "SM5")
    let misread = try sighting(100_000, plate: "BA1PA1284")
    try bench.store.take(
      [
        PassageArrival(try sighting(0, photo: "a.jpg")),
        PassageArrival(try sighting(3_000, "BNP-B")),
        PassageArrival(misread), PassageArrival(try sighting(103_000, "BNP-B", plate: "BA1PA1284")),
      ], at: now)
    var correction = ReceivedCorrection(of: misread.clientID, madeAt: now)
    correction.plate = try Plate("BA 1 PA 1234")
    try bench.store.take([PassageArrival(correction)], at: now)
  }

  @Test(arguments: StoreKind.all) func allOfItIsFound(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try fill(bench)
    let store = try #require(bench.store as? any KeepingStore)
    let known = try store.holdings(of: "BA1PA1234")
    #expect(known.passages.compactMap(\.passage).count == 4)
    #expect(known.messages.map(\.item.id) == [1, 2, 4])
    #expect(known.messages.map(\.providerID) == ["SM1", "SM2", "SM4"])
    #expect(known.photographs == ["a.jpg"])
    #expect(known.violations.isEmpty)
    #expect(try store.holdings(of: "BA9PA9") == VehicleHoldings())
  }

  @Test(arguments: StoreKind.all) func allOfItIsErasedAndNothingElse(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try fill(bench)
    let store = try #require(bench.store as? any KeepingStore)
    var order = ErasureOrder(plate: "BA1PA1234")
    order.isTrial = true
    let trial = try store.erase(order, rules: JudgingRules(), at: now)
    #expect(try bench.store.passages(PassageQuery()).count == 6)
    #expect(try store.holdings(of: "BA1PA1234").messages.count == 3)
    order.isTrial = false
    let erased = try store.erase(order, rules: JudgingRules(), at: now)
    #expect(erased == trial)
    #expect(erased.dropped.passages == 4)
    #expect(erased.dropped.messages == 3)
    #expect(erased.dropped.photographs == 1)
    #expect(erased.held == 0)
    #expect(try store.holdings(of: "BA1PA1234") == VehicleHoldings())
    let left = try bench.store.passages(PassageQuery()).map(\.passage.plate.compact)
    #expect(left.sorted() == ["BA1PA1235", "BA1PA1284"])
    #expect(try store.messages(after: 0, limit: 10).map(\.item.id) == [3, 5])
    #expect(try bench.store.rejudgeAll(everything: true, at: now).isEmpty)
    // A repetition is a new report.
    try bench.store.take([PassageArrival(try sighting(0))], at: now)
    #expect(try store.holdings(of: "BA1PA1234").passages.count == 1)
  }

  /// What was read as this vehicle and is another one goes as well, and that one is judged without it.
  @Test(arguments: StoreKind.all) func anotherVehicleIsJudgedAgain(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let misread = try sighting(0, plate: "BA1PA1234")
    try bench.store.take(
      [
        PassageArrival(misread),
        PassageArrival(try sighting(10, plate: "BA1PA1284", suffix: "9801")),
        PassageArrival(try sighting(900, "BNP-B", plate: "BA1PA1284")),
      ], at: now)
    var correction = ReceivedCorrection(of: misread.clientID, madeAt: now)
    correction.plate = try Plate("BA1PA1284")
    try bench.store.take([PassageArrival(correction)], at: now)
    let before = try bench.store.violations(ViolationQuery())
    #expect(before.count == 1)
    let store = try #require(bench.store as? any KeepingStore)
    var order = ErasureOrder(plate: "BA1PA1234")
    // It is the evidence of an open one of that vehicle.
    #expect(try store.erase(order, rules: JudgingRules(), at: now).held == 1)
    #expect(try bench.store.violations(ViolationQuery()) == before)
    order.takesOpenViolations = true
    let erased = try store.erase(order, rules: JudgingRules(), at: now)
    #expect(erased.dropped.passages == 1)
    #expect(try store.holdings(of: "BA1PA1234") == VehicleHoldings())
    let passages = try bench.store.passages(PassageQuery())
    #expect(passages.count == 2)
    #expect(passages.allSatisfy { $0.partner != nil })
    #expect(try bench.store.violations(ViolationQuery()).map(\.violation.finding.seconds) == [890])
    #expect(try bench.store.rejudgeAll(everything: true, at: now).isEmpty)
  }

  @Test(arguments: StoreKind.all) func openViolationsStayUnlessAskedFor(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.store.take(
      [
        sighting(0), sighting(900, "BNP-B"), sighting(100_000),
      ].map { PassageArrival($0) }, at: now)
    let store = try #require(bench.store as? any KeepingStore)
    var order = ErasureOrder(plate: "BA1PA1234")
    let erased = try store.erase(order, rules: JudgingRules(), at: now)
    #expect(erased.held == 1)
    #expect(erased.dropped.passages == 1)
    let known = try store.holdings(of: "BA1PA1234")
    #expect(known.violations.count == 1)
    #expect(known.passages.count == 2)
    order.takesOpenViolations = true
    #expect(try store.erase(order, rules: JudgingRules(), at: now).dropped.violations == 1)
    #expect(try store.holdings(of: "BA1PA1234") == VehicleHoldings())
  }
}
