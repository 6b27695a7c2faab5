import EventLoop
import GSM
import ModemModel
import Time

/// The state of a simulator's thread.
struct SimulatorLoop {
  private struct Port {
    var terminal: PseudoTerminal?
    /// Tells when somebody opens the port.
    var openings: PathWatch?
    var link: PortLink?
    var output: [UInt8] = []
    var plugsInAt: BootInstant?
    var renames = false
  }

  private let settings: SimulatorSettings
  private let clocks: any Clocks
  private let onEvent: @Sendable (SimulatorEvent) -> Void
  private var world: SimulatedWorld
  private var ports: [Port]
  private var exchange: NetworkExchange?
  /// What the first modem says instead of what it would say itself.
  private var replay: TraceReplay?
  private(set) var hasStopped = false

  init(
    settings: SimulatorSettings, terminals: [PseudoTerminal], links: [PortLink?],
    exchange: NetworkExchange?, place: NetworkPlace, clocks: any Clocks,
    onEvent: @escaping @Sendable (SimulatorEvent) -> Void
  ) {
    self.settings = settings
    self.clocks = clocks
    self.onEvent = onEvent
    world = SimulatedWorld(
      modems: settings.modems, behaviour: settings.behaviour, seed: settings.seed,
      at: clocks.boot())
    ports = terminals.enumerated().map {
      Port(
        terminal: $1, openings: PathWatch(openingsOf: $1.slavePath), link: links[$0])
    }
    self.exchange = exchange
    replay = settings.script.map { TraceReplay($0, at: clocks.boot()) }
    carryOut(world.move(network: place, at: clocks.boot(), wall: clocks.wall()))
  }

  /// Tells the ports, and the network where it is shared.
  func begin() {
    for (place, port) in ports.enumerated() {
      guard let terminal = port.terminal else { continue }
      onEvent(.ready(modem: place, port: port.link?.path ?? terminal.slavePath))
    }
    if exchange != nil { onEvent(.place(world.place)) }
  }

  mutating func handle(_ request: SimulatorRequest) {
    let (now, wall) = (clocks.boot(), clocks.wall())
    switch request {
    case .fault(let fault, let modem):
      guard has(modem) else { return }
      onEvent(.fault(modem: modem, fault))
      carryOut(world.inject(fault, modem: modem, at: now, wall: wall))
    case .send(let sender, let text, let modem):
      guard has(modem) else { return }
      guard world.place != .nowhere else {
        onEvent(.refused("there is no network at present"))
        return
      }
      do {
        carryOut(
          try world.send(from: sender, text: text, modem: modem, at: now, wall: wall))
      } catch {
        onEvent(.refused("the text cannot be sent: \(error.message)"))
      }
    case .pdu(let hex, let modem): deliver(hex, modem)
    case .unsolicited(let text, let modem):
      guard has(modem) else { return }
      carryOut(world.tell(text, modem: modem, at: now, wall: wall))
    case .unplug(let modem, let duration, let renames):
      guard has(modem) else { return }
      unplug(modem, until: duration.map { now + $0 }, renames: renames)
    case .plug(let modem): if has(modem) { plug(modem) }
    case .behave(let behaviour): world.behaviour = behaviour
    case .stop: stop()
    }
  }

  /// Takes what came, lets time pass and puts out what is to come out.
  ///
  /// - Parameter requests: Hands over what was asked for meanwhile.
  mutating func turn(requests: () -> [SimulatorRequest]) {
    guard !hasStopped else { return }
    let now = clocks.boot()
    for place in ports.indices {
      if let due = ports[place].plugsInAt, due <= now { plug(place) }
      read(place, requests)
      noticeOpening(place)
    }
    exchangeSignals()
    let played = clocks.boot()
    if let outputs = replay?.advance(to: played) { carryOut(outputs) }
    carryOut(world.advance(to: clocks.boot(), wall: clocks.wall()))
    for place in ports.indices { flush(place) }
  }

  /// Sleeps until a port, a request or the world's next deadline wakes.
  func wait(_ wakeup: Wakeup) {
    var interests = [Interest(descriptor: wakeup.descriptor)]
    for port in ports {
      guard let terminal = port.terminal else { continue }
      interests.append(
        Interest(descriptor: terminal.master.descriptor, writable: !port.output.isEmpty))
    }
    interests += ports.compactMap { $0.openings }.map { Interest(descriptor: $0.descriptor) }
    interests += exchange?.interests ?? []
    let deadline =
      ([world.deadline, exchange?.deadline, replay?.deadline] + ports.map(\.plugsInAt))
      .compactMap { $0 }.min()
    let ready = PollLoop.wait(interests, until: deadline, clocks: clocks)
    if ready[0].contains(.readable) { wakeup.clear() }
  }

  private func has(_ modem: Int) -> Bool {
    if ports.indices.contains(modem) { return true }
    onEvent(.refused("there is no modem \(modem); there are \(ports.count)"))
    return false
  }

  private mutating func deliver(_ hex: String, _ modem: Int) {
    guard has(modem) else { return }
    do {
      let pdu = try PDU.decode(hex: hex, direction: .mobileTerminated)
      let (taken, outputs) = world.deliver(
        pdu.tpdu, modem: modem, at: clocks.boot(), wall: clocks.wall())
      if !taken { onEvent(.refused("the modem does not take the message now")) }
      carryOut(outputs)
    } catch {
      onEvent(.refused("the PDU cannot be read: \(error.message)"))
    }
  }

