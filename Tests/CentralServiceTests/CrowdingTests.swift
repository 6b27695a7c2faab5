import CentralCore
import CentralService
import Events
import GSM
import TestSupport
import Testing
import Time

/// A flood of what is no passage: it is kept up to its bound, and passages are whatever comes with them.
struct CrowdingTests {
  private func message(
    _ index: Int, _ body: String? = nil, from sender: String = "+9779801000001",
    after seconds: Int = 0
  ) -> InboundMessage {
    InboundMessage(
      provider: "twilio", providerID: "SM\(index)", from: sender, text: body ?? text(index),
      receivedAt: Bench.wall + .seconds(seconds))
  }

  private func bench() throws -> Bench {
    let bench = try Bench()
    bench.machine.rules.ingressLimits.refused = 6
    bench.machine.rules.ingressLimits.refusedOfSender = 4
    _ = try bench.machine.process(at: Bench.wall)
    return bench
  }

  @Test func nonsenseIsKeptUpToABoundAndPassagesWithoutOne() throws {
    let bench = try bench()
    let flood = (0..<5).map { message($0, "nonsense \($0)", from: "+9779812345678") }
    let receipts = try bench.machine.keep(flood + [message(10)])
    #expect(receipts == [.kept(1), .kept(2), .kept(3), .kept(4), .crowded, .kept(5)])
    _ = try bench.machine.process(at: Bench.wall)
    #expect(try bench.store.overview().undecodable == 4)
    #expect(try bench.store.overview().passages == 1)
    // Others have what is left of it, together.
    let others = (20..<24).map { message($0, "V1|no", from: "NAME \($0)") }
    #expect(try bench.machine.keep(others) == [.kept(6), .kept(7), .crowded, .crowded])
    _ = try bench.machine.process(at: Bench.wall)
    #expect(try bench.machine.keep([message(30), message(31, "V1|no")]) == [.kept(8), .crowded])
  }

  @Test func aNewStartAndAnOperatorWhoMadeRoomAreSeen() throws {
    let bench = try bench()
    _ = try bench.machine.keep((0..<4).map { message($0, text($0), from: "+9779812345678") })
    _ = try bench.machine.process(at: Bench.wall)
    let rules = bench.machine.rules
    bench.machine = CentralMachine(store: bench.store, rules: rules)
    _ = try bench.machine.process(at: Bench.wall)
    let more = message(9, text(9), from: "+9779812345678")
    #expect(try bench.machine.keep([more]) == [.crowded])
    for id in 1...4 as ClosedRange<Int64> {
      _ = try bench.store.reprocess(id, rules: rules, waiving: .anySender, at: Bench.wall)
    }
    #expect(try bench.machine.keep([more]) == [.crowded])
    let later = message(10, text(10), from: "+9779812345678", after: 60)
    #expect(try bench.machine.keep([later]) == [.kept(5)])
  }

  @Test func whoIsOverItsRateIsKeptBackAndThenNotKept() throws {
    let bench = try bench()
    bench.machine.rules.ingressLimits.bound = .init(burst: 2, perMinute: 1)
    let receipts = try bench.machine.keep((0..<5).map { message($0) })
    #expect(receipts.allSatisfy { $0 != .crowded })
    _ = try bench.machine.process(at: Bench.wall)
    #expect(try bench.store.overview().passages == 2)
    let more = try bench.machine.keep((5..<8).map { message($0) })
    #expect(more == [.kept(6), .crowded, .crowded])
  }

  /// Parts whose others never come are nonsense as well, but for those of a number that is bound.
  @Test func partsCountAsWell() throws {
    let bench = try bench()
    func part(_ reference: UInt16, from sender: String) throws -> InboundMessage {
      let long = String(repeating: "long ", count: 60)
      let pdu = try #require(try pdus(long, from: sender, reference: reference).first)
      return InboundMessage(ReceivedPDU(hex: pdu), receivedAt: Bench.wall)
    }
    let flood = try (0..<9).map { try part(UInt16($0), from: "+977981234567\($0)") }
    let receipts = try bench.machine.keep(flood)
    #expect(receipts.count { $0 == .crowded } == 3)
    _ = try bench.machine.process(at: Bench.wall)
    #expect(try bench.machine.keep([try part(20, from: "+9779812345670")]) == [.crowded])
    let bound = try bench.machine.keep((30..<36).map { try part($0, from: "+9779801000001") })
    #expect(bound.count { $0 == .crowded } == 2)
    // A new start counts them, too.
    bench.machine = CentralMachine(store: bench.store, rules: bench.machine.rules)
    _ = try bench.machine.process(at: Bench.wall)
    #expect(try bench.machine.keep([try part(40, from: "+9779812345671")]) == [.crowded])
    #expect(try bench.machine.keep([message(50)]).first != .crowded)
  }

  @Test func itIsToldOnceAMinuteAndShown() async throws {
    let bench = try bench()
    bench.machine.rules.ingressLimits.refused = 1
    let said = Said<Event>()
    let clocks = TestClocks(wall: Bench.wall)
    let service = try CentralService(
      machine: bench.machine, clocks: clocks, onEvent: { said.add($0) })
    try service.start()
    for index in 0..<4 { _ = await service.submit(message(index, "nonsense")) }
    #expect(service.facts.problems(at: Bench.wall).map(\.name) == ["inbox_crowded"])
    clocks.pass(.seconds(61))
    #expect(service.facts.problems(at: Bench.wall).isEmpty)
    _ = await service.submit(message(9, "nonsense"))
    service.stop()
    await service.finished()
    let told = said.all.filter { $0.name == "inbox_crowded" }
    #expect(told.count == 2)
  }
}
