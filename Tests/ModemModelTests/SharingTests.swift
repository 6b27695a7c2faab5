import GSM
import ModemModel
import SeededRandom
import Testing
import Time

/// Worlds of one modem each, and what a shell would carry between them: every signal goes over as a
/// line of text.
struct Country {
  var worlds: [SimulatedWorld]
  var now = BootInstant.seconds(1)
  var said: [String]
  var events: [[NetworkEvent]]
  /// Where the network is; the others are its guests, by their places. Nil when it is nowhere.
  var network: Int?
  /// Guests whose connection is cut.
  var cut: Set<Int> = []

  init(_ numbers: [String], _ change: (inout ModemSettings) -> Void = { _ in }) {
    var worlds: [SimulatedWorld] = []
    for number in numbers {
      var settings = ModemSettings(number: number)
      change(&settings)
      worlds.append(SimulatedWorld(modems: [settings], seed: 1, at: .seconds(1)))
    }
    self.worlds = worlds
    said = numbers.map { _ in "" }
    events = numbers.map { _ in [] }
    gather(at: 0)
    for place in numbers.indices { _ = type("ATE0;+CNMI=2,1,0,2,0;+CREG=1", place) }
  }

  var wall: WallTime { WallTime(epochSeconds: 1_795_200_000) }

  /// One of them becomes the network, and the others join it.
  mutating func gather(at network: Int) {
    self.network = network
    take(network, worlds[network].move(network: .here, at: now, wall: wall))
    for place in worlds.indices where place != network { join(place) }
  }

  mutating func join(_ place: Int) {
    guard let network else { return }
    cut.remove(place)
    let numbers = worlds[place].modems.map(\.settings.number)
    carry(.join(numbers: numbers), from: place, to: network)
  }

  /// The network's process ends.
  mutating func scatter() {
    guard let network else { return }
    self.network = nil
    for place in worlds.indices where place != network {
      take(place, worlds[place].move(network: .nowhere, at: now, wall: wall))
    }
  }

  /// A guest's process ends, and its modem with it.
  mutating func end(_ place: Int) {
    guard let network else { return }
    cut.insert(place)
    take(network, worlds[network].leave(guest: place, at: now, wall: wall))
  }

  mutating func type(_ line: String, _ place: Int) -> String {
    raw([UInt8]((line + "\r").utf8), place)
  }

  mutating func raw(_ bytes: [UInt8], _ place: Int) -> String {
    said[place] = ""
    take(place, worlds[place].receive(bytes, modem: 0, at: now, wall: wall))
    return said[place]
  }

  mutating func send(_ text: String, from: Int, to number: String) throws -> String {
    var options = SubmitOptions()
    options.requestsStatusReport = true
    let pdus = try MessageComposer.submit(text: text, to: Address(number), options: options)
    let pdu = try #require(pdus.first)
    _ = type("AT+CMGS=\(pdu.length)", from)
    return raw([UInt8](pdu.hex.utf8) + [0x1A], from)
  }

  mutating func wait(_ duration: Duration) {
    let end = now + duration
    while let deadline = worlds.compactMap(\.deadline).min(), deadline <= end {
      now = max(now, deadline)
      for place in worlds.indices { take(place, worlds[place].advance(to: now, wall: wall)) }
    }
    now = end
  }

  mutating func take(_ place: Int, _ outputs: [WorldOutput]) {
    for output in outputs {
      switch output {
      case .bytes(_, let bytes): said[place] += String(decoding: bytes, as: UTF8.self)
      case .network(let event): events[place].append(event)
      case .signal(let signal, let guest?): carry(signal, from: place, to: guest)
      case .signal(let signal, nil):
        if let network { carry(signal, from: place, to: network) }
      case .storeChanged, .command, .unplugged: break
      }
    }
  }

  private mutating func carry(_ signal: NetworkSignal, from: Int, to: Int) {
    guard !cut.contains(from), !cut.contains(to) else { return }
    let arrived = NetworkSignal(line: signal.line)
    #expect(arrived == signal, "\(signal.line)")
    guard let arrived else { return }
    if to == network {
      take(to, worlds[to].receive(arrived, from: from, at: now, wall: wall))
    } else if arrived == .welcome {
      take(to, worlds[to].move(network: .elsewhere, at: now, wall: wall))
    } else {
      take(to, worlds[to].receive(arrived, at: now, wall: wall))
    }
  }
}

@Suite struct SharingTests {
  static let carol = "+9779800000003"

