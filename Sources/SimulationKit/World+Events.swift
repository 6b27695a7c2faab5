import CentralCore
import CentralService
import Events
import GSM
import ModemModel
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import SeededRandom
import ServerModel
import SimulatedDisk
import Storage
import Time

/// What happens to a world, and how its parts reach each other.
extension World {
  mutating func happen(_ event: SimulationEvent) throws(StorageError) {
    note("\(clock.boot().nanoseconds) \(event)")
    if let name = event.fault { report.fired[name, default: 0] += 1 }
    let (now, wall) = (clock.boot(), clock.truth())
    switch event {
    case .record(let number): try record(number)
    case .link(let isUp):
      if isUp != isLinkUp { line += 1 }
      linkDownSince = isUp ? nil : linkDownSince ?? now
      isLinkUp = isUp
      // The line's return is a new beginning.
      if isUp { troubleAt = nil }
      linkChanged()
      try inform([.linkChanged(isUp ? .up : .down)])
    case .serverUp(let isUp):
      isServerUp = isUp
      linkChanged()
    case .server(let step): try happen(step)
    case .serverFault(let fault): server.inject(fault)
    case .revokeSessions: server.revokeSessions(of: ServerModel.Pilot.eastRanger)
    case .fault(let fault, let modem):
      try take(mobile.inject(fault, modem: modem, at: now, wall: wall))
    case .unplug(let modem):
      isPlugged[modem] = false
      try take(mobile.setPlugged(false, modem: modem, at: now, wall: wall))
      try tell(modem, .closed(reason: "the device went away"))
    case .plug(let modem):
      isPlugged[modem] = true
      try take(mobile.setPlugged(true, modem: modem, at: now, wall: wall))
      try tell(modem, .portChanged)
    case .crash: try crash()
    case .restart: try startNode()
    case .disk(let fault): happen(fault)
    case .crashAtPush: crashesWaiting += 1
    case .blip(let lasts):
      try happen(.serverUp(true))
      try happen(.link(true))
      // What heals all does not wait for it.
      if now + lasts < .zero + settings.trouble { add(.link(false), at: now + lasts) }
    case .otherWriter: writeAsAnother()
    case .struggle(let fault, let lasts, let gap):
      try happen(.serverUp(true))
      try happen(.link(true))
      // A passage that waits all the while.
      extra += 1
      try record(settings.passages + extra)
      server.inject(InjectedFault(fault, times: nil, areas: [.tables], methods: ["POST"]))
      if now + lasts + gap < .zero + settings.trouble {
        add(.struggleEnds(gap: gap), at: now + lasts)
      }
    case .poison(let number, let fault): poison(number, fault)
    case .refuse(let fault, let lasts):
      server.inject(InjectedFault(fault, times: nil, areas: [.tables], methods: ["POST"]))
      add(.refuseEnds, at: now + lasts)
    case .refuseEnds: healServer()
    case .moveSegment: moveSegment()
    case .assign(let isHere): assign(isHere: isHere)
    case .checkOthers: try checkOthers()
    case .struggleEnds(let gap):
      healServer()
      try happen(.link(false))
      add(.link(true), at: now + gap)
    case .wall(let step): clock.stepWall(by: step)
    case .wallRight: clock.setRight(isKept: settings.hasTimeService)
    case .dateByHand: try dateByHand()
    case .correct: try correct()
    case .west: recordInTheWest()
    case .heal: try heal()
    case .checkModems: checkModems()
    }
  }

  /// Whether there is in truth connectivity.
  private var isConnected: Bool { settings.hasServer && isLinkUp && isServerUp }

  mutating func linkChanged() {
    connectedSince = isConnected ? connectedSince ?? clock.boot() : nil
  }

  /// A ranger records a passage; it counts once the recording was acknowledged.
  private mutating func record(_ number: Int) throws(StorageError) {
    guard !isDown else {
      recordLater(number)
      return
    }
    guard let request = request(number) else { return }
    offered[request.passage.clientID.description] = known(request)
    offeredPlates[request.passage.plate.compact] = known(request)
    try inform([.record(requestID: Int64(number), [request])])
  }

  /// A ranger who was told that it is not kept tries again.
  private mutating func recordLater(_ number: Int) {
    add(.record(number), at: clock.boot() + .seconds(60))
  }

  /// The node's process dies with all that it had in memory, and is started again.
  private mutating func crash() throws(StorageError) {
    guard !isDown else { return }
    report.crashes += 1
    endNode()
    try startNode()
  }

  /// The day is over: everything works again, and there is no connectivity, so that what is left goes
  /// as texts.
  private mutating func heal() throws(StorageError) {
    healServer()
    assign(isHere: true)
    disk.heal()
    crashesWaiting = 0
    isLinkUp = settings.endsOnline
    isServerUp = settings.endsOnline
    line += 1
    linkDownSince = settings.endsOnline ? nil : clock.boot()
    linkChanged()
    clock.setRight(isKept: settings.hasTimeService)
    add(.dateByHand, at: clock.boot() + .seconds(60))
    mobile.behaviour.loss = 0
    mobile.behaviour.refusal = 0
    for modem in sessions.indices {
      if !isPlugged[modem] { try happen(.plug(modem: modem)) }
      try take(mobile.inject(.healed, modem: modem, at: clock.boot(), wall: clock.truth()))
    }
    try inform([.linkChanged(settings.endsOnline ? .up : .down)])
  }

