import Events
import GSM
import ModemModel
import ModemSession
import Testing
import Time

/// Messages that lie where nobody looked, and storages that do not open as others do.
@Suite struct StorageTests {
  private static let sender = "+9779801000009"

  private func texts(_ bench: Bench) -> [String] {
    bench.received.compactMap { inbound in
      let pdu = try? PDU.decode(hex: inbound.hex, direction: .mobileTerminated)
      guard case .deliver(let message)? = pdu?.tpdu else { return nil }
      return message.userData.text
    }
  }

  private func logs(_ events: [ModemEvent], _ name: String) -> [String] {
    events.compactMap { event in
      guard case .log(let entry) = event, entry.name == name else { return nil }
      return entry.words
    }
  }

  // What came while the program was down lies in the modem's own storage, and no +CMTI will ever name
  // it: PavelVe/home-assistant-addons#27, zabsalahid/serialport-gsm#12.
  @Test(arguments: [ModemProfile.generic, .huawei, .huaweiE173, .simcom, .quectel, .telit, .zte])
  func messagesInTheModemsOwnStorageAreFound(_ profile: ModemProfile) throws {
    var bench = Bench(modem: { $0.profile = profile })
    bench.inject(.storedInModem)
    try bench.receive(from: StorageTests.sender, "while it was down")
    bench.start()
    bench.pass(.seconds(60))
    #expect(texts(bench) == ["while it was down"])
    #expect(Set(bench.received.compactMap(\.storage)) == ["ME"])
    for inbound in bench.received { bench.tell(.request(.confirmStored(token: inbound.token))) }
    bench.pass(.seconds(5))
    #expect(bench.stores.last?.kind == .deleted)
    // Nobody tells of the next one either.
    bench.inject(.silentReception)
    try bench.receive(from: StorageTests.sender, "while it was silent")
    bench.pass(.seconds(3_600))
    // Told at each look until it is confirmed.
    #expect(Set(texts(bench)) == ["while it was down", "while it was silent"])
  }

  @Test func whatLiesInBothIsToldOnce() throws {
    var bench = Bench(modem: {
      $0.profile.storageList = "+CPMS: (\"SM\",\"MT\"),(\"SM\"),(\"SM\")"
    })
    try bench.receive(from: StorageTests.sender, "once")
    bench.start()
    bench.pass(.seconds(60))
    #expect(bench.commands.contains("AT+CPMS=\"MT\""))
    #expect(texts(bench) == ["once"])
  }