  @Test func textsCrossBetweenWorlds() throws {
    var country = Country([Bench.alice, Bench.bob, SharingTests.carol])
    // From a guest to a guest: the answer, the text, and the report of it.
    country.said[2] = ""
    let answer = try country.send("नमस्ते % and\nlines", from: 1, to: SharingTests.carol)
    #expect(answer.contains("+CMGS: 0"))
    #expect(answer.contains("+CDSI: \"SR\",1"))
    #expect(country.said[2] == "\r\n+CMTI: \"SM\",1\r\n")
    // From a guest to the network's own modem, and back.
    _ = try country.send("to alice", from: 1, to: Bench.alice)
    #expect(country.said[0].contains("+CMTI"))
    _ = try country.send("to bob", from: 0, to: Bench.bob)
    #expect(country.type("AT+CPMS?", 1).contains("\"SM\",1,30"))
    // A number that nobody has leaves for the world outside.
    #expect(try country.send("out", from: 2, to: "+9779800000009").contains("+CMGS: 0"))
    #expect(country.events[0].contains { if case .left = $0 { true } else { false } })
    // Guests see what concerns them, and no more.
    #expect(
      country.events[2].allSatisfy {
        [$0.message.from, $0.message.to].contains(SharingTests.carol)
      })
    #expect(country.events[2].contains { if case .delivered = $0 { true } else { false } })
  }

  @Test func aNumberIsThereOnce() {
    var country = Country([Bench.alice, Bench.bob])
    for number in [Bench.alice, Bench.bob] {
      let outputs = country.worlds[0].receive(
        .join(numbers: ["+9779800000008", number]), from: 7, at: country.now, wall: country.wall)
      #expect(outputs == [.signal(.numberTaken(number), to: 7)])
    }
    country.end(1)
    let outputs = country.worlds[0].receive(
      .join(numbers: [Bench.bob]), from: 7, at: country.now, wall: country.wall)
    #expect(outputs == [.signal(.welcome, to: 7)])
  }

  @Test func aTextWaitsForAGuestThatHasGone() throws {
    var country = Country([Bench.alice, Bench.bob])
    country.end(1)
    _ = try country.send("hello", from: 0, to: Bench.bob)
    country.wait(.seconds(3_600))
    #expect(country.worlds[0].inTransit == 1)
    country.said[1] = ""
    country.join(1)
    country.wait(.seconds(60))
    #expect(country.worlds[0].inTransit == 0)
    #expect(country.said[1].contains("+CMTI"))
  }

  @Test func whatAGuestWasHandedAndDidNotAnswerWaits() throws {
    var country = Country([Bench.alice, Bench.bob])
    country.cut.insert(1)
    _ = try country.send("hello", from: 0, to: Bench.bob)
    #expect(country.worlds[0].inTransit == 0)
    country.end(1)
    #expect(country.worlds[0].inTransit == 1)
  }

  @Test func aGuestsTerminalAcknowledges() throws {
    var country = Country([Bench.alice, Bench.bob])
    _ = country.type("AT+CSMS=1;+CNMI=2,2,0,1,0", 1)
    _ = try country.send("hello", from: 0, to: Bench.bob)
    #expect(!country.events[0].contains { if case .delivered = $0 { true } else { false } })
    _ = country.type("AT+CNMA", 1)
    #expect(country.events[0].contains { if case .delivered = $0 { true } else { false } })
  }

  @Test func whenTheNetworkEndsAnotherBeginsOne() throws {
    var country = Country([Bench.alice, Bench.bob, SharingTests.carol]) {
      $0.registrationDelay = .seconds(3)
    }
    country.wait(.seconds(3))
    country.said[1] = ""
    country.scatter()
    #expect(country.said[1] == "\r\n+CREG: 2\r\n")
    #expect(country.type("AT+CREG?;+CSQ", 2) == ok("+CREG: 1,2", "+CSQ: 99,99"))
    #expect(try country.send("x", from: 1, to: SharingTests.carol).contains("+CMS ERROR: 331"))
    country.said[1] = ""
    country.cut.insert(0)
    country.network = 1
    country.take(
      1, country.worlds[1].move(network: .here, at: country.now, wall: country.wall))
    country.join(2)
    #expect(country.type("AT+CREG?", 1) == ok("+CREG: 1,2"))
    country.wait(.seconds(3))
    #expect(country.said[1].contains("+CREG: 1"))
    #expect(try country.send("x", from: 2, to: Bench.bob).contains("+CMGS"))
    #expect(country.type("AT+CPMS?", 1).contains("\"SM\",1,30"))
  }

  @Test func aTextUnderWayWhenTheNetworkEndsHasAnUnknownOutcome() throws {
    var country = Country([Bench.alice, Bench.bob])
    // The network hears it, and its answer is lost.
    country.cut.insert(1)
    #expect(try country.send("x", from: 1, to: Bench.alice) == "")
    country.scatter()
    #expect(country.said[1].contains("+CMS ERROR: 332"))
    #expect(country.type("AT", 1) == ok())
  }

  @Test func anAnswerToAMessageBeforeARestartIsNobodys() throws {
    var country = Country([Bench.alice, Bench.bob])
    country.cut.insert(1)
    _ = try country.send("x", from: 1, to: Bench.alice)
    let (now, wall) = (country.now, country.wall)
    country.take(1, country.worlds[1].inject(.restart, modem: 0, at: now, wall: wall))
    country.cut.remove(1)
    country.said[1] = ""
    country.take(
      1, country.worlds[1].receive(.answer(token: 1, .accepted), at: now, wall: wall))
    #expect(country.said[1] == "")
    _ = country.type("ATE0", 1)
    #expect(try country.send("y", from: 1, to: Bench.alice).contains("+CMGS: 1"))
  }

  @Test func aGuestSpeaksForItsOwnModemsOnly() throws {
    var country = Country([Bench.alice, Bench.bob, SharingTests.carol])
    let submit = try MessageComposer.messages(text: "x", to: try Address(Bench.alice))
    for signal in [
      NetworkSignal.submit(token: 1, from: SharingTests.carol, try #require(submit.first)),
      .text(from: "NTC", to: SharingTests.carol, text: "x"), .reachable(SharingTests.carol),
      .taken(token: 99, true), .welcome,
    ] {
      let outputs = country.worlds[0].receive(
        signal, from: 1, at: country.now, wall: country.wall)
      #expect(outputs.isEmpty, "\(signal)")
    }
  }
}

