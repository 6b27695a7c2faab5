import AT
import GSM
import ModemModel
import ModemSession
import Testing
import Timing

/// A text of several parts of which not all go out; and numbers from a modem that are none.
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
    var session = ModemSession(configuration: ModemConfiguration(port: "/dev/modem"))
    var inputs = [SessionInput.start]
    var now = BootInstant.zero
    for _ in 0..<1_000 where session.status.storageSize == nil {
      if inputs.isEmpty {
        now = max(now, session.deadline ?? now)
        inputs.append(.timePassed)
      }
      for effect in session.handle(inputs.removeFirst(), at: now) {
        switch effect {
        case .open: inputs.append(.opened(path: "/dev/modem"))
        case .write(let bytes):
          inputs.append(.received(answer(to: String(decoding: bytes, as: UTF8.self))))
        default: break
        }
      }
    }
    #expect(session.status.storageSize == Int.max)
  }

  /// What a modem says that is well but for the size of its storage.
  private func answer(to command: String) -> [UInt8] {
    let line =
      if command.hasPrefix("AT+CPIN?") {
        "\r\n+CPIN: READY\r\n"
      } else if command.hasPrefix("AT+CPMS=") {
        "\r\n+CPMS: \(Int.max),\(Int.max),\(Int.max),\(Int.max),1,1\r\n"
      } else {
        ""
      }
    return Array("\(line)\r\nOK\r\n".utf8)
  }
}
