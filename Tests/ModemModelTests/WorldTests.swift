import GSM
import ModemModel
import SeededRandom
import Testing
import Time

/// Two modems, Alice's and Bob's, on one network.
struct Town {
  var world: SimulatedWorld
  var now = BootInstant.seconds(1)
  var said = ["", ""]
  var events: [NetworkEvent] = []

  init(
    seed: UInt64 = 1, _ change: (inout ModemSettings) -> Void = { _ in },
    _ behave: (inout NetworkBehaviour) -> Void = { _ in }
  ) {
    var behaviour = NetworkBehaviour()
    behave(&behaviour)
    let modems = [Bench.alice, Bench.bob].map { number in
      var settings = ModemSettings(number: number)
      change(&settings)
      return settings
    }
    world = SimulatedWorld(modems: modems, behaviour: behaviour, seed: seed, at: now)
    for modem in 0...1 { _ = type("ATE0;+CNMI=2,1,0,2,0", modem) }
  }

  var wall: WallTime { WallTime(epochSeconds: 1_795_200_000) }

  mutating func type(_ line: String, _ modem: Int) -> String {
    raw([UInt8]((line + "\r").utf8), modem)
  }

  mutating func raw(_ bytes: [UInt8], _ modem: Int) -> String {
    said[modem] = ""
    take(world.receive(bytes, modem: modem, at: now, wall: wall))
    return said[modem]
  }

  mutating func wait(_ duration: Duration) {
    let end = now + duration
    while let deadline = world.deadline, deadline <= end {
      now = max(now, deadline)
      take(world.advance(to: now, wall: wall))
    }
    now = end
    take(world.advance(to: now, wall: wall))
  }

  mutating func inject(_ fault: ModemFault, _ modem: Int) {
    take(world.inject(fault, modem: modem, at: now, wall: wall))
  }

  mutating func take(_ outputs: [WorldOutput]) {
    for output in outputs {
      switch output {
      case .bytes(let modem, let bytes): said[modem] += String(decoding: bytes, as: UTF8.self)
      case .network(let event): events.append(event)
      case .storeChanged, .command, .signal, .unplugged: break
      }
    }
  }

  /// Alice sends a text to Bob, and hears that.
  mutating func send(_ text: String) throws -> String {
    let pdu = try Bench.pdu(text)
    _ = type("AT+CMGS=\(pdu.length)", 0)
    return raw([UInt8](pdu.hex.utf8) + [0x1A], 0)
  }

  /// The texts on Bob's SIM.
  mutating func texts() throws -> [String] {
    let lines = type("AT+CMGL=4", 1).split(separator: "\r\n")
    return try lines.filter { $0.hasPrefix("0891") }.map { line in
      guard
        case .deliver(let deliver) = try PDU.decode(hex: line, direction: .mobileTerminated).tpdu
      else { return "" }
      return deliver.userData.text ?? ""
    }
  }
}

@Suite struct WorldTests {
  @Test func aTextGoesFromOneToTheOther() throws {
    var town = Town()
    town.said[1] = ""
    #expect(try town.send("hello") == ok("+CMGS: 0") + "\r\n+CDSI: \"SR\",1\r\n")
    #expect(town.said[1] == "\r\n+CMTI: \"SM\",1\r\n")
    #expect(try town.texts() == ["hello"])
    #expect(town.type("AT+CCLK?", 0).contains("+CCLK: \"26/11/21,00:25:00+23\""))
  }

  @Test func aTextWaitsForAModemThatIsUnplugged() throws {
    var town = Town()
    town.take(town.world.setPlugged(false, modem: 1, at: town.now, wall: town.wall))
    _ = try town.send("hello")
    town.wait(.seconds(3_600))
    #expect(town.world.inTransit == 1)
    town.take(town.world.setPlugged(true, modem: 1, at: town.now, wall: town.wall))
    #expect(town.world.inTransit == 0)
    #expect(try town.texts() == ["hello"])
  }

