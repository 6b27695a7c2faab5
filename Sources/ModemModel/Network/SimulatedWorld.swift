public import GSM
public import Time

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
  /// A modem's plug is pulled; to be put back by ``SimulatedWorld/setPlugged(_:modem:at:wall:)``.
  case unplugged(modem: Int, UnpluggedModem)
  /// This is to be told to the network elsewhere or, with a guest's number, to that guest.
  case signal(NetworkSignal, to: Int?)
}

/// Where the network of a world is.
public enum NetworkPlace: Hashable, Sendable {
  /// In the world itself; worlds elsewhere may be its guests.
  case here
  /// In another world, whose guest this one is.
  case elsewhere
  /// Nowhere: no modem finds it.
  case nowhere
}

/// Modems on one mobile network, as one value: the shell hands in bytes and the time, and carries out
/// what comes.
///
/// Several worlds can share a network: it is in one of them, and the others are its guests. What they
/// say to each other are ``NetworkSignal``s, which a shell carries.
public struct SimulatedWorld: Sendable {
  /// A message that waits for a terminal's acknowledgement, and to whom the network has to tell it.
  enum Owed: Sendable {
    case here(MobileNetwork.Delivery)
    case elsewhere(UInt64)
  }

  /// The modems, by their place.
  public internal(set) var modems: [SimulatedModem]
  /// Where the network is.
  public internal(set) var place = NetworkPlace.here
  /// Whether a modem's line is connected; nothing comes out of one that is not.
  var isConnected: [Bool]
  var network: MobileNetwork
  let numbers: [String]
  let seed: UInt64
  /// For each modem the message whose acknowledgement it waits for.
  var unacknowledged: [Owed?]
  /// For each modem the message that the network elsewhere is being asked about.
  var asking: [UInt64?]
  /// The modems of other worlds on the network here.
  var guests = Guests()
  var lastToken: UInt64 = 0