  // MARK: The node

  /// Hands inputs to the node, after all that waits.
  mutating func inform(_ inputs: [NodeInput]) throws(StorageError) {
    waiting.append(.node(inputs, life: life))
    try pump()
  }

  /// Does what waits, one thing after another: nothing is handed to a part while that part is still
  /// at work, as between threads.
  private mutating func pump() throws(StorageError) {
    guard !isPumping else { return }
    isPumping = true
    defer { isPumping = false }
    var steps = 0
    var next = 0
    while next < waiting.count {
      let work = waiting[next]
      next += 1
      steps += 1
      guard steps < Limits.cascade else {
        violate(.noSpin, "the world spins")
        break
      }
      switch work {
      case .node(let inputs, let life):
        // What was meant for a process that died reaches nobody.
        guard life == self.life, !isDown else { continue }
        try node { machine, now, wall throws(StorageError) in
          try machine.handle(inputs, at: now, wall: wall)
        }
      case .session(let modem, let input, let life):
        guard modem == World.office || life == self.life else { continue }
        try carryOut(modem, input)
      }
    }
    waiting.removeAll(keepingCapacity: true)
  }

  mutating func node(
    _ work: (inout NodeMachine, BootInstant, WallTime) throws(StorageError) -> [NodeOutput]
  ) throws(StorageError) {
    let outputs: [NodeOutput]
    do {
      outputs = try work(&machine, nodeBoot, clock.wall())
    } catch {
      guard isOfTheDisk(error) else { throw error }
      note("the node ended: \(error.kind)")
      endNode()
      restartLater()
      return
    }
    checkRound()
    // Without power nothing of it goes out.
    guard !disk.isOff else {
      endNode()
      restartLater()
      return
    }
    var alerts: [TravelAlert] = []
    for output in outputs {
      switch output {
      case .modem(let id, let request):
        if case .send(let text) = request { judge(text, by: id) }
        try tell(World.place(id), .request(request))
      case .call(let id, let call, let token): ask(id, call, token)
      case .recorded(_, .success(let outcomes)):
        for outcome in outcomes { remember(outcome) }
      case .recorded(let number, .failure): recordLater(Int(number))
      case .log(let event):
        note(event.name)
        trace("\(event.name): \(event.words)")
      case .alert(let alert): alerts.append(alert)
      case .manualQueued, .manualKept, .manualFinished, .removePhotos, .again: break
      }
    }
    // Behind the acknowledgement of what was recorded, which may have got another identity.
    for alert in alerts { judge(alert) }
  }

  private mutating func remember(_ outcome: RecordOutcome) {
    guard case .recorded(let client, let number) = outcome else { return }
    report.recorded += 1
    let plate = item(client.description)?.passage.plate.compact
    var passage =
      offered[client.description] ?? plate.flatMap { offeredPlates[$0] }
      ?? Known(recordedAt: clock.boot(), truth: clock.truth())
    passage.recordedAt = clock.boot()
    keep(client.description, number: number, passage)
  }

  // MARK: The modems

  /// Hands something to a modem's session, after all that waits.
  mutating func tell(_ modem: Int, _ input: SessionInput) throws(StorageError) {
    waiting.append(.session(modem, input, life: life))
    try pump()
  }

  private mutating func carryOut(_ modem: Int, _ input: SessionInput) throws(StorageError) {
    guard !isDown || modem == World.office else { return }
    for effect in sessions[modem].handle(input, at: clock.boot()) {
      switch effect {
      case .open:
        mobile.opened(modem: modem)
        try tell(
          modem,
          isPlugged[modem]
            ? .opened(path: "/dev/modem") : .openFailed(reason: "no such port", .absent))
      case .write(let bytes):
        guard isPlugged[modem] else { continue }
        try take(mobile.receive(bytes, modem: modem, at: clock.boot(), wall: clock.truth()))
      case .event(let event): try heard(event, from: modem)
      case .claimPIN: try tell(modem, .pinClaimed(true))
      case .reset: try tell(modem, .resetFinished("done"))
      case .close, .stopped, .pinTried, .keepTrace: break
      }
    }
  }

  private mutating func heard(_ event: ModemEvent, from modem: Int) throws(StorageError) {
    if modem != World.office {
      if case .sendOutcome(let id, .notSent) = event {
        // What is known not to have left costs nothing.
        handed[World.modemID(modem)]?.removeAll { $0.id == id }
      }
      try inform([.modem(World.modemID(modem), event)])
      return
    }
    guard case .received(let inbound) = event else { return }
    _ = try central.keep([InboundMessage(inbound.pdu, receivedAt: clock.truth())])
    for message in try central.process(at: clock.truth()).messages { note("\(message.result)") }
    try tell(modem, .request(.confirmStored(token: inbound.token)))
  }

  mutating func take(_ outputs: [WorldOutput]) throws(StorageError) {
    for output in outputs {
      switch output {
      case .bytes(let modem, let bytes):
        guard isPlugged[modem] else { continue }
        if settings.trickles {
          for byte in bytes { try tell(modem, .received([byte])) }
        } else {
          try tell(modem, .received(bytes))
        }
      case .network(let event): note(event)
      case .unplugged(let modem, let plug):
        try happen(.unplug(modem: modem))
        if let duration = plug.duration { add(.plug(modem: modem), at: clock.boot() + duration) }
      case .storeChanged, .command, .signal: break
      }
    }
  }
}
