public import GSM
public import Timing

/// What comes out of a simulated world.
public enum WorldOutput: Hashable, Sendable {
  /// These bytes come out of the line of the modem with that place.
  case bytes(modem: Int, [UInt8])
  /// A modem's storage changed.
  case storeChanged(modem: Int, StoreChange)
  /// A command line came to a modem.
  case command(modem: Int, String)
  /// Something happened in the network.
  case network(NetworkEvent)
}

/// Modems on one mobile network, as one value: the shell hands in bytes and the time, and carries out
/// what comes.
public struct SimulatedWorld: Sendable {
  /// The modems, by their place.
  public private(set) var modems: [SimulatedModem]
  /// Whether a modem's line is connected; nothing comes out of one that is not.
  private var isConnected: [Bool]
  private var network: MobileNetwork
  private let numbers: [String]
  /// For each modem the message whose acknowledgement it waits for.
  private var unacknowledged: [MobileNetwork.Delivery?]

  /// Modems that are on since `now`, on a network of their own.
  public init(
    modems: [ModemSettings], behaviour: NetworkBehaviour = NetworkBehaviour(), seed: UInt64,
    at now: BootInstant
  ) {
    self.modems = modems.map { SimulatedModem(settings: $0, at: now) }
    isConnected = Array(repeating: true, count: modems.count)
    network = MobileNetwork(behaviour: behaviour, seed: seed)
    numbers = modems.map(\.number)
    unacknowledged = Array(repeating: nil, count: modems.count)
  }

  /// How the network treats messages from now on.
  public var behaviour: NetworkBehaviour {
    get { network.behaviour }
    set { network.behaviour = newValue }
  }

  /// Messages and reports that are on their way.
  public var inTransit: Int { network.inTransit }

  /// Takes bytes from the line of a modem.
  public mutating func receive(
    _ bytes: [UInt8], modem: Int, at now: BootInstant, wall: WallTime
  ) -> [WorldOutput] {
    var outputs: [WorldOutput] = []
    guard modems.indices.contains(modem) else { return outputs }
    modems[modem].synchronise(wall, at: now)
    carry(modems[modem].receive(bytes, at: now), modem, now, wall, &outputs)
    pass(now, wall, &outputs)
    return outputs
  }

  /// Lets time pass.
  public mutating func advance(to now: BootInstant, wall: WallTime) -> [WorldOutput] {
    var outputs: [WorldOutput] = []
    pass(now, wall, &outputs)
    return outputs
  }

  /// When ``advance(to:wall:)`` has something to do if nothing else happens.
  public var deadline: BootInstant? {
    (modems.map(\.deadline) + [network.deadline]).compactMap { $0 }.min()
  }

  /// Lets something go wrong with a modem.
  public mutating func inject(
    _ fault: ModemFault, modem: Int, at now: BootInstant, wall: WallTime
  ) -> [WorldOutput] {
    var outputs: [WorldOutput] = []
    guard modems.indices.contains(modem) else { return outputs }
    carry(modems[modem].inject(fault, at: now), modem, now, wall, &outputs)
    pass(now, wall, &outputs)
    return outputs
  }

  /// Lets a modem say something by itself.
  public mutating func tell(
    _ text: String, modem: Int, at now: BootInstant, wall: WallTime
  ) -> [WorldOutput] {
    var outputs: [WorldOutput] = []
    guard modems.indices.contains(modem) else { return outputs }
    carry(modems[modem].tell(unsolicited: text, at: now), modem, now, wall, &outputs)
    return outputs
  }

  /// Puts a text from outside into the network, to a modem's number.
  ///
  /// - Throws: `PDUError` when sender or text cannot be sent.
  public mutating func send(
    from sender: String, text: String, modem: Int, at now: BootInstant, wall: WallTime
  ) throws(PDUError) -> [WorldOutput] {
    var outputs: [WorldOutput] = []
    guard modems.indices.contains(modem) else { return outputs }
    try network.inject(
      from: sender, text: text, to: modems[modem].settings.number, at: now, wall: wall)
    pass(now, wall, &outputs)
    return outputs
  }

  /// Puts a message into a modem as it would come from the network.
  public mutating func deliver(
    _ tpdu: TPDU, modem: Int, at now: BootInstant, wall: WallTime
  ) -> (taken: Bool, outputs: [WorldOutput]) {
    var outputs: [WorldOutput] = []
    guard modems.indices.contains(modem) else { return (false, outputs) }
    let (answer, effects) = modems[modem].deliver(tpdu, at: now)
    carry(effects, modem, now, wall, &outputs)
    return (answer != .refused, outputs)
  }

  /// Pulls a modem's plug, or puts it back: it starts anew, and its SIM keeps its messages.
  public mutating func setPlugged(
    _ isPlugged: Bool, modem: Int, at now: BootInstant, wall: WallTime
  ) -> [WorldOutput] {
    var outputs: [WorldOutput] = []
    guard modems.indices.contains(modem) else { return outputs }
    isConnected[modem] = isPlugged
    if isPlugged { carry(modems[modem].inject(.restart, at: now), modem, now, wall, &outputs) }
    pass(now, wall, &outputs)
    return outputs
  }

  private mutating func pass(
    _ now: BootInstant, _ wall: WallTime, _ outputs: inout [WorldOutput]
  ) {
    for modem in modems.indices {
      carry(modems[modem].advance(to: now), modem, now, wall, &outputs)
    }
    while true {
      let deliveries = network.due(at: now, wall: wall) { numbers.contains($0) }
      if deliveries.isEmpty { break }
      for delivery in deliveries {
        guard let modem = numbers.firstIndex(of: delivery.to), isConnected[modem] else {
          network.answered(delivery, taken: false, at: now, wall: wall)
          continue
        }
        let (answer, effects) = modems[modem].deliver(delivery.tpdu, at: now)
        if answer == .later {
          unacknowledged[modem] = delivery
        } else {
          network.answered(delivery, taken: answer == .taken, at: now, wall: wall)
        }
        carry(effects, modem, now, wall, &outputs)
      }
    }
    outputs += network.takeEvents().map { .network($0) }
  }

  private mutating func carry(
    _ effects: [ModemEffect], _ modem: Int, _ now: BootInstant, _ wall: WallTime,
    _ outputs: inout [WorldOutput]
  ) {
    var effects = effects
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .bytes(let bytes):
        guard isConnected[modem] else { continue }
        if case .bytes(modem, let before) = outputs.last {
          outputs[outputs.count - 1] = .bytes(modem: modem, before + bytes)
        } else {
          outputs.append(.bytes(modem: modem, bytes))
        }
      case .submitted(let submission):
        let answer = network.submit(
          submission.message, from: modems[modem].settings.number, at: now, wall: wall)
        effects += modems[modem].submissionAnswered(answer, at: now)
      case .reachable:
        if isConnected[modem] { network.reachable(numbers[modem], at: now) }
      case .acknowledged(let taken):
        if let delivery = unacknowledged[modem] {
          unacknowledged[modem] = nil
          network.answered(delivery, taken: taken, at: now, wall: wall)
        }
      case .storeChanged(let change):
        outputs.append(.storeChanged(modem: modem, change))
      case .command(let text):
        outputs.append(.command(modem: modem, text))
      }
    }
  }
}
