import GSM
import ModemModel
import ModemSession
import Time

/// A session and a simulated modem on one line, under a clock of their own: hours in milliseconds.
struct Bench {
  var session: ModemSession
  var world: SimulatedWorld
  var now = BootInstant.zero
  var isPlugged = true
  var events: [ModemEvent] = []
  /// When each of them came.
  var eventTimes: [BootInstant] = []
  var network: [NetworkEvent] = []
  var stores: [StoreChange] = []
  /// Whether the device goes away and comes back when the modem is told to restart, as USB sticks do.
  var vanishesOnRestart = false
  var commands: [String] = []
  var resets: [RecoveryStep] = []
  var traces: [String] = []
  /// The cards on which the PIN was tried and is not known to be right.
  var claims: [String] = []
  private var inputs: [SessionInput] = []
  /// When the device goes away, and when it comes back.
  private var goesAt: BootInstant?
  private var comesAt: BootInstant?

  init(
    _ change: (inout ModemConfiguration) -> Void = { _ in },
    modem: (inout ModemSettings) -> Void = { _ in }
  ) {
    var configuration = ModemConfiguration(port: "/dev/modem")
    change(&configuration)
    session = ModemSession(configuration: configuration)
    var settings = ModemSettings(number: "+9779801000001")
    modem(&settings)
    world = SimulatedWorld(modems: [settings], seed: 1, at: .zero)
  }

  private var wall: WallTime { WallTime(epochSeconds: 1_773_450_000) + (now - .zero) }

  mutating func tell(_ input: SessionInput) {
    inputs.append(input)
    while !inputs.isEmpty {
      for effect in session.handle(inputs.removeFirst(), at: now) {
        switch effect {
        case .open:
          if isPlugged { world.opened(modem: 0) }
          inputs.append(
            isPlugged
              ? .opened(path: "/dev/modem") : .openFailed(reason: "no such port", .absent))
        case .write(let bytes):
          if isPlugged { hear(world.receive(bytes, modem: 0, at: now, wall: wall)) }
        case .event(let event):
          events.append(event)
          eventTimes.append(now)
        case .claimPIN(let card, _): inputs.append(.pinClaimed(claim(card)))
        case .pinTried(let card, true): claims.removeAll { $0 == (card ?? "") }
        case .reset(let step):
          resets.append(step)
          inputs.append(.resetFinished("done"))
        case .keepTrace(let reason): traces.append(reason)
        case .close, .stopped, .pinTried: break
        }
      }
    }
  }

  private mutating func claim(_ card: String?) -> Bool {
    guard !claims.contains(card ?? "") else { return false }
    claims.append(card ?? "")
    return true
  }

  private mutating func hear(_ outputs: [WorldOutput]) {
    for output in outputs {
      switch output {
      case .bytes(_, let bytes): if isPlugged { inputs.append(.received(bytes)) }
      case .command(_, let text):
        commands.append(text)
        if vanishesOnRestart, text == "AT+CFUN=1,1" { goesAt = now + .milliseconds(200) }
      case .network(let event): network.append(event)
      case .storeChanged(_, let change): stores.append(change)
      case .unplugged(_, let plug):
        isPlugged = false
        comesAt = plug.duration.map { now + $0 }
        inputs.append(.closed(reason: "/dev/modem: the device went away"))
      case .signal: break
      }
    }
  }

  /// Lets time pass until `moment`, doing all that falls due.
  mutating func pass(until moment: BootInstant) {
    while let next = deadline, next <= moment {
      now = max(now, next)
      moveDevice()
      hear(world.advance(to: now, wall: wall))
      tell(.timePassed)
    }
    now = moment
    hear(world.advance(to: now, wall: wall))
    tell(.timePassed)
  }

  /// When something happens next by itself.
  var deadline: BootInstant? {
    [session.deadline, world.deadline, goesAt, comesAt].compactMap { $0 }.min()
  }

  /// Takes the device away or puts it back when it is time.
  private mutating func moveDevice() {
    if let moment = goesAt, moment <= now {
      goesAt = nil
      comesAt = now + .seconds(4)
      unplug()
    } else if let moment = comesAt, moment <= now {
      comesAt = nil
      plug()
    }
  }

  mutating func pass(_ duration: Duration) {
    pass(until: now + duration)
  }

  mutating func inject(_ fault: ModemFault) {
    hear(world.inject(fault, modem: 0, at: now, wall: wall))
    tell(.timePassed)
  }

  mutating func receive(from sender: String, _ text: String) throws {
    hear(try world.send(from: sender, text: text, modem: 0, at: now, wall: wall))
    tell(.timePassed)
  }

  mutating func unplug() {
    isPlugged = false
    hear(world.setPlugged(false, modem: 0, at: now, wall: wall))
    tell(.closed(reason: "/dev/modem: the device went away"))
  }

  mutating func plug() {
    isPlugged = true
    hear(world.setPlugged(true, modem: 0, at: now, wall: wall))
    tell(.portChanged)
  }

  /// Starts, and lets the setup end.
  mutating func start() {
    tell(.start)
    pass(.seconds(1))
  }

  mutating func send(_ id: Int64, _ body: String = "text", to number: String = "+15550100") {
    tell(.request(.send(OutgoingText(id: id, to: number, body: body))))
  }

  /// The outcomes of texts, in order.
  var outcomes: [(id: Int64, outcome: SendOutcome)] {
    events.compactMap {
      if case .sendOutcome(let id, let outcome) = $0 { (id, outcome) } else { nil }
    }
  }

  var received: [InboundPDU] {
    events.compactMap { if case .received(let inbound) = $0 { inbound } else { nil } }
  }
}
