import Events
import ModemModel
import ModemSession
import Testing
import Time

/// A storage that is full takes in nothing: what is ours goes at once, and what is not is told.
@Suite struct FullStorageTests {
  private static let sender = "+9779801000009"

  /// A node that keeps each message and confirms it a moment later, from the event of a number on.
  private func confirm(_ bench: inout Bench, after seen: inout Int, for time: Duration) {
    let end = bench.now + time
    while bench.now < end {
      bench.pass(.seconds(1))
      for event in bench.events[seen...] {
        if case .received(let inbound) = event {
          bench.tell(.request(.confirmStored(token: inbound.token)))
        }
      }
      seen = bench.events.count
    }
  }

  @Test(arguments: [
    "+SMS FULL", "+SMS FULL: \"SM\"", "+QIND: \"smsfull\",\"SM\"", "^SMMEMFULL: \"SM\"",
    "+CIEV: \"smsfull\",1", "+CIEV: smsfull,2", "#SMOV: \"SM\"", "^SMGO: 2",
  ])
  func aFullStorageIsEmptiedAtOnce(_ words: String) throws {
    var bench = Bench(modem: { $0.storageSize = 10 })
    bench.start()
    bench.pass(.seconds(20))
    // They come without a word, up to the last one.
    bench.inject(.tellsFull(words))
    bench.inject(.loseIndication(10))
    for number in 1...10 { try bench.receive(from: FullStorageTests.sender, "text \(number)") }
    var seen = 0
    confirm(&bench, after: &seen, for: .seconds(15))
    #expect(bench.stores.count { $0.kind == .deleted } == 10)
    #expect(bench.session.status.storages.first?.used == 0)
    #expect(bench.session.status.storages.first?.size == 10)
  }

  /// u-blox names the indicator by its place in the list that it gives.
  @Test func aModemThatNumbersItsIndicatorsIsUnderstood() throws {
    var bench = Bench(modem: {
      $0.profile = .ublox
      $0.storageSize = 10
    })
    bench.start()
    bench.pass(.seconds(20))
    #expect(bench.commands.contains("AT+CIND=?"))
    bench.inject(.loseIndication(10))
    for number in 1...10 { try bench.receive(from: FullStorageTests.sender, "text \(number)") }
    var seen = 0
    confirm(&bench, after: &seen, for: .seconds(15))
    #expect(bench.stores.count { $0.kind == .deleted } == 10)
    #expect(bench.session.status.storages.first?.used == 0)
  }

  /// The same number means what the modem's own list says, and nothing without one.
  @Test(arguments: [
    ("(\"signal\",(0-5)),(\"smsfull\",(0,1))", "+CIEV: 2,1", true),
    ("(\"signal\",(0-5)),(\"smsfull\",(0,1))", "+CIEV: 2,0", false),
    ("(\"signal\",(0-5)),(\"smsfull\",(0,1))", "+CIEV: 1,1", false),
    ("(\"signal\",(0-5)),(\"smsfull\",(0,1))", "+CIEV: 3,1", false),
    ("(\"signal\",(0-5)),(\"smsfull\",(0,1))", "+CIEV: 0,1", false),
    ("(\"signal\",(0-5)),(\"smsfull\",(0,1))", "+CIEV: \"smsfull\",1", true),
    ("(smsfull,(0,1)),(signal,(0-5))", "+CIEV: 1,1", true), (nil, "+CIEV: 2,1", false),
  ])
  func theNumberOfAnIndicatorIsItsPlaceInTheList(_ list: String?, _ said: String, _ isFull: Bool) {
    var line = HandPlayed()
    line.run(for: .seconds(30)) { command in
      if command.hasPrefix("AT+CGMI") { return "\r\nu-blox\r\n\r\nOK\r\n" }
      if command.hasPrefix("AT+CIND=?") {
        return list.map { "\r\n+CIND: \($0)\r\n\r\nOK\r\n" } ?? "\r\nERROR\r\n"
      }
      return HandPlayed.healthy(command)
    }
    #expect(line.session.status.state == .ready)
    let before = line.count("AT+CMGL=4")
    line.hear(said)
    line.run(for: .seconds(10), answering: HandPlayed.healthy)
    #expect(line.count("AT+CMGL=4") == before + (isFull ? 1 : 0))
  }

  @Test func whatIsNoAlarmIsNone() {
    for words in ["^SMGO: 0", "+CIEV: \"smsfull\",0"] {
      var line = HandPlayed()
      line.start()
      let before = line.count("AT+CMGL=4")
      line.hear(words)
      line.run(for: .seconds(10), answering: HandPlayed.healthy)
      #expect(line.count("AT+CMGL=4") == before)
    }
  }

  // Another storage than that of the messages: that one is looked through.
  @Test func theStorageThatIsNamedIsLookedThrough() {
    var line = HandPlayed()
    line.start()
    let before = line.commands.count
    line.hear("+QIND: \"smsfull\",\"ME\"")
    line.run(for: .seconds(10), answering: HandPlayed.healthy)
    #expect(line.commands[before...].contains("AT+CPMS=\"ME\""))
  }

  @Test func looksComeMoreOftenWhileItIsNearlyFull() throws {
    for isFilled in [true, false] {
      var bench = Bench(modem: { $0.storageSize = 10 })
      bench.start()
      bench.pass(.seconds(20))
      bench.inject(.loseIndication(20))
      if isFilled { bench.inject(.leftovers(8)) }
      bench.pass(.seconds(700))
      let before = bench.commands.count { $0 == "AT+CMGL=4" }
      try bench.receive(from: FullStorageTests.sender, "came without a word")
      bench.pass(.seconds(70))
      let looks = bench.commands.count { $0 == "AT+CMGL=4" } - before
      #expect(isFilled ? looks >= 1 : looks == 0)
      #expect(bench.received.count == (isFilled ? 1 : 0))
    }
  }

  @Test func whatCannotBeDeletedIsCounted() throws {
    var bench = Bench(modem: { $0.storageSize = 10 })
    bench.inject(.refuseDeletion)
    bench.inject(.leftovers(3))
    bench.start()
    bench.pass(.seconds(20))
    for number in 1...6 { try bench.receive(from: FullStorageTests.sender, "text \(number)") }
    var seen = 0
    confirm(&bench, after: &seen, for: .seconds(200))
    let level = try #require(bench.session.status.storages.first)
    #expect(level.storage == "SM")
    #expect(level.used == 9)
    #expect(level.size == 10)
    #expect(level.leftovers == 3)
    #expect(level.undeletable == 6)
    let told = bench.events.count {
      if case .log(let entry) = $0 { entry.name == "modem_delete_failed" } else { false }
    }
    #expect(told <= 12, "it is a state, and not told of each minute")
    bench.inject(.healed)
    confirm(&bench, after: &seen, for: .seconds(200))
    #expect(bench.session.status.storages.first?.undeletable == 0)
    #expect(bench.session.status.storages.first?.used == 3)
  }

  @Test func eachStorageIsTold() throws {
    var bench = Bench(modem: { $0.storageSize = 10 })
    bench.inject(.leftovers(2))
    bench.start()
    bench.pass(.seconds(20))
    let levels = bench.session.status.storages
    #expect(levels.map(\.storage).first == "SM")
    #expect(Set(levels.map(\.storage)).isSuperset(of: ["SM", "ME"]))
    #expect(levels.allSatisfy { $0.size != nil && $0.used != nil })
    #expect(levels.first?.leftovers == 2)
  }
}
