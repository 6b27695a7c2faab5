import ModemModel
import ModemSession
import Testing
import Time

/// USSD on sticks that want a code packed, do not, or say so by an empty release.
@Suite struct SupplementaryTests {
  private func huawei(_ command: String) -> String {
    command.hasPrefix("AT+CGMI") ? "\r\nhuawei\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
  }

  private func ask(_ line: inout HandPlayed, id: Int64 = 1) {
    line.tell(.request(.ussd(id: id, code: "*100#")))
  }

  private func outcomes(_ line: HandPlayed) -> [USSDOutcome] {
    line.events.compactMap {
      if case .ussdFinished(_, let outcome) = $0 { outcome } else { nil }
    }
  }

  @Test(arguments: ["+CUSD: 2", "+CUSD: 2,\"\",0", "+CUSD: 0"])
  func aPackedCodeThatIsReleasedAtOnceIsAskedPlain(_ release: String) {
    var line = HandPlayed()
    line.run(for: .seconds(20), answering: huawei)
    let answer = { (command: String) -> String in
      guard command.hasPrefix("AT+CUSD=1") else { return self.huawei(command) }
      let said = command.contains("*100#") ? "+CUSD: 0,\"Balance 5\",15" : release
      return "\r\nOK\r\n\r\n\(said)\r\n"
    }
    for id in 1...2 as ClosedRange<Int64> {
      ask(&line, id: id)
      line.run(for: .seconds(20), answering: answer)
    }
    #expect(outcomes(line) == [.answered("Balance 5"), .answered("Balance 5")])
    let asked = line.commands.filter { $0.hasPrefix("AT+CUSD=1") }
    // The second one is not packed any more.
    #expect(asked.map { $0.contains("*100#") } == [false, true, true])
  }

  // Others release the dialogue first and say what there is to say then.
  @Test(arguments: [0, 1, 3]) func aTextAfterTheReleaseIsTheAnswer(seconds: Int64) {
    var line = HandPlayed()
    line.run(for: .seconds(20), answering: huawei)
    ask(&line)
    line.run(for: .seconds(1), answering: huawei)
    line.hear("+CUSD: 2")
    line.run(for: .seconds(seconds), answering: huawei)
    line.hear("+CUSD: 0,\"Balance 5\",15")
    line.run(for: .seconds(20), answering: huawei)
    #expect(outcomes(line) == [.answered("Balance 5")])
    #expect(line.commands.count { $0.hasPrefix("AT+CUSD=1") } == 1)
  }

  @Test func aReleaseWithoutATextIsTheEnd() {
    var line = HandPlayed()
    line.start()
    ask(&line)
    line.run(for: .seconds(1), answering: HandPlayed.healthy)
    line.hear("+CUSD: 2")
    line.run(for: .seconds(20), answering: HandPlayed.healthy)
    #expect(outcomes(line) == [.refused("the network ended the dialogue without a text")])
  }

  // The stick fills its text up with what was in its memory.
  @Test func whatStandsAfterTheEndOfATextIsCut() {
    var line = HandPlayed()
    line.run(for: .seconds(20), answering: huawei)
    ask(&line)
    line.run(for: .seconds(1), answering: huawei)
    line.hear("+CUSD: 0,\"00420061006C0061006E0063006500200035000000410C3FA5\",72")
    line.run(for: .seconds(5), answering: huawei)
    #expect(outcomes(line) == [.answered("Balance 5")])
  }

  @Test func anE3131AnswersACodeThatIsNotPacked() {
    var bench = Bench(modem: { $0.profile = .huawei })
    bench.start()
    bench.pass(.seconds(10))
    bench.tell(.request(.ussd(id: 1, code: "*100#")))
    bench.pass(.seconds(30))
    let texts = bench.events.compactMap { event -> String? in
      if case .ussdFinished(_, .answered(let text)) = event { text } else { nil }
    }
    #expect(texts.first?.hasPrefix("Balance ") == true)
  }
}
