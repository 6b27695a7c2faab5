import Events
import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// A modem that refuses every text with one code, also to a number that took texts before: whatever the code
/// says, the modem itself may have lost its mind.
@Suite struct RefusesAllTests {
  private func cures(_ bench: Bench) -> [String] {
    bench.events.compactMap { event in
      guard case .log(let entry) = event, entry.name == "modem_refuses_all",
        case .text(let step)? = entry.fields.last?.value
      else { return nil }
      return step
    }
  }

  /// Texts that are refused, a minute apart.
  private func refuse(
    _ bench: inout Bench, _ code: Int, texts: Int, every pause: Duration = .seconds(60)
  ) {
    for number in 0..<texts {
      bench.inject(.refuse(code: code, times: 1))
      bench.send(Int64(100 + number))
      bench.pass(pause)
    }
  }

  @Test(
    arguments: [21, 28, 8, 96, 111, 127, 208, 255, 331, 515, 699], ["generic", "zte", "simcom"])
  func itIsSetUpAgainThenRestarted(_ code: Int, _ maker: String) throws {
    let profile = try #require(ModemProfile.named.first { $0.name == maker }?.profile)
    var bench = Bench { _ in
    } modem: {
      $0.profile = profile
    }
    bench.start()
    bench.pass(.seconds(900))
    bench.send(1)
    bench.pass(.seconds(10))
    let before = bench.commands.count { $0 == "AT+CMGF=0" }
    refuse(&bench, code, texts: 2)
    #expect(cures(bench) == ["set_up"])
    #expect(bench.commands.count { $0 == "AT+CMGF=0" } == before + 1)
    refuse(&bench, code, texts: 2)
    #expect(cures(bench) == ["set_up", "restart"])
    #expect(bench.commands.contains("AT+CFUN=1,1"))
    // At most hourly.
    refuse(&bench, code, texts: 10)
    #expect(cures(bench).count == 2)
    bench.pass(.seconds(3_600))
    refuse(&bench, code, texts: 4)
    #expect(cures(bench) == ["set_up", "restart", "set_up", "restart"])
  }

  // The number may be wrong, or its telephone off: that says nothing of the modem.
  @Test func aNumberThatNeverTookATextSaysNothing() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(900))
    refuse(&bench, 21, texts: 8)
    #expect(cures(bench) == [])
  }

  // The node remembers over a restart of the service whom the card has reached.
  @Test func aNumberThatIsKnownFromBeforeCounts() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(900))
    for id in 1...2 as ClosedRange<Int64> {
      bench.inject(.refuse(code: 21, times: 1))
      var text = OutgoingText(id: id, to: "+15550100", body: "text")
      text.isToKnownNumber = true
      bench.tell(.request(.send(text)))
      bench.pass(.seconds(60))
    }
    #expect(cures(bench) == ["set_up"])
  }

  @Test func aTextThatGoesOrAnotherCodeBeginsAnew() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(900))
    bench.send(1)
    bench.pass(.seconds(10))
    for _ in 0..<4 {
      refuse(&bench, 21, texts: 1)
      refuse(&bench, 96, texts: 1)
    }
    #expect(cures(bench) == [])
    for id in 1...4 as ClosedRange<Int64> {
      refuse(&bench, 21, texts: 1)
      bench.send(id)
      bench.pass(.seconds(10))
    }
    #expect(cures(bench) == [])
  }

  @Test func aStickThatIsNotRestartedByCommandIsSetUpAgain() {
    var bench = Bench { _ in
    } modem: {
      $0.profile = .huawei
    }
    bench.start()
    bench.pass(.seconds(900))
    bench.send(1)
    bench.pass(.seconds(10))
    refuse(&bench, 21, texts: 4)
    #expect(cures(bench) == ["set_up", "set_up"])
    #expect(!bench.commands.contains("AT+CFUN=1,1"))
    var powered = Bench {
      $0.resets = [.powerCycle]
    } modem: {
      $0.profile = .huawei
    }
    powered.start()
    powered.pass(.seconds(900))
    powered.send(1)
    powered.pass(.seconds(10))
    refuse(&powered, 21, texts: 4)
    #expect(cures(powered) == ["set_up", "power_cycle"])
  }
}