  @Test func aTextWaitsForRegistrationAndRoom() throws {
    var town = Town({ $0.storageSize = 1 })
    town.inject(.unregistered(.seconds(40)), 1)
    _ = try town.send("first")
    _ = try town.send("second")
    town.wait(.seconds(39))
    #expect(try town.texts().isEmpty)
    town.wait(.seconds(1))
    #expect(try town.texts() == ["first"])
    town.wait(.seconds(600))
    #expect(try town.texts() == ["first"])
    _ = town.type("AT+CMGD=1", 1)
    #expect(try town.texts() == ["second"])
  }

  @Test func aHandedOverTextThatNobodyAcknowledgesComesAgain() throws {
    var town = Town()
    _ = town.type("AT+CSMS=1;+CNMI=2,2,0,1,0", 1)
    _ = try town.send("hello")
    #expect(town.said[1].contains("+CMT: ,"))
    town.wait(.seconds(14))
    #expect(!town.events.contains { if case .delivered = $0 { true } else { false } })
    town.wait(.seconds(60))
    #expect(try town.texts() == ["hello"])
    _ = town.type("AT+CNMI=2,2,0,1,0", 1)
    _ = try town.send("again")
    _ = town.type("AT+CNMA", 1)
    #expect(town.world.inTransit == 0)
  }

  @Test func anAnswerThatIsLostLosesNoText() throws {
    var town = Town()
    town.inject(.loseAnswer, 0)
    #expect(!(try town.send("hello")).contains("+CMGS"))
    #expect(try town.texts() == ["hello"])
  }

  @Test func textsFromOutsideAndPDUs() throws {
    var town = Town()
    town.take(
      try town.world.send(from: "NTC", text: "hello", modem: 1, at: town.now, wall: town.wall))
    let (taken, outputs) = town.world.deliver(
      try Bench.message("direct"), modem: 1, at: town.now, wall: town.wall)
    town.take(outputs)
    #expect(taken)
    #expect(try town.texts() == ["hello", "direct"])
    #expect(town.world.receive([0x41], modem: 9, at: town.now, wall: town.wall).isEmpty)
  }

  @Test("A long day under a seed arrives in full", arguments: [UInt64](0..<20))
  func day(_ seed: UInt64) throws {
    var town = Town(
      seed: seed, { $0.storageSize = 5 },
      {
        $0.delay = .zero...(.seconds(90))
        $0.reordering = 0.2
      })
    // Nobody reads reports here, and they would fill their storage.
    _ = town.type("AT+CNMI=2,1,0,0,0", 0)
    var generator = SplitMix64(seed: seed)
    var arrived: [String] = []
    let texts = (0..<40).map { "text \($0)" }
    for text in texts {
      if generator.happens(onceIn: 5) { town.inject(.unregistered(.seconds(120)), 1) }
      if generator.happens(onceIn: 9) {
        town.inject(.restart, 1)
        _ = town.type("ATE0", 1)
      }
      #expect(try town.send(text).contains("+CMGS"), "seed \(seed)")
      town.wait(.seconds(Int64.random(in: 0...60, using: &generator)))
      arrived += try town.texts()
      _ = town.type("AT+CMGD=1,4", 1)
    }
    for _ in 0..<20 {
      town.wait(.seconds(300))
      arrived += try town.texts()
      _ = town.type("AT+CMGD=1,4", 1)
    }
    #expect(arrived.sorted() == texts.sorted(), "seed \(seed)")
    #expect(town.world.inTransit == 0, "seed \(seed)")
  }

  @Test func nothingIsDueForEver() throws {
    var town = Town()
    for (_, fault) in FaultTextTests.named { town.inject(fault, 0) }
    town.inject(.mute(nil), 1)
    town.inject(.unregistered(nil), 1)
    _ = try? town.send("x")
    town.wait(.seconds(600))
    // A deadline that has passed would keep a processor busy.
    if let deadline = town.world.deadline { #expect(deadline > town.now) }
  }
}
