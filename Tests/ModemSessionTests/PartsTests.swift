import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// A text of several parts of which not all go out; numbers and command lines that are none.
@Suite struct PartsTests {
  private let long = String(repeating: "Rhinoceros at the river. ", count: 16)

  @Test func aTextOfWhichAPartLeftIsNeverCalledUnsent() {
    var bench = Bench()
    bench.start()
    bench.inject(.credit(1, code: 21))
    bench.send(1, long)
    bench.pass(.seconds(60))
    guard case .unknown(let reason) = bench.outcomes.first?.outcome else {
      Issue.record("\(bench.outcomes)")
      return
    }
    #expect(reason.hasPrefix("1 of 3 parts went out, then: CMS 21"))
    bench.send(2)
    bench.pass(.seconds(60))
    #expect(bench.outcomes.last?.outcome == .refused(ModemError(.cms, code: 21)))
  }

  @Test func aStorageOfAnAbsurdSizeEndsNothing() {
    var line = HandPlayed()
    line.run(
      steps: 1_000, until: { $0.session.status.storageSize != nil },
      answering: { command in
        let huge = "\(Int.max),\(Int.max)"
        return command.hasPrefix("AT+CPMS=")
          ? "\r\n+CPMS: \(huge),\(huge),1,1\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
      })
    #expect(line.session.status.storageSize == Int.max)
  }

  @Test(arguments: ["AT+CMGS=10", "AT+CSQ;+CMGS=10", "at+cmgw", "AT+CNMA=1,2", "AT\u{1B}"])
  func nothingThatWaitsForAMessageIsWritten(_ line: String) {
    var bench = Bench()
    bench.start()
    let before = bench.commands.count
    bench.tell(.request(.command(id: 1, text: line, timeout: .seconds(5))))
    bench.pass(.seconds(1))
    guard case .commandFinished(1, [], let final)? = bench.events.last else {
      Issue.record("\(bench.events)")
      return
    }
    #expect(final.hasPrefix("refused: "))
    #expect(bench.commands.count == before)
  }
}
