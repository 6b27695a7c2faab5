import Events
import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// A port at which a modem tells nothing by itself: messages are found there late, and nobody knows.
@Suite struct AnnouncementTests {
  private static let sender = "+9779801000009"

  private func logs(_ bench: Bench, _ name: String) -> Int {
    bench.events.count { event in
      if case .log(let entry) = event { entry.name == name } else { false }
    }
  }

  /// Passes time, and confirms what was received.
  private func pass(_ bench: inout Bench, _ seconds: Int) {
    var seen = bench.received.count
    for _ in 0..<seconds {
      bench.pass(.seconds(1))
      for inbound in bench.received[seen...] {
        bench.tell(.request(.confirmStored(token: inbound.token)))
      }
      seen = bench.received.count
    }
  }

  @Test(arguments: [ModemFault.silentReception, .indicationElsewhere])
  func aDeafPortIsToldAndSweptEachMinute(_ fault: ModemFault) throws {
    var bench = Bench()
    bench.start()
    pass(&bench, 100)
    bench.inject(fault)
    try bench.receive(from: AnnouncementTests.sender, "first")
    pass(&bench, 600)
    #expect(bench.received.count == 1)
    #expect(logs(bench, "modem_deaf") == 1)
    for number in 2...4 {
      try bench.receive(from: AnnouncementTests.sender, "text \(number)")
      pass(&bench, 90)
      #expect(bench.received.count == number)
    }
    #expect(logs(bench, "modem_deaf") == 1, "once is enough")
    // It tells again: so does the log, and the sweeps are as seldom as before.
    bench.inject(.healed)
    try bench.receive(from: AnnouncementTests.sender, "last")
    pass(&bench, 30)
    #expect(logs(bench, "modem_heard") == 1)
    let lists = bench.commands.count { $0 == "AT+CMGL=4" }
    pass(&bench, 500)
    #expect(bench.commands.count { $0 == "AT+CMGL=4" } <= lists + 2)
  }

  @Test(arguments: [true, false]) func anotherPortIsTriedWhereThereIsOne(_ isThere: Bool) throws {
    var bench = Bench { $0.hasOtherPorts = isThere }
    bench.start()
    pass(&bench, 100)
    bench.inject(.silentReception)
    for _ in 1...20 {
      try bench.receive(from: AnnouncementTests.sender, "again")
      pass(&bench, 200)
    }
    // The shell hears it with the port closed, and chooses anew.
    let asked = bench.events.count { event in
      if case .status(let status) = event { status.isDeaf && status.state.isAway } else { false }
    }
    #expect(asked == (isThere ? 1 : 0), "not again and again")
    #expect(bench.session.status.state == .ready)
    #expect(bench.received.count >= 20, "nothing is lost by it")
    bench.send(1)
    bench.pass(.seconds(5))
    #expect(bench.outcomes.last?.outcome == .accepted(references: [0]))
  }

  @Test func aModemThatForgotToTellIsSetUpAgain() throws {
    var bench = Bench()
    bench.start()
    pass(&bench, 100)
    bench.inject(.forgetIndication)
    try bench.receive(from: AnnouncementTests.sender, "first")
    pass(&bench, 700)
    try bench.receive(from: AnnouncementTests.sender, "second")
    pass(&bench, 2)
    #expect(bench.received.count == 2)
  }

  @Test(arguments: [ModemFault.lateIndication(.seconds(10)), .doubleReport, .slow(.seconds(2))])
  func aModemThatTellsLateIsNotDeaf(_ fault: ModemFault) throws {
    var bench = Bench()
    bench.start()
    bench.inject(fault)
    for _ in 0..<40 {
      try bench.receive(from: AnnouncementTests.sender, "again")
      bench.send(Int64(bench.events.count), to: "+9779801000002")
      pass(&bench, 97)
    }
    #expect(logs(bench, "modem_deaf") == 0)
  }

  @Test func whatCameBeforeTheStartMakesNoPortDeaf() throws {
    var bench = Bench()
    for number in 1...5 { try bench.receive(from: AnnouncementTests.sender, "text \(number)") }
    bench.start()
    pass(&bench, 100)
    bench.inject(.restart)
    try bench.receive(from: AnnouncementTests.sender, "in the restart")
    pass(&bench, 2_000)
    #expect(bench.received.count >= 6)
    #expect(logs(bench, "modem_deaf") == 0)
  }

  // Some tell of messages, and of the status reports in their storage never.
  @Test func aModemThatTellsOfMessagesAloneIsNotDeaf() throws {
    var line = HandPlayed()
    line.start()
    line.hear("+CMTI: \"SM\",1")
    var storage = "SM"
    var report = 0
    line.run(
      for: .seconds(7_200),
      answering: { command in
        if command.hasPrefix("AT+CPMS=\"") {
          storage = String(command.dropFirst(9).prefix { $0 != "\"" })
        }
        guard command.hasPrefix("AT+CMGL"), storage == "SR" else {
          return HandPlayed.healthy(command)
        }
        report += 1
        return "\r\n+CMGL: \(report),0,,4\r\n00020\(report % 10)0\(report % 10)\r\n\r\nOK\r\n"
      })
    #expect(report > 2)
    let deaf = line.events.count { event in
      if case .log(let entry) = event { entry.name == "modem_deaf" } else { false }
    }
    #expect(deaf == 0)
  }

  // Nobody confirms them: the same messages are there at each sweep.
  @Test func messagesThatNobodyTakesMakeNoPortDeaf() throws {
    var bench = Bench()
    bench.start()
    for number in 1...5 { try bench.receive(from: AnnouncementTests.sender, "text \(number)") }
    bench.pass(.seconds(3_000))
    #expect(logs(bench, "modem_deaf") == 0)
  }
}