  /// Modems that are on since `now`, on a network of their own.
  public init(
    modems: [ModemSettings], behaviour: NetworkBehaviour = NetworkBehaviour(), seed: UInt64,
    at now: BootInstant
  ) {
    self.modems = modems.map { SimulatedModem(settings: $0, at: now) }
    self.seed = seed
    isConnected = Array(repeating: true, count: modems.count)
    network = MobileNetwork(behaviour: behaviour, seed: seed)
    numbers = modems.map(\.number)
    unacknowledged = Array(repeating: nil, count: modems.count)
    asking = Array(repeating: nil, count: modems.count)
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
    let network = place == .here ? network.deadline : nil
    return (modems.map(\.deadline) + [network]).compactMap { $0 }.min()
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
    let number = numbers[modem]
    if place == .here {
      try network.inject(from: sender, text: text, to: number, at: now, wall: wall)
    } else {
      try MobileNetwork.check(from: sender, text: text, to: number)
      outputs.append(.signal(.text(from: sender, to: number, text: text), to: nil))
    }
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

  /// Somebody opened a modem's port.
  public mutating func opened(modem: Int) {
    if modems.indices.contains(modem) { modems[modem].lineOpened() }
  }

  /// Pulls a modem's plug, or puts it back: it starts anew, and its SIM keeps its messages.
  public mutating func setPlugged(
    _ isPlugged: Bool, modem: Int, at now: BootInstant, wall: WallTime
  ) -> [WorldOutput] {
    var outputs: [WorldOutput] = []
    guard modems.indices.contains(modem) else { return outputs }
    isConnected[modem] = isPlugged
    if isPlugged { carry(modems[modem].powerCycled(at: now), modem, now, wall, &outputs) }
    pass(now, wall, &outputs)
    return outputs
  }

  // MARK: Between the parts

  mutating func pass(_ now: BootInstant, _ wall: WallTime, _ outputs: inout [WorldOutput]) {
    for modem in modems.indices {
      carry(modems[modem].advance(to: now), modem, now, wall, &outputs)
    }
    guard place == .here else { return }
    while true {
      let guests = guests
      let numbers = numbers
      let deliveries = network.due(at: now, wall: wall) {
        numbers.contains($0) || guests.knows($0)
      }
      if deliveries.isEmpty { break }
      for delivery in deliveries { hand(delivery, now, wall, &outputs) }
    }
    for event in network.takeEvents() {
      outputs.append(.network(event))
      let message = event.message
      for guest in self.guests.concerned(by: [message.from, message.to]) {
        outputs.append(.signal(.event(event), to: guest))
      }
    }
  }

  /// Hands a message to whose it is: to a modem here, or to a guest.
  private mutating func hand(
    _ delivery: MobileNetwork.Delivery, _ now: BootInstant, _ wall: WallTime,
    _ outputs: inout [WorldOutput]
  ) {
    if let modem = numbers.firstIndex(of: delivery.to) {
      let (answer, effects) = deliver(delivery.tpdu, to: modem, at: now)
      if answer == .later {
        unacknowledged[modem] = .here(delivery)
      } else {
        network.answered(delivery, taken: answer == .taken, at: now, wall: wall)
      }
      carry(effects, modem, now, wall, &outputs)
    } else if let (token, guest) = guests.hand(delivery) {
      outputs.append(
        .signal(.deliver(token: token, to: delivery.to, delivery.tpdu), to: guest))
    } else {
      network.answered(delivery, taken: false, at: now, wall: wall)
    }
  }

  /// Puts a message into a modem; one whose plug is pulled takes none.
  mutating func deliver(
    _ tpdu: TPDU, to modem: Int, at now: BootInstant
  ) -> (answer: DeliveryAnswer, effects: [ModemEffect]) {
    isConnected[modem] ? modems[modem].deliver(tpdu, at: now) : (.refused, [])
  }

  mutating func carry(
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
        effects += submit(submission, from: modem, now, wall, &outputs)
      case .reachable:
        guard isConnected[modem] else { continue }
        if place == .here { network.reachable(numbers[modem], at: now) }
        if place == .elsewhere { outputs.append(.signal(.reachable(numbers[modem]), to: nil)) }
      case .acknowledged(let isTaken): acknowledged(isTaken, modem, now, wall, &outputs)
      case .storeChanged(let change):
        outputs.append(.storeChanged(modem: modem, change))
      case .command(let text):
        outputs.append(.command(modem: modem, text))
      case .unplugged(let plug):
        isConnected[modem] = false
        outputs.append(.unplugged(modem: modem, plug))
      }
    }
  }

  /// Takes a message to the network, wherever it is.
  private mutating func submit(
    _ submission: Submission, from modem: Int, _ now: BootInstant, _ wall: WallTime,
    _ outputs: inout [WorldOutput]
  ) -> [ModemEffect] {
    switch place {
    case .here:
      let answer = network.submit(
        submission.message, from: numbers[modem], at: now, wall: wall)
      return modems[modem].submissionAnswered(answer, at: now)
    case .elsewhere:
      lastToken += 1
      asking[modem] = lastToken
      outputs.append(
        .signal(
          .submit(token: lastToken, from: numbers[modem], submission.message), to: nil))
      return []
    case .nowhere: return modems[modem].submissionAnswered(.refused(331), at: now)
    }
  }

  private mutating func acknowledged(
    _ isTaken: Bool, _ modem: Int, _ now: BootInstant, _ wall: WallTime,
    _ outputs: inout [WorldOutput]
  ) {
    switch unacknowledged[modem] {
    case .here(let delivery):
      network.answered(delivery, taken: isTaken, at: now, wall: wall)
    case .elsewhere(let token):
      if place == .elsewhere {
        outputs.append(.signal(.taken(token: token, isTaken), to: nil))
      }
    case nil: break
    }
    unacknowledged[modem] = nil
  }
}