  private mutating func noticeOpening(_ place: Int) {
    if let openings = ports[place].openings, openings.clear() { world.opened(modem: place) }
  }

  private mutating func read(_ place: Int, _ requests: () -> [SimulatorRequest]) {
    for _ in 0..<Limits.readsInARow {
      guard let terminal = ports[place].terminal else { return }
      var bytes: [UInt8] = []
      // A driver that closed its end is no hang-up for a modem: the other end is kept open here.
      guard case .bytes = terminal.master.read(into: &bytes, limit: Limits.readBytes) else {
        return
      }
      // After the bytes are here and before they are looked at: whoever wrote them opened the port first.
      noticeOpening(place)
      // And what was asked for before they were written goes first.
      for request in requests() { handle(request) }
      let now = clocks.boot()
      if place == 0, let outputs = replay?.receive(bytes, at: now) {
        carryOut(outputs)
      } else {
        carryOut(world.receive(bytes, modem: place, at: now, wall: clocks.wall()))
      }
    }
  }

  private mutating func carryOut(_ outputs: [WorldOutput]) {
    for output in outputs {
      switch output {
      case .bytes(let modem, let bytes):
        if modem > 0 || replay == nil { say(bytes, modem) }
      case .storeChanged(let modem, let change): onEvent(.storeChanged(modem: modem, change))
      case .command(let modem, let text): onEvent(.command(modem: modem, text))
      case .network(let event): onEvent(.network(event))
      case .unplugged(let modem, let plug):
        let now = clocks.boot()
        unplug(modem, until: plug.duration.map { now + $0 }, renames: plug.renames)
      case .signal(let signal, let guest): exchange?.send(signal, to: guest)
      }
    }
  }

  private mutating func carryOut(_ outputs: [TraceReplay.Output]) {
    for output in outputs {
      switch output {
      case .bytes(let bytes): say(bytes, 0)
      case .differs(let entry, let expected, let written):
        onEvent(
          .scriptDiffers(modem: 0, entry: entry, expected: expected, written: written))
      case .done: onEvent(.scriptDone(modem: 0))
      }
    }
  }

  private mutating func say(_ bytes: [UInt8], _ modem: Int) {
    guard ports[modem].output.count + bytes.count <= Limits.outputBytes else { return }
    ports[modem].output += bytes
    flush(modem)
  }

  /// Carries what the processes on a network have to say to each other.
  private mutating func exchangeSignals() {
    let looked = clocks.boot()
    guard let changes = exchange?.turn(at: looked) else { return }
    for change in changes {
      let (now, wall) = (clocks.boot(), clocks.wall())
      switch change {
      case .moved(let place):
        onEvent(.place(place))
        carryOut(world.move(network: place, at: now, wall: wall))
      case .signal(let signal, let guest?):
        carryOut(world.receive(signal, from: guest, at: now, wall: wall))
      case .signal(let signal, nil): carryOut(world.receive(signal, at: now, wall: wall))
      case .left(let guest): carryOut(world.leave(guest: guest, at: now, wall: wall))
      case .failed(let error): onEvent(.refused(error.description))
      }
    }
  }

  private mutating func flush(_ place: Int) {
    guard let terminal = ports[place].terminal else { return }
    while !ports[place].output.isEmpty {
      guard let count = try? terminal.master.write(ports[place].output[...]), count > 0 else {
        return
      }
      ports[place].output.removeFirst(count)
    }
  }

  private mutating func unplug(_ place: Int, until: BootInstant?, renames: Bool) {
    guard let terminal = ports[place].terminal else { return }
    terminal.close()
    ports[place].link?.remove(to: terminal.slavePath)
    ports[place].terminal = nil
    ports[place].openings = nil
    ports[place].output = []
    ports[place].plugsInAt = until
    ports[place].renames = renames
    carryOut(
      world.setPlugged(false, modem: place, at: clocks.boot(), wall: clocks.wall()))
    onEvent(.closed(modem: place))
  }

  private mutating func plug(_ place: Int) {
    ports[place].plugsInAt = nil
    guard ports[place].terminal == nil else { return }
    do {
      let terminal = try PseudoTerminal()
      ports[place].terminal = terminal
      ports[place].openings = PathWatch(openingsOf: terminal.slavePath)
      if let link = ports[place].link {
        let renamed = link.path + "-renamed"
        guard let named = ports[place].renames ? try PortLink(renamed) : link else {
          return onEvent(.refused(SimulatorError.linkTaken(path: renamed).description))
        }
        ports[place].link = named
        try named.make(to: terminal.slavePath)
      }
      onEvent(.ready(modem: place, port: ports[place].link?.path ?? terminal.slavePath))
      carryOut(
        world.setPlugged(true, modem: place, at: clocks.boot(), wall: clocks.wall()))
    } catch {
      onEvent(.refused(error.description))
    }
  }

  private mutating func stop() {
    for place in ports.indices {
      defer { ports[place].link?.release() }
      guard let terminal = ports[place].terminal else { continue }
      terminal.close()
      ports[place].terminal = nil
      ports[place].link?.remove(to: terminal.slavePath)
      onEvent(.closed(modem: place))
    }
    exchange?.close()
    hasStopped = true
  }
}
