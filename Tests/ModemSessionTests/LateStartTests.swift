import Events
import ModemModel
import ModemSession
import Testing
import Time

/// A modem that has only just started refuses for a while what it takes later, each maker's with another
/// answer. Three such answers were a verdict for ten minutes: it sends in text mode only, it is unfit.
@Suite struct LateStartTests {
  private static let refusals: [StartRefusal] = [
    .plain, .cme(999), .cme(100), .cme(4), .cms(512), .cms(699), .cms(500),
  ]

  private func names(_ bench: Bench) -> [String] {
    bench.events.compactMap { if case .log(let entry) = $0 { entry.name } else { nil } }
  }

  /// Whether it is ready in time, and was told to be nothing for good.
  private func expectReady(_ bench: Bench, _ about: String) {
    #expect(bench.session.status.canSend, "\(about): \(bench.session.status.state)")
    #expect(!names(bench).contains("modem_unfit"), "\(about)")
    #expect(!bench.commands.contains("AT+CFUN=1,1"), "\(about)")
  }

  @Test(arguments: ModemProfile.named.map(\.name), LateStartTests.refusals)
  func commandsThatAreRefusedAtFirstCostHalfAMinute(_ maker: String, _ refusal: StartRefusal) throws
  {
    var profile = try #require(ModemProfile.named.first { $0.name == maker }?.profile)
    // Not every modem says when it is ready.
    for saysReady in [true, false] {
      if !saysReady { profile.readyLines = [] }
      for commands in [["+CMGF"], ["+CMGF", "+CPMS", "+CNMI"], ["+CPIN"], []] {
        var bench = Bench { _ in
        } modem: {
          $0.profile = profile
        }
        bench.inject(.lateStart(.seconds(20), refusal, commands: commands))
        bench.start()
        bench.pass(.seconds(29))
        expectReady(bench, "\(maker) \(refusal) \(commands) \(saysReady)")
        bench.pass(.seconds(10))
        let status = bench.session.status
        // What it is was asked again, where it did not say it.
        #expect(status.manufacturer == profile.manufacturer)
        #expect(bench.commands.contains { $0.hasPrefix("AT+CNMI=") })
      }
    }
  }

  // The same when it restarts in the middle of its life.
  @Test(arguments: ModemProfile.named.map(\.name))
  func aRestartCostsNoMore(_ maker: String) throws {
    let profile = try #require(ModemProfile.named.first { $0.name == maker }?.profile)
    for refusal in [StartRefusal.plain, .cms(699)] {
      var bench = Bench { _ in
      } modem: {
        $0.profile = profile
      }
      bench.start()
      bench.pass(.seconds(900))
      let before = bench.events.count
      bench.inject(.lateStart(.seconds(20), refusal, commands: ["+CMGF", "+CNMI", "+CPMS"]))
      // One that says nothing of its start is found out by the next text or look.
      bench.pass(.seconds(1))
      bench.send(1)
      bench.pass(.seconds(30))
      #expect(bench.session.status.state == .ready, "\(maker) \(refusal)")
      #expect(
        !bench.events[before...].contains { event in
          if case .log(let entry) = event { entry.name == "modem_unfit" } else { false }
        })
    }
  }

  // A setting that the modem does without, and not as well, is made once it can be.
  @Test(arguments: ["+CNMI", "+CSMS", "+CMEE", "+CGMM"])
  func whatWasLeftOutIsSetOnceItIsTaken(_ command: String) {
    var bench = Bench { _ in
    } modem: {
      $0.profile = .zte
    }
    bench.inject(.lateStart(.seconds(20), .plain, commands: [command]))
    bench.start()
    #expect(bench.session.status.canSend, "nothing has to wait for it")
    let before = bench.commands.count { $0.hasPrefix("AT\(command)") }
    bench.pass(.seconds(30))
    #expect(bench.commands.count { $0.hasPrefix("AT\(command)") } > before)
    #expect(bench.session.status.model == "MF190")
    // Once, and not all the time.
    let after = bench.commands.count { $0 == "ATE0" }
    #expect(after == 2)
    bench.pass(.seconds(3_600))
    #expect(bench.commands.count { $0 == "ATE0" } == after)
  }

  @Test func aModemThatNeverTakesItIsStillCalledUnfit() {
    for refusal in [StartRefusal.plain, .cme(4), .cms(699)] {
      var bench = Bench()
      bench.inject(.lateStart(.seconds(100_000), refusal, commands: ["+CMGF"]))
      bench.start()
      bench.pass(.seconds(55))
      #expect(!names(bench).contains("modem_unfit"))
      bench.pass(.seconds(300))
      #expect(names(bench).contains("modem_unfit"), "\(refusal)")
    }
  }

  // Only that modem is wanted, and it cannot say yet that it is the one.
  @Test func aModemThatDoesNotTellItsNumberYetIsWaitedFor() {
    var bench = Bench {
      $0.imei = "490154203237518"
    } modem: {
      $0.imei = "490154203237518"
    }
    bench.inject(.lateStart(.seconds(20), .plain, commands: ["+CGSN", "+GSN"]))
    bench.start()
    bench.pass(.seconds(29))
    expectReady(bench, "identity")
  }

  // A PIN that the modem had no ears for was not tried: the card still tells three tries.
  @Test func aPINThatAStartingModemRefusesIsEnteredLater() {
    var isOpen = false
    var late = HandPlayed { $0.pin = "1234" }
    var asked = 0
    late.run(for: .seconds(28)) { command in
      if command.hasPrefix("AT+CPIN=") {
        asked += 1
        if asked < 8 { return "\r\nERROR\r\n" }
        isOpen = true
        return HandPlayed.healthy(command)
      }
      if command.hasPrefix("AT+CPINR") { return "\r\n+CPINR: SIM PIN,3,3\r\n\r\nOK\r\n" }
      return command.hasPrefix("AT+CPIN?") && !isOpen
        ? "\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
    }
    #expect(late.session.status.state == .ready)
    // The right one was told, and no wrong one.
    #expect(late.pins == [true])
    // One that is wrong is tried once, whenever that is.
    var wrong = HandPlayed { $0.pin = "1234" }
    wrong.run(for: .seconds(600)) { command in
      if command.hasPrefix("AT+CPIN=") { return "\r\n+CME ERROR: 16\r\n" }
      if command.hasPrefix("AT+CPINR") { return "\r\n+CPINR: SIM PIN,3,3\r\n\r\nOK\r\n" }
      return command.hasPrefix("AT+CPIN?")
        ? "\r\n+CPIN: SIM PIN\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
    }
    #expect(wrong.count("AT+CPIN=\"1234\"") == 1)
  }
}
