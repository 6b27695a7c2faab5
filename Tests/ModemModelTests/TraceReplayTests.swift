import AT
import ModemModel
import SeededRandom
import Testing
import Time

@Suite struct TraceReplayTests {
  private struct Player {
    var replay: TraceReplay
    var now = BootInstant.seconds(5)
    var differences: [String] = []
    var isDone = false

    init(_ lines: String...) throws {
      let text = ([ModemTrace.header] + lines).joined(separator: "\n")
      replay = TraceReplay(try ModemTrace(text: Array(text.utf8)), at: .seconds(5))
    }

    mutating func write(_ text: String) -> String {
      take(replay.receive([UInt8](text.utf8), at: now))
    }

    mutating func wait(milliseconds: Int64) -> String {
      now = now + .milliseconds(milliseconds)
      return take(replay.advance(to: now))
    }

    private mutating func take(_ outputs: [TraceReplay.Output]) -> String {
      var said = ""
      for output in outputs {
        switch output {
        case .bytes(let bytes): said += String(decoding: bytes, as: UTF8.self)
        case .differs(let entry, let expected, let written):
          differences.append(
            "\(entry): \(ModemTrace.escaped(expected)) \(ModemTrace.escaped(written))")
        case .done: isDone = true
        }
      }
      return said
    }
  }

  private func player() throws -> Player {
    try Player(
      "100 < \"RDY\"", "200 > \"AT\"", "210 > \"E0\\r\"", "260 < \"OK\"", "300 > \"AT+CMGS=18\\r\"",
      "400 < \"> \"", "410 > \"00110**0\\x1a\"", "4410 < \"+CMGS: 7\"", "4420 < \"OK\"",
      "5000 > \"AT+CSQ\\r\"", "5010 < \"7\"")
  }

  @Test func whatWasRecordedPasses() throws {
    var player = try player()
    #expect(player.replay.deadline == .seconds(5) + .milliseconds(100))
    #expect(player.wait(milliseconds: 99) == "")
    #expect(player.wait(milliseconds: 1) == "RDY")
    #expect(player.replay.deadline == nil)
    _ = player.wait(milliseconds: 60_000)
    #expect(player.write("ATE") == "")
    #expect(player.write("0\r") == "")
    #expect(player.wait(milliseconds: 50) == "OK")
    #expect(player.write("AT+CMGS=18\r") == "")
    #expect(player.wait(milliseconds: 100) == "> ")
    #expect(player.write("00110980\u{1A}") == "")
    #expect(player.wait(milliseconds: 4_000) == "+CMGS: 7")
    #expect(player.wait(milliseconds: 10) == "OK")
    #expect(player.write("AT+CSQ\r") == "")
    #expect(!player.isDone)
    #expect(player.wait(milliseconds: 10) == "7")
    #expect(player.isDone)
    #expect(player.differences.isEmpty)
    #expect(player.replay.deadline == nil)
  }

  @Test func otherValuesAreToldAndTaken() throws {
    var player = try player()
    _ = player.wait(milliseconds: 100)
    _ = player.write("ATE0\r")
    _ = player.wait(milliseconds: 50)
    #expect(player.write("AT+CMGS=20\r") == "")
    #expect(player.wait(milliseconds: 100) == "> ")
    _ = player.write("0011\u{1A}")
    #expect(player.wait(milliseconds: 4_000) == "+CMGS: 7")
    #expect(
      player.differences == ["5: AT+CMGS=18\\r AT+CMGS=20\\r", "7: 00110**0\\x1a 0011\\x1a"])
  }

  @Test func anotherCommandGetsNoAnswer() throws {
    var player = try player()
    _ = player.wait(milliseconds: 100)
    #expect(player.write("ATI\r") == "")
    #expect(player.wait(milliseconds: 60_000) == "")
    #expect(player.differences == ["2: ATE0\\r ATI\\r"])
    _ = player.write("ATE0\r")
    #expect(player.wait(milliseconds: 50) == "OK")
  }

  @Test func whatComesTooSoonIsFoundLater() throws {
    var player = try player()
    _ = player.wait(milliseconds: 100)
    _ = player.write("AT+CSQ\r")
    #expect(player.wait(milliseconds: 10) == "7")
    #expect(player.isDone)
    #expect(player.differences.count == 1)
    #expect(player.write("AT\r") == "")
    #expect(player.differences.last == "11:  AT\\r")
  }

  @Test func whoeverWritesOnHearsTheRestAtOnce() throws {
    var player = try player()
    #expect(player.write("ATE0\r") == "RDY")
    #expect(player.write("AT+CMGS=18\r") == "OK")
  }

  @Test func anEmptyRecordingIsDoneAtOnce() throws {
    var player = try Player()
    #expect(player.replay.deadline == .seconds(5))
    _ = player.wait(milliseconds: 0)
    #expect(player.isDone)
    #expect(player.replay.deadline == nil)
  }

  @Test func anyBytesPass() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<200 {
      var player = try player()
      for _ in 0..<50 {
        let bytes = (0..<4).map { _ in
          [0x0D, 0x1A, 0x1B, 0x41, 0x54, 0x2B, 0x3D, 0xFF].randomElement(using: &generator) ?? 0x0D
        }
        _ = player.replay.receive(bytes.map { UInt8($0) }, at: player.now)
        _ = player.wait(milliseconds: 50)
      }
      if let deadline = player.replay.deadline { #expect(deadline > player.now) }
    }
  }
}
