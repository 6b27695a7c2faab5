import ModemDiscovery
import Testing

/// Several ports that are asked for a sign of life.
@Suite struct PortProbeTests {
  private func hear(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func theFirstIsAskedAloneAndTakenWhenItAnswers() {
    var probe = PortProbe(count: 3)
    #expect(probe.pass(.zero) == [.ask(0)])
    probe.heard(hear("AT\r\r\nOK\r\n"), from: 0, at: .milliseconds(3))
    #expect(probe.result == .answers(0))
    #expect(probe.deadline == nil)
    #expect(probe.pass(.seconds(1)) == [])
  }

  @Test func theOthersAreAskedSideBySideWhenItIsMute() throws {
    var probe = PortProbe(count: 3)
    #expect(probe.pass(.zero) == [.ask(0)])
    let alone = try #require(probe.deadline)
    #expect(probe.pass(alone) == [.ask(1), .ask(2)])
    probe.heard(hear("\r\nOK\r\n"), from: 2, at: alone)
    // The one before it may be slower.
    #expect(probe.result == .undecided)
    let settled = try #require(probe.deadline)
    #expect(settled > alone)
    #expect(probe.pass(settled) == [])
    #expect(probe.result == .answers(2))
    #expect(probe.wasMute(0) && probe.wasMute(1) && !probe.wasMute(2))
  }

  @Test func aBetterPortThatIsSlowerIsTaken() throws {
    var probe = PortProbe(count: 2)
    _ = probe.pass(.zero)
    let alone = try #require(probe.deadline)
    _ = probe.pass(alone)
    probe.heard(hear("\r\nOK\r\n"), from: 1, at: alone)
    probe.heard(hear("\r\nO"), from: 0, at: alone)
    #expect(probe.result == .undecided)
    probe.heard(hear("K\r\n"), from: 0, at: alone)
    #expect(probe.result == .answers(0))
  }

  @Test func noneAnswersAndItEnds() throws {
    var probe = PortProbe(count: 2)
    var asked = 0
    while let deadline = probe.deadline { asked += probe.pass(deadline).count }
    #expect(probe.result == .noneAnswers)
    #expect(asked > 2, "a modem that is starting is asked again")
  }

  @Test func whatIsGoneIsNotWaitedFor() throws {
    var probe = PortProbe(count: 2)
    _ = probe.pass(.zero)
    probe.gone(0)
    #expect(probe.deadline.map { $0 < .seconds(1) } == true)
    let next = try #require(probe.deadline)
    #expect(probe.pass(next) == [.ask(1)])
    probe.heard(hear("\r\nOK\r\n"), from: 1, at: next)
    #expect(probe.result == .answers(1))
    probe = PortProbe(count: 1)
    probe.gone(0)
    _ = probe.pass(.zero)
    #expect(probe.result == .noneAnswers)
  }

  // A port for positions or diagnosis says much, and nothing that ends a command.
  @Test(arguments: [
    ("\r\nOK\r\n", true), ("0\r", true), ("4\r\n", true), ("\r\nERROR\r\n", true),
    ("\r\n+CME ERROR: 10\r\n", true), ("\r\n^RSSI: 14\r\n", false), ("AT\r", false),
    ("$GPGGA,,,,,,0,,,,,,,,*66\r\n", false), ("OK", false), ("\r\nOKAY\r\n", false),
  ])
  func onlyAFinalResultIsAnAnswer(text: String, isAnswer: Bool) {
    var probe = PortProbe(count: 2)
    _ = probe.pass(.zero)
    probe.heard(hear(text), from: 0, at: .milliseconds(1))
    #expect(probe.result == (isAnswer ? .answers(0) : .undecided))
  }

  @Test func aLineWithoutEndIsBounded() {
    var probe = PortProbe(count: 2)
    _ = probe.pass(.zero)
    probe.heard([UInt8](repeating: 0x41, count: 1 << 20), from: 0, at: .milliseconds(1))
    probe.heard(hear("\r\nOK\r\n"), from: 0, at: .milliseconds(2))
    #expect(probe.result == .answers(0))
  }
}
