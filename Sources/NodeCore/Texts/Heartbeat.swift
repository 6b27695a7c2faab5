import GSM
import Passages
public import Time

/// What a store knows for a heartbeat.
public struct HeartbeatFacts: Hashable, Sendable {
  /// The number of the last passage that was recorded; 0 before the first.
  public var lastNumber: Int64
  /// Up to when everything is on the server, by the passages' own time; nil where nobody knows.
  public var syncedThrough: WallTime?
  /// Passages that are neither on the server nor texted nor handed on.
  public var waiting: Int64
  /// Passages that left as a text, ever.
  public var texted: Int64

  /// What a store knows.
  public init(lastNumber: Int64, syncedThrough: WallTime?, waiting: Int64, texted: Int64) {
    self.lastNumber = lastNumber
    self.syncedThrough = syncedThrough
    self.waiting = waiting
    self.texted = texted
  }

  /// The text that a post sends of it. A time that no text can say is left out: the clock is not set.
  func message(of post: CheckpostCode) -> H1Message? {
    let through = syncedThrough.map(\.epochSeconds)
      .flatMap { Passages.Limits.epochs.contains($0) ? $0 : nil }
    return try? H1Message(
      checkpost: post, lastNumber: lastNumber, syncedThrough: through, waiting: waiting,
      texted: texted)
  }
}

/// When a post that is not heard of tells that it lives.
///
/// The silence begins with the last text that was begun, or with the line's end, whichever came later.
/// Both are known over restarts, so that a restart neither doubles a heartbeat nor forgets one.
struct HeartbeatWatch: Sendable {
  /// When the last text was begun that may have left.
  private(set) var lastText = BootInstant.zero
  /// The text before that.
  private var textBefore = BootInstant.zero
  /// Since when there has been no line, or none that takes anything.
  var absentSince: BootInstant?
  /// None goes before that: the last was not taken, or the budget has too little left.
  var notBefore = BootInstant.zero
  /// The store was asked what to say, and has not answered yet.
  var isAsking = false

  mutating func textBegun(at now: BootInstant) {
    guard now > lastText else { return }
    (textBefore, lastText) = (lastText, now)
  }

  /// A text did not leave, and breaks no silence.
  mutating func textStayed(begunAt time: BootInstant) {
    if lastText == time { lastText = textBefore }
  }

  /// When the next one is due, while passages may be texted; nil for never.
  func due(_ rules: NodeRules) -> BootInstant? {
    guard rules.heartbeatAfter > .zero, rules.checkpost != nil else { return nil }
    return max(max(lastText, absentSince ?? .zero) + rules.heartbeatAfter, notBefore)
  }
}

extension TextDelivery {
  /// Asks the store what to say, when a heartbeat may go now. Passages that are due go first, and the
  /// budget keeps a reserve for those that will be.
  mutating func lookForHeartbeat(at now: BootInstant, _ effects: inout [NodeEffect]) {
    guard mayBeat(at: now) != nil, !outbox.isChoosing, !outbox.isTime(at: now) else { return }
    heartbeat.isAsking = true
    effects.append(.chooseHeartbeat)
  }

  /// Takes the store's answer, looks once more whether a heartbeat may go, and sends it.
  mutating func chosen(
    _ facts: HeartbeatFacts, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    guard heartbeat.isAsking else { return }
    heartbeat.isAsking = false
    guard let way = mayBeat(at: now), let post = rules.checkpost,
      let message = facts.message(of: post)
    else { return }
    var intent = TextIntent(
      id: takeTextID(), queueID: nil, modem: way.modem, to: way.to, body: message.body,
      modemName: name(of: way.modem), worthFor: rules.heartbeatAfter)
    intent.isHeartbeat = true
    let silence = now - max(heartbeat.lastText, heartbeat.absentSince ?? .zero)
    effects.append(.report(.heartbeatBegun(intent.id, silence: silence)))
    begin(intent, due: nil, requestID: nil, at: now, &effects)
  }

  /// When a heartbeat has something to do by the passing of time alone.
  var heartbeatDeadline: BootInstant? {
    guard !isStopping, !outbox.isChoosing, !heartbeat.isAsking, let opens,
      let due = heartbeat.due(rules), let gatewayFree = gatewayFree(at: .zero)
    else { return nil }
    let free = modems.filter { $0.canSend && $0.flight == nil }.map { $0.holdUntil ?? .zero }
    guard let modemFree = free.min() else { return nil }
    return max(modemFree, gatewayFree, due, opens, quietUntil ?? .zero, heldUntil ?? .zero)
  }

  /// Takes what became of a text: one that was not taken breaks no silence, and a heartbeat is then tried
  /// again, not at once.
  mutating func noteSilence(
    after outcome: TextOutcome, of flight: InFlightText, at now: BootInstant
  ) {
    switch outcome {
    case .accepted, .unknown: return
    case .refused(let refusal) where refusal.kind == .done: return
    case .refused, .notSent:
      heartbeat.textStayed(begunAt: flight.since)
      if flight.isHeartbeat { heartbeat.notBefore = now + Limits.heartbeatAgain }
    }
  }

  /// How a heartbeat may go now; nil while none may.
  private mutating func mayBeat(at now: BootInstant) -> (modem: ModemID, to: String)? {
    guard !isStopping, !heartbeat.isAsking, heldUntil ?? .zero <= now, quietUntil ?? .zero <= now,
      let opens, opens <= now, let due = heartbeat.due(rules), due <= now,
      let number = rules.gateways.first(where: { gateways[$0]?.isFree(at: now) ?? true })
    else { return nil }
    let idle = modems.indices.filter { modems[$0].isIdle(at: now) }
    guard !idle.isEmpty else { return nil }
    let parts = 1 + Limits.heartbeatReserve
    let solvent = idle.filter { modems[$0].budget.exhausted(at: now, parts: parts) == nil }
    guard let modem = best(solvent, for: number, at: now) else {
      let opens = idle.compactMap { modems[$0].budget.exhausted(at: now, parts: parts)?.until }
      heartbeat.notBefore = opens.min() ?? now + Limits.heartbeatAgain
      return nil
    }
    return (modem, number)
  }
}
