import Events
import ModemSession
import NodeCore
import Storage
import Time

/// One round of work inside one transaction: events in, effects carried out in the store at once and
/// outside later, when the transaction is on disk.
struct NodeRound {
  /// What a round may change; taken over when its transaction is on disk.
  struct State {
    var core: NodeCore
    var modemStatus: [ModemStatus?]
    var timeKept = BootInstant.zero
    var nextSweep = BootInstant.zero
    /// What modems said the time is.
    var clockVote = ClockVote()
    /// Whether the machine's clock was off when the network last told the time.
    var isClockOff = false
    /// Modems whose port is gone, or was when they were heard of last.
    var away: Set<ModemID> = []
    /// Modems that restarted and have not been able to send since.
    var restarted: Set<ModemID> = []
    /// What is known of this machine's clock.
    var clock = ClockWatch()
    /// What is remembered of vehicles that are warned of.
    var matching = Matching()
    /// What the configuration says.
    var settings: NodeMachine.Settings

    init(settings: NodeMachine.Settings, seed: UInt64) {
      self.settings = settings
      core = NodeCore(rules: settings.rules, seed: seed)
      modemStatus = Array(repeating: nil, count: max(settings.rules.modems.count, 1))
    }
  }

  let transaction: any NodeTransaction
  let moment: Moment
  /// When the machine was started, by the node's clock.
  let start: BootInstant
  /// Asked only when something is to be recorded: it is a call of the system.
  let shortage: () -> StorageError?
  /// What is free where the store lies; asked as seldom.
  let freeBytes: () -> Int64?
  /// Whether a time service keeps this machine's clock: a call of the system as well.
  let isClockKept: () -> Bool
  var state: State
  var outputs: [NodeOutput] = []

  init(
    transaction: any NodeTransaction, moment: Moment, start: BootInstant,
    shortage: @escaping () -> StorageError?, freeBytes: @escaping () -> Int64?,
    isClockKept: @escaping () -> Bool, state: State
  ) {
    self.transaction = transaction
    self.moment = moment
    self.start = start
    self.shortage = shortage
    self.freeBytes = freeBytes
    self.isClockKept = isClockKept
    self.state = state
  }

  var settings: NodeMachine.Settings { state.settings }

  /// Takes one thing that came in.
  mutating func take(_ input: NodeInput) throws(StorageError) {
    switch input {
    case .woke:
      try tell(.woke)
    case .linkChanged(let link):
      try tell(.linkChanged(link))
    case .answered(let id, let reply):
      try compare(with: reply)
      if let time = reply.serverTime, case .success = reply.result,
        settings.rules.sync.believesServerTime
      {
        // Before anything leaves that a wrong clock dated.
        try verify(by: KnownTime(.server, time, at: moment.boot))
      }
      try tell(.answered(id, reply))
    case .syncNow:
      try tell(.syncNow)
    case .modem(let id, let event):
      try take(event, from: id)
    case .record(let requestID, let requests):
      try record(requestID, requests, at: moment)
    case .recordEarlier(let requestID, let requests, let earlier):
      try record(
        requestID, requests, at: Moment(boot: min(earlier.boot, moment.boot), wall: earlier.wall))
    case .manualText(let text):
      try tell(.manualText(text))
    case .manualWithdrawn(let requestID):
      try tell(.manualWithdrawn(requestID: requestID))
    case .textWithdrawn(let id, let requestID):
      try tell(.textWithdrawn(id, requestID: requestID))
    case .retryNow:
      try tell(.retryNow)
    case .settingsChanged(let settings):
      try transaction.changeFallback(to: settings.rules.fallbackAfter)
      try transaction.setOthers(settings.rules.others)
      state.settings = settings
      state.matching.nextLook = moment.boot
      try tell(.rulesChanged(settings.rules))
    case .stopping:
      try tell(.stopping)
      // Nothing is handed to them after this. They end while the node still listens, so that what
      // becomes of a text at the last moment is written down.
      for index in state.settings.rules.modems.indices {
        outputs.append(.modem(ModemID(index), .stop))
      }
    }
  }

  /// Hands an event to the core and carries out what it wants, and what it wants after that.
  mutating func tell(_ event: NodeEvent) throws(StorageError) {
    var effects = state.core.handle(event, at: moment.boot)
    var next = 0
    while next < effects.count {
      let effect = effects[next]
      next += 1
      guard next < Limits.effectsOfAnEvent else { throw Self.endless(effect) }
      // A choice is made by what is written: behind a claim that an earlier one led to, not before it.
      if effect.isChoice, effects[next...].contains(where: \.isWrite) {
        effects.append(effect)
        continue
      }
      switch effect {
      case .chooseDue:
        var answer = try transaction.chooseDue(at: moment.boot)
        if let due = answer.text { answer.text?.ownAge = ownAge(of: due) }
        effects += state.core.handle(.chosen(answer), at: moment.boot)
      case .chooseUntaken(let after):
        var answer = try transaction.chooseUntaken(for: after, at: moment.boot)
        if let due = answer.text { answer.text?.ownAge = ownAge(of: due) }
        effects += state.core.handle(.chosen(answer), at: moment.boot)
      case .chooseHeartbeat:
        var facts = try transaction.heartbeatFacts(at: moment)
        // Central is not to take it from a clock that is known to be wrong, or was set and nobody vouches for it.
        if state.clock.behind != nil || state.clock.history?.isContested == true {
          facts.syncedThrough = nil
        }
        effects += state.core.handle(.heartbeatChosen(facts), at: moment.boot)
      case .write(let write):
        try transaction.apply(write, at: moment)
      case .send(let intent):
        outputs.append(.modem(intent.modem, .send(outgoing(intent))))
      case .call(let id, let call, let token):
        outputs.append(.call(id, call, token: token))
      case .chooseUploads(let query):
        let answer = try transaction.dueUploads(query, at: moment.boot)
        effects += state.core.handle(.uploadsChosen(query.kind, answer), at: moment.boot)
      case .upload(let change):
        try transaction.apply(change, at: moment)
      case .remember(let memory):
        try transaction.remember(memory)
      case .findSyncMark:
        let mark = try transaction.syncMark(at: moment)
        let found = NodeEvent.syncMarkFound(mark)
        effects += state.core.handle(found, at: moment.boot)
      case .pulled(let page, let all):
        try take(page, all)
      case .manualQueued(let requestID, let id):
        outputs.append(.manualQueued(requestID: requestID, id))
      case .manualKept(let requestID):
        outputs.append(.manualKept(requestID: requestID))
      case .manualFinished(let requestID, let outcome):
        outputs.append(.manualFinished(requestID: requestID, outcome))
      case .report(let fact):
        try report(fact)
      }
    }
  }

