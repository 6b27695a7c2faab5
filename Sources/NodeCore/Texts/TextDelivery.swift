import Time

/// Passages and operators' words as texts: one way out of the queue, through the modems.
///
/// One text at a time goes through one modem; its intent is on disk before the modem hears of it. What
/// it needs to know of the rest of the node is handed in: whether connectivity lets passages leave, and
/// until when the store takes nothing.
struct TextDelivery: Sendable {
  var rules: NodeRules
  var outbox = Outbox()
  /// The same for passages that the server is handed and does not take, each by itself, while it takes others.
  var untaken = Outbox()
  /// How long the server may not have taken one of those before it leaves as a text; nil while that is not
  /// asked, since no passage may leave or all may.
  private(set) var untakenAfter: Duration?
  var modems: [TextModem]
  var gateways: [String: GatewayState] = [:]
  /// The numbers besides the centre's that failed.
  var recipients: [String: RecipientState] = [:]
  var manualQueue: [WaitingManual] = []
  var nextTextID: TextID = 1
  var heartbeat = HeartbeatWatch()
  var isStopping = false
  /// Whether connectivity lets passages leave as texts.
  var gate = TextGate.closed
  /// Until when it is quiet: only urgent passages leave before. Nil while it is not.
  private(set) var quietUntil: BootInstant?
  /// The store takes nothing until then.
  var heldUntil: BootInstant?

  init(rules: NodeRules) {
    self.rules = rules
    let count = min(max(rules.modems.count, 1), Limits.modems)
    modems = Array(repeating: TextModem(rules: rules), count: count)
  }

  /// Whether a text is with a modem whose outcome is still to come.
  var isSending: Bool {
    modems.contains { $0.flight != nil }
  }

  /// When there is something to do by the passing of time alone.
  var nextDeadline: BootInstant? {
    var deadline: BootInstant?
    for modem in modems {
      if let flight = modem.flight {
        deadline = earlier(deadline, flight.since + Limits.textOutcomeWithin)
      }
    }
    if !isStopping, let manual = manualDeadline {
      deadline = earlier(deadline, max(manual, heldUntil ?? .zero))
    }
    for modem in modems where modem.toldHoldSince != nil && !isStopping {
      if let until = modem.holdUntil { deadline = earlier(deadline, until) }
    }
    return earlier(earlier(deadline, passagesDeadline), heartbeatDeadline)
  }

  /// Tells of pauses that are over, each once: by time, or since what they were made for is over.
  mutating func tellEndedHolds(at now: BootInstant, _ effects: inout [NodeEffect]) {
    for index in modems.indices {
      guard let since = modems[index].toldHoldSince, modems[index].holdUntil ?? .zero <= now else {
        continue
      }
      modems[index].toldHoldSince = nil
      effects.append(.report(.sendingResumed(ModemID(index), after: now - since)))
    }
  }

  /// Goes on from what the store knows of the texts before.
  mutating func start(_ facts: StartFacts) {
    nextTextID = facts.nextTextID
    takeKept(facts.keptTexts)
    for charge in facts.charges { heartbeat.textBegun(at: charge.at) }
    let charges = Dictionary(grouping: facts.charges, by: \.modem)
    for index in modems.indices {
      modems[index].budget.restore(charges[ModemID(index), default: []].map(\.at))
    }
    for (modem, numbers) in facts.reached where modems.indices.contains(modem.index) {
      for number in numbers { modems[modem.index].credit.accepted(to: number) }
    }
  }

  /// Notes until when it is quiet.
  mutating func setQuiet(until: BootInstant?) {
    defer { quietUntil = until }
    guard let quietUntil else { return }
    // The clock was set, or the hours are others. The clocks do not tick together, so that a moment more
    // or less says nothing.
    guard let until, until > quietUntil - .seconds(2) else { return lookAtAll() }
  }

  /// The number of modems stays as it was: theirs are threads that only a restart makes.
  mutating func changeRules(_ rules: NodeRules) {
    let names = self.rules.modems
    self.rules = rules
    self.rules.modems = names
    heartbeat.notBefore = .zero
    for index in modems.indices {
      modems[index].budget.changeRules(rules)
      modems[index].budgetUntil = nil
    }
    gateways = gateways.filter { rules.gateways.contains($0.key) }
    let others = Set(rules.others.compactMap(rules.number(of:)))
    recipients = recipients.filter { others.contains($0.key) }
    lookAtAll()
  }

  /// Something may be due.
  mutating func lookAtAll() {
    outbox.look()
    untaken.look()
  }

  /// Notes how long the server may not have taken a passage before that one leaves as a text.
  mutating func setUntaken(after: Duration?) {
    if after != untakenAfter { untaken.look() }
    untakenAfter = after
  }

  mutating func modemChanged(
    _ id: ModemID, canSend: Bool, reason: String, _ effects: inout [NodeEffect]
  ) {
    guard modems.indices.contains(id.index) else { return }
    modems[id.index].reason = canSend ? nil : reason
    guard modems[id.index].canSend != canSend else { return }
    modems[id.index].canSend = canSend
    // What it waited for is there: the network, mostly.
    if canSend, modems[id.index].endHold(of: .passing) { lookAtAll() }
    effects.append(
      .report(canSend ? .modemReady(id) : .modemNotReady(id, reason: reason)))
  }

  mutating func modemReturned(_ id: ModemID) {
    if modems.indices.contains(id.index) { modems[id.index].startClean() }
    lookAtAll()
  }

  mutating func modemRestarted(_ id: ModemID) {
    if modems.indices.contains(id.index), modems[id.index].endHold(of: .doubt) { lookAtAll() }
  }

  /// Somebody asks to try again now, whatever is being waited for.
  mutating func retryNow() {
    for index in modems.indices {
      modems[index].startClean()
    }
    gateways = [:]
    recipients = [:]
    heartbeat.notBefore = .zero
    heldUntil = nil
    lookAtAll()
  }

  /// Nothing new is begun; what is with a modem is waited for.
  mutating func stop(_ effects: inout [NodeEffect]) {
    isStopping = true
    keepManualTexts(&effects)
  }

  /// Gives up texts of which a modem's driver has said nothing for too long.
  mutating func giveUpLostOutcomes(at now: BootInstant, _ effects: inout [NodeEffect]) {
    for modem in modems {
      guard let flight = modem.flight, now - flight.since >= Limits.textOutcomeWithin else {
        continue
      }
      let reason = "the modem's driver gave no outcome"
      finished(flight.id, .unknown(reason: reason), at: now, &effects)
    }
  }
}
