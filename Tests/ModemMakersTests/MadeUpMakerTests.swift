import Events
import GSM
import ModemDiscovery
import ModemMakers
import ModemModel
import ModemSession
import Testing
import Time

/// A session and a simulated modem on one line, under a clock of their own.
private struct Line {
  var session: ModemSession
  var world: SimulatedWorld
  var now = BootInstant.zero
  var commands: [String] = []
  var events: [ModemEvent] = []

  init(_ makers: MakerList, _ profile: ModemProfile) {
    session = ModemSession(configuration: ModemConfiguration(port: "/dev/modem"), makers: makers)
    var settings = ModemSettings(number: "+9779801000001")
    settings.profile = profile
    world = SimulatedWorld(modems: [settings], seed: 1, at: .zero)
    tell(.start)
    pass(.seconds(2))
  }

  private var wall: WallTime { WallTime(epochSeconds: 1_773_450_000) + (now - .zero) }

  mutating func tell(_ input: SessionInput) {
    var inputs = [input]
    while !inputs.isEmpty {
      for effect in session.handle(inputs.removeFirst(), at: now) {
        switch effect {
        case .open: inputs.append(.opened(path: "/dev/modem"))
        case .write(let bytes):
          inputs += heard(world.receive(bytes, modem: 0, at: now, wall: wall))
        case .event(let event): events.append(event)
        default: break
        }
      }
    }
  }

  private mutating func heard(_ outputs: [WorldOutput]) -> [SessionInput] {
    var inputs: [SessionInput] = []
    for output in outputs {
      switch output {
      case .bytes(_, let bytes): inputs.append(.received(bytes))
      case .command(_, let text): commands.append(text)
      default: break
      }
    }
    return inputs
  }

  mutating func inject(_ fault: ModemFault) {
    for input in heard(world.inject(fault, modem: 0, at: now, wall: wall)) { tell(input) }
    pass(.seconds(20))
  }

  mutating func pass(_ duration: Duration) {
    let end = now + duration
    while let next = [session.deadline, world.deadline].compactMap({ $0 }).min(), next <= end {
      now = max(now, next)
      for input in heard(world.advance(to: now, wall: wall)) { tell(input) }
      tell(.timePassed)
    }
    now = end
  }

  mutating func send(_ id: Int64) -> SendOutcome? {
    tell(.request(.send(OutgoingText(id: id, to: "+15550100", body: "text"))))
    pass(.seconds(5))
    return events.compactMap {
      if case .sendOutcome(id, let outcome) = $0 { outcome } else { nil }
    }.last
  }

  func logs(_ name: String) -> [Event] {
    events.compactMap { if case .log(let entry) = $0, entry.name == name { entry } else { nil } }
  }
}

/// A maker that one file adds.
@Suite struct MadeUpMakerTests {
  private let makers = MakerList(MakerList.known.makers + [.himal])

  @Test func itIsSetUpAndSends() {
    var line = Line(makers, .himal)
    #expect(line.session.status.state == .ready)
    #expect(line.session.status.profile == "himal")
    #expect(line.commands.contains("AT%HURC=0"))
    #expect(line.send(1) == .accepted(references: [0]))
  }

  @Test func itsErrorsAreItsOwn() {
    var line = Line(makers, .himal)
    line.inject(.refuse(code: 322, times: 1))
    guard case .refused(let error)? = line.send(1) else {
      Issue.record("the text was not refused: \(line.events)")
      return
    }
    #expect(error.code == 700)
    #expect(error.words == "outbox full")
    #expect(error.errorClass == .storage)
  }

  @Test func itsLinesAreUnderstood() {
    var line = Line(makers, .himal)
    line.inject(.restart)
    #expect(line.session.status.starts == 1)
    #expect(line.session.status.state == .ready)
    #expect(line.commands.count { $0 == "AT%HURC=0" } == 2)
    line.inject(.noise)
    line.pass(.seconds(120))
    #expect(line.logs("modem_warns").count == 1)
  }

  @Test func itsPortIsFound() {
    func device(_ product: UInt16) -> USBDevice {
      USBDevice(socket: "1-1", id: USBID(vendor: 0xF00D, product: product))
    }
    let ports = [0, 2, 3].map {
      USBPort(path: "/dev/ttyUSB\($0)", socket: "1-1", interface: UInt8($0), driver: "option")
    }
    let table = DeviceTable(makers)
    let inventory = PortInventory(devices: [device(1)], ports: ports, table: table)
    #expect(PortPlan(.automatic, in: inventory).candidates.first?.path == "/dev/ttyUSB2")
    #expect(inventory.name(of: device(1)) == "Himal HM1 (f00d:0001)")
    let switched = PortInventory(devices: [device(0x0FFF)], table: table)
    #expect(switched.kind(of: device(0x0FFF)) == .storageMode)
  }

  @Test func withoutItTheModemKeepsToTheStandards() {
    var line = Line(.known, .himal)
    #expect(line.session.status.profile == "generic")
    #expect(!line.commands.contains("AT%HURC=0"))
    #expect(line.send(1) == .accepted(references: [0]))
  }
}
