import GSM
import ModemDriver
import ModemModel
import ModemSession
import ModemSimulator
import TestSupport
import Testing
import Time

/// The driver on real pseudo-terminals, against the simulated modem.
@Suite(.timeLimit(.minutes(15))) struct DriverTests {
  static let alice = "+9779801000001"
  static let bob = "+9779801000002"

  @Test func makesAModemReadyAndKnowsIt() async throws {
    let bench = try Bench(numbers: [DriverTests.alice])
    let driver = try bench.driver()
    let status = try #require(await driver.reach(.ready))
    #expect(status.manufacturer == "Checkpost")
    #expect(status.model == "Simulated modem")
    #expect(status.imei == "356938035643809")
    #expect(status.imsi == "429011234567890")
    #expect(status.smsc == "+9779800000000")
    #expect(status.signalDBm == -77)
    #expect(status.operatorName == "Ncell")
    #expect(status.registration == "home")
    #expect(status.canSend)
    await driver.end()
    await bench.end()
  }

  @Test func aTextGoesFromOneModemToAnother() async throws {
    let bench = try Bench(numbers: [DriverTests.alice, DriverTests.bob])
    let (alice, bob) = (try bench.driver(0), try bench.driver(1))
    _ = await alice.reach(.ready)
    _ = await bob.reach(.ready)
    let body = "V1|BNP-A|BA1PA1234|CAR|1709123456|9801"
    #expect(await alice.send(body, to: DriverTests.bob) == .accepted(references: [0]))
    let inbound = try #require(
      await bob.next { if case .received(let inbound) = $0 { inbound } else { nil } })
    let pdu = try PDU.decode(hex: inbound.hex, direction: .mobileTerminated)
    guard case .deliver(let deliver) = pdu.tpdu else {
      Issue.record("no SMS-DELIVER: \(pdu)")
      return
    }
    #expect(deliver.userData.text == body)
    #expect(deliver.originator.number == DriverTests.alice)
    // It is deleted only after it was confirmed.
    bob.driver.post(.confirmStored(token: inbound.token))
    let deleted = await bench.next {
      if case .storeChanged(1, let change) = $0, change.kind == .deleted { change } else { nil }
    }
    #expect(deleted?.index == inbound.index)
    // The status report comes back, and names the reference.
    let report = try #require(
      await alice.next { if case .received(let inbound) = $0 { inbound } else { nil } })
    let answer = try PDU.decode(hex: report.hex, direction: .mobileTerminated)
    guard case .statusReport(let status) = answer.tpdu else {
      Issue.record("no SMS-STATUS-REPORT: \(answer)")
      return
    }
    #expect(status.messageReference == 0)
    #expect(status.delivery == .delivered)
    await alice.end()
    await bob.end()
    await bench.end()
  }

  @Test func aLongTextGoesInParts() async throws {
    let bench = try Bench(numbers: [DriverTests.alice])
    let driver = try bench.driver()
    _ = await driver.reach(.ready)
    let outcome = await driver.send(String(repeating: "सवारी ", count: 40), to: "+15550100")
    #expect(outcome == .accepted(references: [0, 1, 2, 3]))
    await driver.end()
    await bench.end()
  }

  @Test func aRefusalIsKnownByItsCode() async throws {
    let bench = try Bench(numbers: [DriverTests.alice])
    let driver = try bench.driver()
    _ = await driver.reach(.ready)
    bench.simulator.post(.fault(.refuse(code: 38, times: 1), modem: 0))
    #expect(
      await driver.send("a", to: "+15550100", id: 1) == .refused(ModemError(.cms, code: 38)))
    #expect(await driver.send("b", to: "+15550100", id: 2) == .accepted(references: [0]))
    await driver.end()
    await bench.end()
  }

  @Test func aLostAnswerIsUnknownAndTheModemIsUsedAgain() async throws {
    let bench = try Bench(numbers: [DriverTests.alice])
    let driver = try bench.driver { $0.timeouts.submit = .seconds(2) }
    _ = await driver.reach(.ready)
    bench.simulator.post(.fault(.loseAnswer, modem: 0))
    guard case .unknown = await driver.send("a", to: "+15550100", id: 1) else {
      Issue.record("a lost answer has to be unknown")
      return
    }
    _ = await driver.reach(.ready)
    #expect(await driver.send("b", to: "+15550100", id: 2) == .accepted(references: [1]))
    await driver.end()
    await bench.end()
  }

  @Test func withoutAPromptNothingWasSent() async throws {
    let bench = try Bench(numbers: [DriverTests.alice])
    let driver = try bench.driver { $0.timeouts.prompt = .milliseconds(100) }
    _ = await driver.reach(.ready)
    bench.simulator.post(.fault(.noPrompt, modem: 0))
    guard case .notSent = await driver.send("a", to: "+15550100") else {
      Issue.record("without a prompt nothing can have left")
      return
    }
    await driver.end()
    await bench.end()
  }

  @Test func aPulledPlugIsSeenAndThePortOpenedAgain() async throws {
    var settings = SimulatorSettings(modems: [ModemSettings(number: DriverTests.alice)])
    let directory = try TemporaryDirectory()
    settings.links = [directory.path + "/modem"]
    let bench = try Bench(settings)
    var configuration = ModemConfiguration(port: directory.path + "/modem")
    configuration.reopenFirst = .milliseconds(50)
    let driver = try TestDriver(configuration)
    _ = await driver.reach(.ready)
    bench.simulator.post(.unplug(modem: 0, duration: nil, renames: false))
    let lost = await driver.next { event -> String? in
      if case .status(let status) = event, case .failed(let reason) = status.state {
        reason
      } else {
        nil
      }
    }
    #expect(lost?.contains("went away") == true)
    bench.simulator.post(.plug(modem: 0))
    #expect(await driver.reach(.ready) != nil)
    #expect(await driver.send("a", to: "+15550100") == .accepted(references: [0]))
    await driver.end()
    await bench.end()
  }

  @Test func theRightPINUnlocksAndAWrongOneIsTriedOnce() async throws {
    var modem = ModemSettings(number: DriverTests.alice)
    modem.pin = "1234"
    let bench = try Bench(SimulatorSettings(modems: [modem, modem]))
    let right = try bench.driver(0) { $0.pin = "1234" }
    #expect(await right.reach(.ready) != nil)
    let wrong = try bench.driver(1) { $0.pin = "9999" }
    let locked = await wrong.next { event -> String? in
      if case .status(let status) = event, case .simLocked(let reason) = status.state {
        reason
      } else {
        nil
      }
    }
    #expect(locked?.contains("refused the PIN") == true)
    await right.end()
    await wrong.end()
    await bench.end()
    var tries = 0
    _ = await bench.next { event -> Void? in
      switch event {
      case .command(1, let text) where text.hasPrefix("AT+CPIN="): tries += 1
      case .closed(1): return ()
      default: break
      }
      return nil
    }
    #expect(tries == 1)
  }

  @Test func anOperatorsCommandIsAnswered() async throws {
    let bench = try Bench(numbers: [DriverTests.alice])
    let driver = try bench.driver()
    _ = await driver.reach(.ready)
    driver.driver.post(.command(id: 7, text: "AT+CSQ", timeout: .seconds(5)))
    let answer = await driver.next { event -> [String]? in
      if case .commandFinished(7, let lines, let final) = event { lines + [final] } else { nil }
    }
    #expect(answer == ["+CSQ: 18,99", "OK"])
    driver.driver.post(.command(id: 8, text: "AT+CMGS=20", timeout: .seconds(5)))
    let refusal = await driver.next { event -> String? in
      if case .commandFinished(8, _, let final) = event { final } else { nil }
    }
    #expect(refusal?.contains("modem send") == true)
    await driver.end()
    await bench.end()
  }

  @Test func stoppingAnswersWhatWaits() async throws {
    let bench = try Bench(numbers: [DriverTests.alice])
    let driver = try bench.driver()
    _ = await driver.reach(.ready)
    bench.simulator.post(.fault(.mute(nil), modem: 0))
    driver.driver.post(.send(OutgoingText(id: 1, to: "+15550100", body: "a")))
    driver.driver.post(.send(OutgoingText(id: 2, to: "+15550100", body: "b")))
    driver.driver.stop()
    bench.simulator.post(.fault(.healed, modem: 0))
    var answered: Set<Int64> = []
    for _ in 0..<2 {
      let id = await driver.next { event -> Int64? in
        if case .sendOutcome(let id, _) = event { id } else { nil }
      }
      if let id { answered.insert(id) }
    }
    #expect(answered == [1, 2])
    await bench.end()
    await driver.driver.finished()
    driver.driver.post(.send(OutgoingText(id: 3, to: "+15550100", body: "c")))
    let late = await driver.next { event -> SendOutcome? in
      if case .sendOutcome(3, let outcome) = event { outcome } else { nil }
    }
    guard case .notSent = late else {
      Issue.record("a driver that has ended sends nothing: \(String(describing: late))")
      return
    }
  }
}
