import GSM
import NodeCore
import Testing
import Time

@Suite struct ModemsTests {
  private let pair = [NodeModem(name: "one"), NodeModem(name: "two")]

  private func bench(_ modems: [NodeModem], passages: Int) -> Bench {
    var bench = Bench.ready(modems: modems)
    bench.record(passages)
    bench.pass(.seconds(301))
    return bench
  }

  @Test func oneThatIsRefusedKeepsNothingFromTheOther() {
    var bench = bench(pair, passages: 6)
    #expect(bench.flying.map(\.queueID) == [1, 2])
    bench.finish(by: 0, .refused(.alert))
    // The passage that was refused is the oldest, and goes by the other modem at once.
    #expect(bench.finish(by: 1, .fine).sent.map(\.queueID) == [1])
    var sent: [ModemID] = []
    while !bench.flying.isEmpty {
      sent += bench.finish(by: 1, .fine).sent.map(\.modem)
    }
    #expect(sent.allSatisfy { $0 == ModemID(1) })
    #expect(bench.queue.items.allSatisfy { $0.isTexted })
  }

  @Test func oneThatNeverAnswersKeepsNothingFromTheOther() {
    var bench = bench(pair, passages: 5)
    for _ in 0..<4 { bench.finish(by: 1, .fine) }
    #expect(bench.queue.items.filter(\.isTexted).count == 4)
    #expect(bench.flying.map(\.modem) == [ModemID(0)])
  }

  @Test func theHealthyOneIsAskedFirst() {
    var bench = bench(pair, passages: 2)
    bench.finish(by: 0, .refused(.soon))
    bench.finish(by: 1, .fine)
    bench.finish(by: 1, .fine)
    bench.pass(.seconds(60))
    bench.record()
    #expect(bench.pass(.seconds(301)).sent.map(\.modem) == [ModemID(1)])
  }

  @Test func theModemOfTheNumbersNetworkIsPreferred() {
    let modems = [
      NodeModem(name: "one", prefixes: ["+97798", "+97797"]),
      NodeModem(name: "two", prefixes: ["+977980"]),
    ]
    var bench = bench(modems, passages: 1)
    #expect(bench.flying.map(\.modem) == [ModemID(1)], "the longer prefix")
    bench.finish(.fine)
    bench.tell(.modemChanged(ModemID(1), canSend: false, reason: "unplugged"))
    bench.record()
    #expect(bench.pass(.seconds(301)).sent.map(\.modem) == [ModemID(0)], "but not at any price")
  }

  @Test func theLoadIsSharedByWhatIsLeftOfTheDay() {
    var bench = bench(pair, passages: 0)
    for _ in 0..<4 {
      bench.record()
      bench.pass(.seconds(301))
      bench.finish(.fine)
    }
    let used = bench.core.snapshot(at: bench.now).modems.map { $0.budget[2].used }
    #expect(used == [2, 2])
  }

  @Test func threeModemsOfWhichTwoFail() {
    var bench = bench(pair + [NodeModem(name: "three")], passages: 9)
    bench.tell(.modemChanged(ModemID(1), canSend: false, reason: "unplugged"))
    bench.finish(by: 1, .notSent(reason: "unplugged"))
    bench.finish(by: 0, .refused(.later))
    for _ in 0..<9 { bench.finish(by: 2, .fine) }
    #expect(bench.queue.items.allSatisfy { $0.isTexted })
  }

  @Test func anOperatorMayNameAModem() {
    var bench = bench(pair, passages: 0)
    let manual = ManualText(
      requestID: 1, to: "+9779811111111", body: "b", modem: ModemID(1))
    #expect(bench.tell(.manualText(manual)).sent.map(\.modem) == [ModemID(1)])
    let behind = ManualText(requestID: 2, to: "+9779811111111", body: "b", modem: ModemID(1))
    #expect(bench.tell(.manualText(behind)).sent.isEmpty)
    let free = ManualText(requestID: 3, to: "+9779811111111", body: "b", modem: ModemID(0))
    #expect(bench.tell(.manualText(free)).sent.map(\.modem) == [ModemID(0)], "it overtakes")
  }
}
