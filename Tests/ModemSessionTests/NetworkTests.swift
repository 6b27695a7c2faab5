import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// A modem that says nothing by itself of the network's loss and return: it takes `+CREG=1` and stays
/// silent.
@Suite struct NetworkTests {
  /// A silent modem of each kind: where it registers differs.
  private func silent(_ profile: ModemProfile, _ change: (inout ModemSettings) -> Void = { _ in })
    -> Bench
  {
    Bench(modem: {
      $0.profile = profile
      $0.tellsRegistration = false
      change(&$0)
    })
  }

  private func texts(_ bench: Bench) -> Int { bench.commands.count { $0.hasPrefix("AT+CMGS=") } }

  private static let profiles = ["generic", "huawei_e173", "simcom", "simcom_lte", "quectel"]

  @Test(arguments: NetworkTests.profiles)
  func noTextIsTriedWithoutANetwork(_ name: String) throws {
    let profile = try #require(ModemProfile.named.first { $0.name == name }?.profile)
    for pause in [Duration.seconds(3), .seconds(40), .seconds(299)] {
      var bench = silent(profile)
      bench.start()
      bench.pass(.seconds(60))
      bench.inject(.unregistered(.seconds(90)))
      let lost = bench.now
      bench.pass(pause)
      bench.send(1)
      bench.pass(.seconds(1))
      let isBack = pause > .seconds(90)
      #expect(texts(bench) == (isBack ? 1 : 0), "\(name), \(pause) after the loss")
      guard !isBack else { continue }
      guard case .notSent = bench.outcomes.first?.outcome else {
        Issue.record("\(bench.outcomes)")
        continue
      }
      #expect(!bench.session.status.canSend)
      bench.pass(until: lost + .seconds(91))
      #expect(bench.session.status.canSend, "\(name), \(pause) after the loss: a second is enough")
    }
  }

  @Test func withoutANetworkForLongItIsAskedSeldomer() {
    var bench = silent(.generic)
    bench.start()
    bench.inject(.unregistered(nil))
    bench.send(1)
    bench.pass(.seconds(1_200))
    let before = bench.commands.count
    bench.pass(.seconds(300))
    // Every five seconds: signal and three registrations, and the choice of a network.
    #expect(bench.commands.count - before <= 300)
    #expect(bench.commands.count - before >= 60)
  }

  // 38 is what a network out of order is called, and 331 and 332 what a modem says without one.
  @Test(arguments: [38, 331, 332]) func aRefusalThatMayBeTheNetworksIsAskedAbout(_ code: Int) {
    for tells in [true, false] {
      var bench = Bench(modem: { $0.tellsRegistration = tells })
      bench.start()
      bench.pass(.seconds(10))
      // It has told before, so it is believed.
      bench.inject(.unregistered(.seconds(5)))
      bench.pass(.seconds(30))
      bench.inject(.refuse(code: code, times: 1))
      bench.send(1)
      bench.pass(.milliseconds(500))
      let text = bench.commands.lastIndex { $0.hasPrefix("AT+CMGS=") } ?? 0
      #expect(bench.commands[text...].contains("AT+CREG?"), "\(code), tells: \(tells)")
    }
  }

  @Test func aModemThatTellsIsNotAsked() {
    var bench = Bench()
    bench.start()
    bench.inject(.unregistered(.seconds(5)))
    bench.pass(.seconds(20))
    let before = bench.commands.count { $0.hasPrefix("AT+C") && $0.hasSuffix("REG?") }
    for id in 1...5 as ClosedRange<Int64> {
      bench.send(id)
      bench.pass(.seconds(8))
    }
    #expect(texts(bench) == 5)
    #expect(bench.commands.count { $0.hasPrefix("AT+C") && $0.hasSuffix("REG?") } == before)
  }

  @Test func inARowOfTextsNobodyAsksBetweenThem() {
    var bench = silent(.generic)
    bench.start()
    bench.pass(.seconds(30))
    for id in 1...10 as ClosedRange<Int64> { bench.send(id) }
    bench.pass(.seconds(5))
    #expect(texts(bench) == 10)
    let first = bench.commands.firstIndex { $0.hasPrefix("AT+CMGS=") } ?? 0
    let last = bench.commands.lastIndex { $0.hasPrefix("AT+CMGS=") } ?? 0
    #expect(!bench.commands[first...last].contains { $0.hasSuffix("REG?") })
    #expect(bench.commands[..<first].last == "AT+CREG?")
  }

  // One that refuses to tell must not keep its texts.
  @Test(arguments: ["ERROR", "+CME ERROR: 100", "+CREG: garbage"])
  func aModemThatAnswersNothingUsefulSendsAllTheSame(_ word: String) {
    var line = HandPlayed()
    line.start()
    line.run(for: .seconds(60), answering: HandPlayed.healthy)
    line.send()
    line.run(for: .seconds(30)) { command in
      guard command.hasPrefix("AT+CREG?") else { return HandPlayed.healthy(command) }
      return "\r\n\(word)\r\n" + (word.hasPrefix("+CREG") ? "\r\nOK\r\n" : "")
    }
    #expect(line.outcomes == [.accepted(references: [7])])
  }
}