@Suite struct NetworkSignalTests {
  @Test func aLineSaysAll() {
    let message = NetworkMessage(
      id: 7, from: Bench.alice, to: Bench.bob, text: " a % b\r\n\u{301}", reference: 255)
    var empty = message
    empty.text = ""
    var none = message
    none.text = nil
    let events: [NetworkEvent] = [
      .submitted(message), .refused(message, code: 38), .delivered(empty), .waiting(none),
      .left(message), .duplicated(message), .lost(message), .expired(message),
      .reported(message, status: 0x46),
    ]
    let signals =
      events.map { NetworkSignal.event($0) } + [
        .join(numbers: [Bench.alice, Bench.bob]), .welcome, .numberTaken(Bench.alice),
        .reachable(Bench.bob), .taken(token: .max, false), .answer(token: 1, .refused(500)),
        .answer(token: 2, .accepted), .text(from: "NTC info", to: Bench.bob, text: ""),
      ]
    for signal in signals {
      #expect(NetworkSignal(line: signal.line) == signal, "\(signal.line)")
      #expect(!signal.line.contains("\n"))
    }
    #expect(NetworkSignal.welcome.line == "welcome 1")
  }

  @Test(arguments: [
    "", " ", "join", "join 1", "join 2 +9779800000001", "join 1 bob", "welcome", "welcome 2",
    "submit 1 +977", "submit x +9779800000001 0011000B", "submit 1 +9779800000001 ",
    "submit 1 +9779800000001 04", "taken 1 2", "taken -1 1", "answer 1 -1", "answer 1 1000",
    "deliver 1 +9779800000001 01", "event", "event delivered x a b 1 0", "event lost 1 a b 256 0",
    "event reported 1 a b 1 256", "reachable", "reachable %", "text a b %4", "text a b %zz",
    "text a b %FF", "text a  c", "nonsense 1",
  ])
  func whatIsNoSignalIsNone(line: String) {
    let isOne = NetworkSignal(line: line) != nil
    #expect(isOne == (line == "reachable %"), "\(line)")
  }

  @Test func anyBytesAreReadOrNot() {
    var generator = SplitMix64(seed: 5)
    let words = [
      "join", "submit", "taken", "deliver", "event", "text", "answer", "1", "0", "%", "%20",
      "+9779800000001", "0891", "lost", "é", "-", "99999999999999999999999",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<9, using: &generator)
      let line = (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }
      guard let signal = NetworkSignal(line: line.joined(separator: " ")) else { continue }
      #expect(NetworkSignal(line: signal.line) == signal)
    }
    #expect(NetworkSignal(line: "text a b " + String(repeating: "x", count: 1 << 18)) == nil)
  }
}
