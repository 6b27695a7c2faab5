import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// Messages one right after the other.
@Suite struct BurstTests {
  // 3GPP TS 27.005 3.5.6: once told, a modem keeps the link for as long as messages follow.
  @Test func theLinkIsKeptOnceForEachBurstWhereThatIsSafe() {
    var bench = Bench(modem: {
      $0.profile = .telit
      $0.sendDelay = .seconds(3)
    })
    bench.start()
    func told() -> Int { bench.commands.count { $0 == "AT+CMMS=1" } }
    bench.send(1)
    bench.pass(.seconds(60))
    #expect(told() == 0, "a single text")
    for id in 2...5 as ClosedRange<Int64> { bench.send(id) }
    bench.pass(.seconds(60))
    #expect(told() == 1, "four texts in a row")
    bench.send(6, String(repeating: "long ", count: 60))
    bench.pass(.seconds(60))
    #expect(told() == 2, "the link was given up in between")
    #expect(bench.outcomes.count == 6)
    var other = Bench(modem: { $0.profile = .huawei })
    other.start()
    for id in 1...3 as ClosedRange<Int64> { other.send(id, String(repeating: "long ", count: 60)) }
    other.pass(.seconds(60))
    #expect(other.outcomes.count == 3)
    #expect(!other.commands.contains { $0.hasPrefix("AT+CMMS") })
  }
}
