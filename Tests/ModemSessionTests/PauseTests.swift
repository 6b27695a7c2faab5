import ModemSession
import Testing
import Time

/// The time that some makers want between an answer and the next command, as what their modems tell by
/// themselves collides with it otherwise.
@Suite struct PauseTests {
  /// The modem of a maker, which answers at once.
  private func answering(_ maker: String) -> (String) -> String {
    { command in
      command.hasPrefix("AT+CGMI") ? "\r\n\(maker)\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
    }
  }

  /// The times from each command to the next once the maker is known, without escapes and bodies.
  private func gaps(_ line: HandPlayed) -> [Duration] {
    guard let known = line.commands.firstIndex(of: "AT+CGMR") else { return [] }
    let times = line.commands.indices.dropFirst(known).filter {
      line.commands[$0].hasPrefix("AT")
    }.map { line.times[$0] }
    return zip(times, times.dropFirst()).map { $0.duration(to: $1) }
  }

  @Test(arguments: ["Telit", "u-blox"]) func aMakerThatWantsAPauseGetsIt(_ maker: String) {
    var line = HandPlayed()
    line.run(for: .seconds(30), answering: answering(maker))
    line.send(String(repeating: "long ", count: 60))
    line.run(for: .seconds(30), answering: answering(maker))
    #expect(line.outcomes == [.accepted(references: [7, 7])])
    #expect(line.commands.count { $0.hasPrefix("AT+CMGS=") } == 2)
    #expect(gaps(line).count > 20)
    #expect(gaps(line).allSatisfy { $0 >= .milliseconds(20) }, "\(gaps(line))")
    // No longer than that either: the setup is over in a second.
    #expect(gaps(line).prefix(20).allSatisfy { $0 == .milliseconds(20) })
  }

  @Test(arguments: ["huawei", "Quectel", "SIMCOM_Ltd", "Maker"])
  func theOthersLoseNothing(_ maker: String) {
    var line = HandPlayed()
    line.run(for: .seconds(30), answering: answering(maker))
    #expect(line.session.status.state == .ready)
    #expect(gaps(line).prefix(20).allSatisfy { $0 == .zero })
    let before = line.now
    line.send()
    line.run(steps: 12, until: { !$0.outcomes.isEmpty }, answering: answering(maker))
    #expect(line.outcomes == [.accepted(references: [7])])
    #expect(line.now == before)
  }

  // What comes in the pause belongs to nobody's command.
  @Test func whatIsSaidInThePauseIsNoAnswer() {
    var line = HandPlayed()
    line.run(for: .seconds(30), answering: answering("Telit"))
    var late = true
    line.send()
    line.run(for: .seconds(30)) { command in
      guard command.hasPrefix("AT+CMGS="), late else { return answering("Telit")(command) }
      late = false
      return "\r\n+CMS ERROR: 38\r\n\r\nOK\r\n\r\n+CMTI: \"SM\",3\r\n"
    }
    #expect(line.outcomes.count == 1)
    #expect(line.commands.contains("AT+CMGR=3"))
    #expect(line.session.status.state == .ready)
  }

  @Test func aPortThatGoesAwayInThePauseLeavesNothingBehind() {
    for steps in 0..<120 {
      var line = HandPlayed()
      line.run(steps: steps, until: { _ in false }, answering: answering("Telit"))
      line.send()
      line.run(steps: steps % 3, until: { _ in false }, answering: answering("Telit"))
      line.tell(.closed(reason: "gone"))
      line.run(for: .seconds(30), answering: answering("Telit"))
      #expect(line.session.status.state == .ready, "\(steps)")
      #expect(line.outcomes.count == 1, "\(steps)")
    }
  }
}