  /// Decisions that lead to each other without an end would hold the transaction for ever and fill the memory.
  private static func endless(_ last: NodeEffect) -> StorageError {
    StorageError(
      .refused, of: "the node",
      problem:
        "The node decided \(Limits.effectsOfAnEvent) things in one moment and came to no end",
      remedy: "This is a fault of the program: report it with the log of the last minutes",
      detail: String("\(last)".prefix { $0 != "(" }))
  }

  /// Writes down that the clock has come so far, unless an event of this round did.
  mutating func keepTime() throws(StorageError) {
    guard state.timeKept < moment.boot else { return }
    // Of the next start this is the newest moment.
    try transaction.keepTime(moment.boot, seen: state.clock.history?.seen)
    state.timeKept = moment.boot
  }

  /// Hands an event out, with what the store knows of the passage that it is about: its name when only
  /// the text is known, and its plate.
  mutating func log(_ event: Event) throws(StorageError) {
    var event = event
    if event.clientID == nil, let text = event.textID,
      let passage = try transaction.passage(ofText: text)
    {
      event.clientID = passage.client
      event.plate = passage.plate
    }
    if event.plate == nil, let client = event.clientID {
      event.plate = try transaction.plate(of: client)
    }
    outputs.append(.log(event))
    // Whatever was told happened before a power cut that comes now.
    if event.level > .debug { try keepTime() }
  }

  mutating func put(_ output: NodeOutput) {
    outputs.append(output)
  }

  private mutating func report(_ fact: NodeFact) throws(StorageError) {
    let words = NodeLogMessages(settings: settings, moment: moment)
    let waiting = fact.tellsWaiting ? try transaction.waiting() : nil
    var event = words.event(for: fact, waiting: waiting)
    // Its driver has just said that the port went away, and why: one unplug is one line.
    if case .modemNotReady(let modem, _) = fact, state.away.contains(modem) { event.level = .debug }
    try log(event)
  }

  private mutating func record(
    _ requestID: Int64, _ requests: [RecordRequest], at recorded: Moment
  ) throws(StorageError) {
    if let shortage = shortage() {
      let given = try makeRoom(passages: true, "the disk is full", "disk")
      // Passages that were removed left room in the file that nothing else can take.
      let isRoom = try transaction.freedBytes() >= NodeCore.Limits.freedForPassages
      if !given.photos.isEmpty || !given.isEmpty && !isRoom {
        // The files of photographs are gone only once this is on disk.
        outputs.append(.again(.recordEarlier(requestID: requestID, requests, at: recorded)))
        return
      }
      guard isRoom else {
        outputs.append(.recorded(requestID: requestID, .failure(shortage)))
        return
      }
    } else if let free = freeBytes(), free < NodeCore.Limits.photoReserveBytes {
      _ = try makeRoom(passages: false, "room is short on the disk", "disk")
    }
    let (requests, outcomes, history) = try transaction.recordByClock(
      told(requests, read: recorded), at: recorded)
    state.clock.history = history
    if requests.contains(where: { $0.clock.map { $0 < .network } ?? false }) {
      state.clock.isUnverified = true
    }
    // The clock of what was put down earlier is behind.
    if recorded.boot != moment.boot { try transaction.keepTime(moment.boot) }
    state.timeKept = moment.boot
    for (request, outcome) in zip(requests, outcomes) {
      if case .recorded = outcome {
        outputs.append(.log(.recorded(request.passage, at: recorded, settings.rules)))
        if let reason = request.photoLeftOut {
          outputs.append(.log(.photoLeftOut(of: request.passage, reason, at: recorded)))
        }
        try match(request.passage)
      }
    }
    outputs.append(.recorded(requestID: requestID, .success(outcomes)))
    try tell(.woke)
  }

  private func outgoing(_ intent: TextIntent) -> OutgoingText {
    // A text is kept by the network no longer than its passage is worth one.
    let validity = [settings.validity, intent.worthFor].compactMap { $0 }.min()
    var text = OutgoingText(
      id: intent.id, to: intent.to, body: intent.body, validity: validity,
      requestStatusReport: settings.requestStatusReports)
    text.isToKnownNumber = intent.isToKnownNumber
    return text
  }
}

extension NodeEffect {
  /// Whether it asks the store for what is to go next.
  fileprivate var isChoice: Bool {
    switch self {
    case .chooseDue, .chooseUntaken, .chooseUploads: true
    default: false
    }
  }

  /// Whether it changes where something stands in the store.
  fileprivate var isWrite: Bool {
    switch self {
    case .write, .upload: true
    default: false
    }
  }
}
