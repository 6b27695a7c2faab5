import GSM
public import Time

/// One network for several worlds: it is in one, and the others are its guests.
extension SimulatedWorld {
  /// The network is somewhere else from now on.
  ///
  /// A network that begins here has nothing on its way and knows nobody's number but those here; what
  /// was on its way in a network that is gone is gone with it. Where there is none, the modems look
  /// for one, and a message that was being sent is answered with 332, network timeout: whether it was
  /// taken nobody knows.
  public mutating func move(
    network place: NetworkPlace, at now: BootInstant, wall: WallTime
  ) -> [WorldOutput] {
    var outputs: [WorldOutput] = []
    guard place != self.place else { return outputs }
    self.place = place
    if place == .here { network = MobileNetwork(behaviour: network.behaviour, seed: seed) }
    guests = Guests()
    for modem in modems.indices {
      unacknowledged[modem] = nil
      if asking[modem] != nil {
        asking[modem] = nil
        carry(
          modems[modem].submissionAnswered(.refused(332), at: now), modem, now, wall, &outputs)
      }
      carry(
        modems[modem].setCoverage(place != .nowhere, at: now), modem, now, wall, &outputs)
    }
    pass(now, wall, &outputs)
    return outputs
  }

  /// Takes what the network elsewhere says.
  public mutating func receive(
    _ signal: NetworkSignal, at now: BootInstant, wall: WallTime
  ) -> [WorldOutput] {
    var outputs: [WorldOutput] = []
    guard place == .elsewhere else { return outputs }
    switch signal {
    case .answer(let token, let answer):
      if let modem = asking.firstIndex(of: token) {
        asking[modem] = nil
        carry(
          modems[modem].submissionAnswered(answer, at: now), modem, now, wall, &outputs)
      }
    case .deliver(let token, let number, let tpdu):
      guard let modem = numbers.firstIndex(of: number) else {
        outputs.append(.signal(.taken(token: token, false), to: nil))
        break
      }
      let (answer, effects) = deliver(tpdu, to: modem, at: now)
      if answer == .later {
        unacknowledged[modem] = .elsewhere(token)
      } else {
        outputs.append(.signal(.taken(token: token, answer == .taken), to: nil))
      }
      carry(effects, modem, now, wall, &outputs)
    case .event(let event): outputs.append(.network(event))
    case .welcome, .numberTaken, .join, .submit, .taken, .reachable, .text: break
    }
    pass(now, wall, &outputs)
    return outputs
  }

  /// Takes what a guest says to the network here.
  ///
  /// - Parameter guest: Any number that the shell gives it, and gives to no other.
  public mutating func receive(
    _ signal: NetworkSignal, from guest: Int, at now: BootInstant, wall: WallTime
  ) -> [WorldOutput] {
    var outputs: [WorldOutput] = []
    guard place == .here else { return outputs }
    switch signal {
    case .join(let wanted):
      if let taken = wanted.first(where: { numbers.contains($0) || guests.owner(of: $0) != nil })
        ?? guests.add(guest, numbers: wanted)
      {
        outputs.append(.signal(.numberTaken(taken), to: guest))
      } else {
        outputs.append(.signal(.welcome, to: guest))
      }
    case .submit(let token, let sender, let message):
      guard guests.owner(of: sender) == guest else { break }
      let answer = network.submit(message, from: sender, at: now, wall: wall)
      outputs.append(.signal(.answer(token: token, answer), to: guest))
    case .taken(let token, let isTaken):
      if let delivery = guests.answered(token, by: guest) {
        network.answered(delivery, taken: isTaken, at: now, wall: wall)
      }
    case .reachable(let number):
      if guests.owner(of: number) == guest { network.reachable(number, at: now) }
    case .text(let sender, let number, let text):
      // The guest has looked whether it can be sent; what comes from another program may be anything.
      if guests.owner(of: number) == guest {
        try? network.inject(from: sender, text: text, to: number, at: now, wall: wall)
      }
    case .welcome, .numberTaken, .answer, .deliver, .event: break
    }
    pass(now, wall, &outputs)
    return outputs
  }

  /// A guest has gone: its modems are off, and what they did not take waits until they are back.
  public mutating func leave(
    guest: Int, at now: BootInstant, wall: WallTime
  ) -> [WorldOutput] {
    var outputs: [WorldOutput] = []
    for delivery in guests.remove(guest) {
      network.answered(delivery, taken: false, at: now, wall: wall)
    }
    pass(now, wall, &outputs)
    return outputs
  }
}

/// The modems of other worlds on a network, and what they were handed.
struct Guests: Sendable {
  private struct Handed: Sendable {
    var guest: Int
    var delivery: MobileNetwork.Delivery
  }

  /// Whose modem has a number now. A number that nobody has now is that of a modem which is off.
  private var owners: [String: Int?] = [:]
  private var handed: [UInt64: Handed] = [:]
  private var lastToken: UInt64 = 0

  /// Whether there is a modem of that number, on or off.
  func knows(_ number: String) -> Bool { owners[number] != nil }

  /// The guest whose modem has a number.
  func owner(of number: String) -> Int? { owners[number] ?? nil }

  /// The guests that have one of these numbers, each once, in their order.
  func concerned(by numbers: [String]) -> [Int] {
    Set(numbers.compactMap { owner(of: $0) }).sorted()
  }

  /// Puts a guest's modems on the network; a number that cannot be, or nil when all of them are.
  mutating func add(_ guest: Int, numbers: [String]) -> String? {
    let new = Set(numbers.filter { owners[$0] == nil })
    guard owners.count + new.count <= Limits.subscribers, Set(numbers).count == numbers.count
    else { return numbers.first }
    for number in numbers { owners[number] = guest }
    return nil
  }

  /// Takes a guest's modems off; what they did not answer, in its order.
  mutating func remove(_ guest: Int) -> [MobileNetwork.Delivery] {
    for (number, owner) in owners where owner == guest { owners[number] = .some(nil) }
    let left = handed.filter { $0.value.guest == guest }.sorted { $0.key < $1.key }
    for (token, _) in left { handed[token] = nil }
    return left.map(\.value.delivery)
  }

  /// Remembers what a guest is handed; nil when the modem is off or has too much already.
  mutating func hand(_ delivery: MobileNetwork.Delivery) -> (token: UInt64, guest: Int)? {
    guard let guest = owner(of: delivery.to), handed.count < Limits.handedMessages else {
      return nil
    }
    lastToken += 1
    handed[lastToken] = Handed(guest: guest, delivery: delivery)
    return (lastToken, guest)
  }

  /// What a guest was handed under that token.
  mutating func answered(_ token: UInt64, by guest: Int) -> MobileNetwork.Delivery? {
    guard let entry = handed[token], entry.guest == guest else { return nil }
    handed[token] = nil
    return entry.delivery
  }
}
