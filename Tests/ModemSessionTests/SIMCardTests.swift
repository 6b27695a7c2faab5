import ModemModel
import ModemSession
import Testing
import Time

/// A SIM that wants its PIN: tried once for a card and a configuration, never for the last time.
@Suite struct CardTests {
  @Test func aPINThatIsRightIsForgottenAsTried() {
    var bench = Bench({ $0.pin = "1234" }, modem: { $0.pin = "1234" })
    bench.start()
    bench.pass(.seconds(30))
    #expect(bench.session.status.state == .ready)
    #expect(bench.claims == [])
  }

  @Test func aPINThatIsRightIsEnteredAgainAfterEveryRestartOfTheModem() {
    var bench = Bench({ $0.pin = "1234" }, modem: { $0.pin = "1234" })
    bench.start()
    bench.pass(.seconds(30))
    bench.inject(.restart)
    bench.pass(.seconds(600))
    #expect(bench.session.status.state == .ready)
    bench.unplug()
    bench.pass(.seconds(60))
    bench.plug()
    bench.pass(.seconds(60))
    #expect(bench.session.status.state == .ready)
    #expect(bench.commands.filter { $0.hasPrefix("AT+CPIN=") }.count == 3)
  }

  @Test(arguments: ModemProfile.named.map(\.name)) func theLastTryIsNeverMade(_ maker: String)
    throws
  {
    let profile = try #require(ModemProfile.named.first { $0.name == maker }?.profile)
    var bench = Bench(
      { $0.pin = "1234" },
      modem: {
        $0.pin = "1234"
        $0.profile = profile
      })
    bench.inject(.pinTries(1))
    bench.start()
    bench.pass(.seconds(600))
    #expect(!bench.commands.contains { $0.hasPrefix("AT+CPIN=") })
    guard case .simLocked(let reason) = bench.session.status.state else {
      Issue.record("\(bench.session.status.state)")
      return
    }
    #expect(reason.contains("only once more"))
  }

  @Test func aPINThatIsWrongIsNeverTriedAgainNotEvenByANewProcess() {
    var bench = Bench({ $0.pin = "4711" }, modem: { $0.pin = "1234" })
    bench.start()
    bench.pass(.seconds(600))
    #expect(bench.commands.filter { $0.hasPrefix("AT+CPIN=") }.count == 1)
    #expect(bench.claims.count == 1)
    // The process starts again; the modem stays as it is.
    bench.session = ModemSession(configuration: bench.session.configuration)
    bench.start()
    bench.pass(.seconds(600))
    #expect(bench.commands.filter { $0.hasPrefix("AT+CPIN=") }.count == 1)
    guard case .simLocked(let reason) = bench.session.status.state else {
      Issue.record("\(bench.session.status.state)")
      return
    }
    #expect(reason.contains("tried on this SIM before"))
    #expect(!reason.contains("4711"))
  }
}
