import GSM
import ModemModel
import ModemSession
import Timing

/// A session and a simulated modem on one line, under a clock of their own: hours in milliseconds.
struct Bench {
  var session: ModemSession
  var world: SimulatedWorld
  var now = BootInstant.zero
  var isPlugged = true
  var events: [ModemEvent] = []
  var commands: [String] = []
  var resets: [RecoveryStep] = []
  var traces: [String] = []
  /// The cards on which the PIN was tried and is not known to be right.
  var claims: [String] = []
  private var inputs: [SessionInput] = []

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
          inputs.append(
            isPlugged
              ? .opened(path: "/dev/modem") : .openFailed(reason: "no such port", isAbsent: true))
        case .write(let bytes):
          if isPlugged { hear(world.receive(bytes, modem: 0, at: now, wall: wall)) }
        case .event(let event): events.append(event)
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
      case .command(_, let text): commands.append(text)
      case .network, .storeChanged, .signal, .unplugged: break
      }
    }
  }

  /// Lets time pass until `moment`, doing all that falls due.
  mutating func pass(until moment: BootInstant) {
    while let next = [session.deadline, world.deadline].compactMap({ $0 }).min(), next <= moment {
      now = max(now, next)
      hear(world.advance(to: now, wall: wall))
      tell(.timePassed)
    }
    now = moment
    hear(world.advance(to: now, wall: wall))
    tell(.timePassed)
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
