import NodeCore
import Testing
import Time

@Suite struct OtherEventsTests {
  @Test func anOperatorsTextGoesBeforeThePassages() {
    var bench = Bench.ready()
    bench.record(2)
    bench.pass(.seconds(301))
    let manual = ManualText(requestID: 5, to: "+9779811111111", body: "hello")
    #expect(bench.tell(.manualText(manual)).sent.isEmpty, "a text is with the modem")
    let sent = bench.finish(.fine).sent
    #expect(sent.map(\.to) == ["+9779811111111"])
    #expect(sent.map(\.queueID) == [nil])
    let effects = bench.finish(.fine)
    #expect(effects.contains(.manualFinished(requestID: 5, .fine)))
    #expect(effects.sent.map(\.queueID) == [2])
  }

  @Test func anOperatorsTextGoesWhileTheServerAnswersToo() {
    var bench = Bench.ready(.withServer)
    let manual = ManualText(requestID: 5, to: "+9779811111111", body: "hello")
    #expect(bench.tell(.manualText(manual)).sent.count == 1)
  }

  @Test func tooManyOperatorsTextsAreRefused() {
    var bench = Bench.ready()
    bench.tell(.modemChanged(ModemID(0), canSend: false, reason: ""))
    var refused: [Int64] = []
    for id in 1...20 {
      let manual = ManualText(requestID: Int64(id), to: "1", body: "b")
      for case .manualFinished(let requestID, .notSent) in bench.tell(.manualText(manual)) {
        refused.append(requestID)
      }
    }
    #expect(refused == [17, 18, 19, 20])
  }

  @Test func aStoreThatFailsHoldsTheTexts() {
    var bench = Bench.ready()
    bench.record()
    bench.pass(.seconds(300))
    bench.tell(.storageFailed(reason: "disk full"))
    #expect(bench.pass(.milliseconds(999)).sent.isEmpty)
    #expect(bench.pass(.milliseconds(1)).sent.count == 1)
  }

  @Test func aStoreThatFailsForLongIsToldOfNowAndThen() {
    var bench = Bench.ready()
    var told = 0
    for second in 0..<3_600 {
      let reason = second < 1_800 ? "disk full" : "read-only"
      told += bench.tell(.storageFailed(reason: reason)).facts.count
      bench.now = bench.now + .seconds(1)
    }
    #expect(told == 6)
    #expect(bench.tell(.storageWorks).facts == [.storageWorks(after: .seconds(3_600))])
    #expect(bench.tell(.storageWorks).facts.isEmpty)
    #expect(bench.tell(.storageFailed(reason: "disk full")).facts.count == 1)
  }

  @Test func nothingHappensBeforeTheStart() {
    var bench = Bench()
    bench.record()
    #expect(bench.tell(.modemChanged(ModemID(0), canSend: true, reason: "")).sent.isEmpty)
    #expect(bench.core.nextDeadline == nil)
  }

  @Test func numbersOfTextsGoOnAfterARestart() {
    var bench = Bench()
    bench.tell(.started(StartFacts(nextTextID: 42, charges: [])))
    bench.tell(.modemChanged(ModemID(0), canSend: true, reason: ""))
    bench.record()
    #expect(bench.pass(.seconds(301)).sent.map(\.id) == [42])
  }

  @Test func aModemThatIsNotConfiguredIsIgnored() {
    var bench = Bench.ready()
    #expect(bench.tell(.modemChanged(ModemID(7), canSend: true, reason: "")).isEmpty)
  }
}