  @Test func aSumOfStoragesIsNotLookedThroughBesideItsParts() {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(4_000))
    #expect(bench.commands.contains("AT+CPMS=\"ME\""))
    #expect(!bench.commands.contains("AT+CPMS=\"MT\""))
  }

  // The E3372-325 answers ERROR to one name and to two: gammu/gammu#829.
  @Test func aStorageIsChosenByThreeNamesWhereOneIsRefused() throws {
    var bench = Bench()
    bench.inject(.storagesTogether)
    bench.inject(.storedInModem)
    bench.start()
    bench.pass(.seconds(30))
    try bench.receive(from: StorageTests.sender, "told in ME")
    bench.pass(.seconds(10))
    #expect(texts(bench) == ["told in ME"])
    #expect(bench.commands.contains("AT+CPMS=\"ME\",\"SM\",\"SM\""))
    // Learnt once: the form that is refused is not tried again.
    #expect(bench.commands.count { $0 == "AT+CPMS=\"ME\"" } == 1)
    #expect(bench.commands.last { $0.hasPrefix("AT+CPMS") } == "AT+CPMS=\"SM\",\"SM\",\"SM\"")
  }

  @Test func aMessageWhoseStorageCannotBeOpenedIsNotDroppedInSilence() {
    var line = HandPlayed()
    let answer = { (command: String) -> String in
      command.hasPrefix("AT+CPMS=\"ME\"") ? "\r\nERROR\r\n" : HandPlayed.healthy(command)
    }
    line.run(for: .seconds(30), answering: answer)
    line.events = []
    line.hear("+CMTI: \"ME\",3")
    line.hear("+CMTI: \"ME\",4")
    line.run(for: .seconds(10), answering: answer)
    let words = logs(line.events, "modem_storage_unreachable")
    #expect(words.count == 1)
    #expect(words.first?.contains("2 messages") == true)
    #expect(words.first?.contains("ME") == true)
    #expect(line.session.status.state == .ready)
  }

  @Test func aMessageThatIsNotWhereItWasToldIsLookedFor() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(30))
    bench.inject(.wrongStorage)
    try bench.receive(from: StorageTests.sender, "elsewhere")
    bench.pass(.seconds(5))
    #expect(texts(bench) == ["elsewhere"])
  }

  // MARK: Lists that fail

  /// A modem that tells nothing by itself has a message when its storage is swept next.
  private func benchBeforeASweep(_ faults: [ModemFault]) throws -> Bench {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(580))
    bench.inject(.silentReception)
    try bench.receive(from: StorageTests.sender, "hello")
    for fault in faults { bench.inject(fault) }
    return bench
  }

  @Test(arguments: [305, 302, 303, 0]) func aListThatIsRefusedIsMended(_ code: Int) throws {
    var bench = try benchBeforeASweep([.refuseList(code: code, times: 1)])
    bench.pass(.seconds(30))
    #expect(texts(bench) == ["hello"])
    #expect(bench.commands.count { $0 == "AT+CMGF=0" } == 2)
  }

  @Test func textModeThatAnotherProgramLeftIsEnded() throws {
    var bench = try benchBeforeASweep([.textMode])
    bench.pass(.seconds(30))
    #expect(texts(bench) == ["hello"])
  }

  @Test func aMessageThatIsReadInTextModeIsNotLost() throws {
    var bench = Bench()
    bench.start()
    bench.pass(.seconds(30))
    bench.inject(.textMode)
    try bench.receive(from: StorageTests.sender, "hello")
    bench.pass(.seconds(10))
    #expect(texts(bench) == ["hello"])
  }

  @Test func aListThatTheSIMIsTooBusyForComesFiveSecondsLater() throws {
    var bench = try benchBeforeASweep([.refuseList(code: 314, times: 2)])
    bench.pass(.seconds(32))
    #expect(texts(bench) == ["hello"])
    #expect(bench.commands.count { $0 == "AT+CMGF=0" } == 1, "nothing is set up again for it")
  }

  @Test func aListThatIsAlwaysRefusedCostsOneSetUpAnHour() {
    var line = HandPlayed()
    line.run(
      for: .seconds(7_200),
      answering: { command in
        command.hasPrefix("AT+CMGL") ? "\r\n+CMS ERROR: 302\r\n" : HandPlayed.healthy(command)
      })
    #expect((2...4).contains(line.count("AT+CMGF=0")))
    #expect(line.session.status.state == .ready)
  }

  @Test(arguments: ["SMS Ready", "SMS DONE", "+QIND: SMS DONE", "+QIND: \"SMS DONE\""])
  func aModemWhoseMessagesAreReadyIsSwept(_ word: String) {
    var line = HandPlayed()
    line.start()
    let before = line.count("AT+CMGL=4")
    line.hear(word)
    line.run(for: .seconds(5), answering: HandPlayed.healthy)
    #expect(line.count("AT+CMGL=4") > before)
  }

  // A list of 66 s was seen.
  @Test func aListMayTakeAsLongAsItsLinesCome() throws {
    var bench = Bench()
    for number in 1...12 { try bench.receive(from: StorageTests.sender, "text \(number)") }
    bench.inject(.slowList(.seconds(7)))
    bench.start()
    bench.pass(.seconds(100))
    #expect(texts(bench).count == 12)
    #expect(logs(bench.events, "modem_recovering").isEmpty)
  }

  @Test func whatCameBeforeAListStoppedIsKept() throws {
    let deliver = SMSDeliver(
      from: try Address(StorageTests.sender),
      userData: try MessageComposer.messages(text: "kept", to: try Address("1"))[0].userData,
      timestamp: ServiceCentreTime(epochSeconds: 1_773_450_000, quarterHours: 23))
    let pdu = try PDU(tpdu: .deliver(deliver)).encoded()
    let listed = "\r\n+CMGL: 4,0,,\(pdu.count - 1)\r\n\(Hex.encode(pdu))\r\n"
    var line = HandPlayed()
    var lists = 0
    line.run(
      for: .seconds(200),
      answering: { command in
        guard command.hasPrefix("AT+CMGL") else { return HandPlayed.healthy(command) }
        lists += 1
        return lists == 1 ? listed : "\r\nOK\r\n"
      })
    let received = line.events.compactMap { event in
      if case .received(let inbound) = event { inbound } else { nil }
    }
    #expect(received.map(\.index) == [4])
    #expect(line.session.status.state == .ready)
    // What came is an answer: no trouble, and told once as a habit of this modem.
    #expect(line.steps == [])
    #expect(logs(line.events, "modem_lacks_result").count == 1)
    #expect(lists > 1, "and the rest is asked for at once")
  }

  // It went deaf, and the list had the bad luck to be asked then.
  @Test(arguments: ["SM", "ME"]) func aListIsNotBlamedForAModemThatIsMute(_ storage: String) throws
  {
    var bench = Bench()
    bench.inject(.storedInModem)
    bench.start()
    bench.pass(.seconds(30))
    bench.inject(.silentReception)
    try bench.receive(from: StorageTests.sender, "in between")
    // Deaf from the list on, until the port is opened anew.
    bench.inject(.deafAfter(storage == "SM" ? 0 : 2))
    bench.tell(.request(.sweep))
    bench.pass(.seconds(300))
    #expect(texts(bench).contains("in between"))
    #expect(bench.session.status.state == .ready)
  }

  // MARK: What comes damaged

  /// A modem with these lines for `AT+CMGL=4` while it has not been told to delete, and for `AT+CMGR`.
  private func line(listing list: String, reading read: String = "") -> HandPlayed {
    var line = HandPlayed()
    var isDeleted = false
    line.run(
      for: .seconds(60),
      answering: { command in
        if command.hasPrefix("AT+CMGL") { return (isDeleted ? "" : list) + "\r\nOK\r\n" }
        if command.hasPrefix("AT+CMGR") { return read + "\r\nOK\r\n" }
        if command.hasPrefix("AT+CMGD") { isDeleted = true }
        return StorageTests.onlyTheSIM(command)
      })
    return line
  }

  /// A modem that is well and has one storage.
  private static func onlyTheSIM(_ command: String) -> String {
    command.hasPrefix("AT+CPMS=") && !command.hasPrefix("AT+CPMS=\"SM\"")
      ? "\r\nERROR\r\n" : HandPlayed.healthy(command)
  }

  private func received(_ line: HandPlayed) -> [String] {
    line.events.compactMap { if case .received(let inbound) = $0 { inbound.hex } else { nil } }
  }

  private static let pdu = "0791779800000000040C917798010000900000622171417521320568656C6C6F"

  // stephaneAG/T-SIM7600X#63: the modem names no storage, and a place that is none.
  @Test(arguments: ["+CMTI: ,-1", "+CMTI: \"SM\",-1", "+CMTI: ", "+CDSI: ,-1", "+CMTI: \"\",3"])
  func aMessageThatIsStoredSomewhereIsLookedForAtOnce(_ told: String) {
    var line = HandPlayed()
    line.start()
    let before = line.count("AT+CMGL=4")
    line.hear(told)
    line.run(for: .seconds(5), answering: HandPlayed.healthy)
    #expect(line.count("AT+CMGL=4") > before)
    #expect(!line.commands.contains { $0.hasPrefix("AT+CMGR=-") })
  }

  @Test func aBlankAfterAPDUIsNoPartOfIt() {
    let list = line(listing: "\r\n+CMGL: 3,0,,24\r\n\(Self.pdu) \r\n")
    #expect(Set(received(list)) == [Self.pdu])
    var direct = HandPlayed()
    direct.start()
    direct.hear("+CMT: ,24\r\n\(Self.pdu) ")
    direct.run(for: .seconds(1), answering: HandPlayed.healthy)
    #expect(received(direct) == [Self.pdu])
  }

  @Test func aMessageWithHalfAnOctetIsKeptNamedAndDeleted() throws {
    let half = String(Self.pdu.dropLast())
    var line = line(listing: "\r\n+CMGL: 3,0,,24\r\n\(half)\r\n")
    #expect(Set(received(line)) == [half])
    let words = logs(line.events, "modem_message_damaged")
    #expect(words.count == 1, "once, however often it is told again")
    #expect(words.first?.hasPrefix("message 3 of SM ") == true)
    for case .received(let inbound) in line.events {
      line.tell(.request(.confirmStored(token: inbound.token)))
    }
    line.run(for: .seconds(5), answering: HandPlayed.healthy)
    #expect(line.commands.contains("AT+CMGD=3"))
  }

  @Test func aMessageThatIsListedWithoutItsContentIsReadAlone() {
    let list = "\r\n+CMGL: 3,0,,24\r\n\r\n+CMGL: 4,0,,24\r\nGARBAGE\r\n"
    let read = line(listing: list, reading: "\r\n+CMGR: 0,,24\r\n\(Self.pdu)\r\n")
    #expect(read.count("AT+CMGR=3") == 1)
    #expect(read.count("AT+CMGR=4") == 1)
    #expect(received(read) == [Self.pdu, Self.pdu])
    #expect(read.session.status.storageUsed == 2)
    let words = logs(read.events, "modem_messages_unreadable")
    #expect(words.count == 1)
    #expect(words.first?.contains("2 messages in the storage SM (3, 4)") == true)
    // One that has none alone either is told of, and not asked for again and again.
    var never = line(listing: list)
    never.run(
      for: .seconds(3_600),
      answering: { command in
        command.hasPrefix("AT+CMGL") ? list + "\r\nOK\r\n" : StorageTests.onlyTheSIM(command)
      })
    #expect(never.count("AT+CMGR=3") == 1)
    #expect(logs(never.events, "modem_messages_unreadable").count == 1)
  }

  @Test(arguments: [(255, 255), (256, 0), (300, 44), (65_535, 255)] as [(Int, UInt8)])
  func aReferenceAboveAnOctetIsThatOfTheReport(_ given: Int, _ reference: UInt8) {
    var line = HandPlayed()
    line.start()
    line.send()
    line.run(
      for: .seconds(10),
      answering: { command in
        command.hasSuffix("\u{1A}")
          ? "\r\n+CMGS: \(given)\r\n\r\nOK\r\n" : HandPlayed.healthy(command)
      })
    #expect(line.outcomes == [.accepted(references: [reference])])
    #expect(logs(line.events, "modem_reference_reduced").count == (given > 255 ? 1 : 0))
  }

  // MARK: What others left

  @Test func anAlarmNamesWhatFillsAStorage() {
    var bench = Bench(modem: { $0.storageSize = 10 })
    bench.inject(.leftovers(9))
    bench.start()
    bench.pass(.seconds(10))
    let words = logs(bench.events, "modem_storage_filling")
    #expect(words.count == 1)
    #expect(words.first?.contains("9 messages of 10") == true, "\(words)")
    #expect(words.first?.contains("all of them are sent messages and drafts") == true)
    #expect(words.first?.contains("modem.delete_leftovers") == true)
    #expect(bench.session.status.storageLeftovers == 9)
    bench.pass(.seconds(3_600))
    #expect(!bench.commands.contains { $0.hasPrefix("AT+CMGD") }, "nobody said so")
  }

  @Test func whatOthersLeftIsDeletedWhereThatIsWanted() throws {
    var bench = Bench {
      $0.deletesLeftovers = true
    } modem: {
      $0.storageSize = 10
    }
    try bench.receive(from: StorageTests.sender, "came in")
    bench.inject(.leftovers(9))
    bench.start()
    bench.pass(.seconds(10))
    #expect(bench.stores.count { $0.kind == .deleted } == 9)
    #expect(bench.session.status.storageUsed == 1)
    #expect(logs(bench.events, "modem_leftovers_deleted").count == 1)
    // What came in is deleted when it is confirmed, and not before.
    #expect(texts(bench) == ["came in"])
    try bench.receive(from: StorageTests.sender, "there is room")
    bench.pass(.seconds(5))
    #expect(texts(bench) == ["came in", "there is room"])
  }
}
