import ModemModel
import ModemSession
import Testing
import Time

/// A modem that goes on echoing after `ATE0` (espressif/esp-protocols#327), and one that begins to.
@Suite struct EchoTests {
  /// What an A7672 says: the command as it was typed, and its answer.
  private func echoing(_ command: String) -> String {
    let body = command.hasSuffix("\u{1A}") ? command.dropLast() + "\r\n" : command[...]
    return (command == "\u{1B}" ? "" : body) + HandPlayed.healthy(command)
  }

  @Test func anEchoThatDoesNotEndIsLivedWith() {
    var line = HandPlayed()
    line.run(for: .seconds(7_200), answering: echoing)
    #expect(line.session.status.state == .ready)
    #expect(line.count("AT+CMGF=0") == 1)
    line.send()
    line.run(for: .seconds(5), answering: echoing)
    #expect(line.outcomes == [.accepted(references: [7])])
    #expect(line.count("AT+CMGF=0") == 1)
  }

  // What `modem send` does: it hands its text over as soon as the modem is ready, or a moment later.
  @Test(arguments: [0, 1, 2, 3, 4, 5, 8, 12, 20, 40])
  func aTextRightAfterTheSetupGoes(steps: Int) {
    var line = HandPlayed()
    line.run(steps: 1_000, until: { $0.session.status.canSend }, answering: echoing)
    #expect(line.session.status.canSend)
    line.run(steps: steps, until: { _ in false }, answering: echoing)
    line.send()
    line.run(for: .seconds(30), answering: echoing)
    #expect(line.outcomes == [.accepted(references: [7])])
  }

  @Test(arguments: ModemProfile.named.map(\.name))
  func everyMakersModemThatEchoesIsOfUse(name: String) throws {
    let profile = try #require(ModemProfile.named.first { $0.name == name }?.profile)
    var bench = Bench(modem: { $0.profile = profile })
    bench.inject(.endlessEcho)
    bench.start()
    bench.pass(.seconds(3_600))
    #expect(bench.commands.count { $0 == "AT+CMGF=0" } == 1)
    bench.send(1)
    bench.pass(.seconds(10))
    #expect(bench.outcomes.map(\.outcome) == [.accepted(references: [0])])
  }

  @Test func anEchoThatComesLaterMeansThatSettingsAreLost() {
    var line = HandPlayed()
    line.start()
    #expect(line.count("AT+CMGF=0") == 1)
    var echoes = true
    for _ in 0..<10 {
      line.run(for: .seconds(100)) { command in
        if command.hasPrefix("ATE0") {
          defer { echoes = false }
          return echoes ? echoing(command) : HandPlayed.healthy(command)
        }
        return echoes ? echoing(command) : HandPlayed.healthy(command)
      }
    }
    #expect(line.count("AT+CMGF=0") == 2)
    // It does so again, and again it is set up.
    echoes = true
    line.run(for: .seconds(1_000)) { command in
      defer { if command.hasPrefix("ATE0") { echoes = false } }
      return echoes ? echoing(command) : HandPlayed.healthy(command)
    }
    #expect(line.count("AT+CMGF=0") == 3)
  }
}
