import ModemPorts
import Testing

/// Several ports that are asked for a sign of life.
@Suite struct PortAuditionTests {
  private func hear(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func theFirstIsAskedAloneAndTakenWhenItAnswers() {
    var audition = PortAudition(count: 3)
    #expect(audition.pass(.zero) == [.ask(0)])
    audition.heard(hear("AT\r\r\nOK\r\n"), from: 0, at: .milliseconds(3))
    #expect(audition.result == .answers(0))
    #expect(audition.deadline == nil)
    #expect(audition.pass(.seconds(1)) == [])
  }

  @Test func theOthersAreAskedSideBySideWhenItIsMute() throws {
    var audition = PortAudition(count: 3)
    #expect(audition.pass(.zero) == [.ask(0)])
    let alone = try #require(audition.deadline)
    #expect(audition.pass(alone) == [.ask(1), .ask(2)])
    audition.heard(hear("\r\nOK\r\n"), from: 2, at: alone)
    // The one before it may be slower.
    #expect(audition.result == .undecided)
    let settled = try #require(audition.deadline)
    #expect(settled > alone)
    #expect(audition.pass(settled) == [])
    #expect(audition.result == .answers(2))
    #expect(audition.wasMute(0) && audition.wasMute(1) && !audition.wasMute(2))
  }

  @Test func aBetterPortThatIsSlowerIsTaken() throws {
    var audition = PortAudition(count: 2)
    _ = audition.pass(.zero)
    let alone = try #require(audition.deadline)
    _ = audition.pass(alone)
    audition.heard(hear("\r\nOK\r\n"), from: 1, at: alone)
    audition.heard(hear("\r\nO"), from: 0, at: alone)
    #expect(audition.result == .undecided)
    audition.heard(hear("K\r\n"), from: 0, at: alone)
    #expect(audition.result == .answers(0))
  }

  @Test func noneAnswersAndItEnds() throws {
    var audition = PortAudition(count: 2)
    var asked = 0
    while let deadline = audition.deadline { asked += audition.pass(deadline).count }
    #expect(audition.result == .noneAnswers)
    #expect(asked > 2, "a modem that is starting is asked again")
  }

  @Test func whatIsGoneIsNotWaitedFor() throws {
    var audition = PortAudition(count: 2)
    _ = audition.pass(.zero)
    audition.gone(0)
    #expect(audition.deadline.map { $0 < .seconds(1) } == true)
    let next = try #require(audition.deadline)
    #expect(audition.pass(next) == [.ask(1)])
    audition.heard(hear("\r\nOK\r\n"), from: 1, at: next)
    #expect(audition.result == .answers(1))
    audition = PortAudition(count: 1)
    audition.gone(0)
    _ = audition.pass(.zero)
    #expect(audition.result == .noneAnswers)
  }

  // A port for positions or diagnosis says much, and nothing that ends a command.
  @Test(arguments: [
    ("\r\nOK\r\n", true), ("0\r", true), ("4\r\n", true), ("\r\nERROR\r\n", true),
    ("\r\n+CME ERROR: 10\r\n", true), ("\r\n^RSSI: 14\r\n", false), ("AT\r", false),
    ("$GPGGA,,,,,,0,,,,,,,,*66\r\n", false), ("OK", false), ("\r\nOKAY\r\n", false),
  ])
  func onlyAFinalResultIsAnAnswer(text: String, isAnswer: Bool) {
    var audition = PortAudition(count: 2)
    _ = audition.pass(.zero)
    audition.heard(hear(text), from: 0, at: .milliseconds(1))
    #expect(audition.result == (isAnswer ? .answers(0) : .undecided))
  }

  @Test func aLineWithoutEndIsBounded() {
    var audition = PortAudition(count: 2)
    _ = audition.pass(.zero)
    audition.heard([UInt8](repeating: 0x41, count: 1 << 20), from: 0, at: .milliseconds(1))
    audition.heard(hear("\r\nOK\r\n"), from: 0, at: .milliseconds(2))
    #expect(audition.result == .answers(0))
  }
}
