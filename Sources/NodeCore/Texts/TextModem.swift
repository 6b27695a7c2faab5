import GSM
import Passages
import Time

/// A text that is with a modem.
struct InFlightText: Hashable, Sendable {
  var id: TextID
  var since: BootInstant
  /// The passage it is for; nil for an operator's text and a heartbeat.
  var due: DueText?
  /// The operator's request it is for.
  var requestID: Int64?
  /// The number it goes to.
  var to: String
  /// Parts that it costs.
  var parts = 1
  /// Whether it tells that the post lives.
  var isHeartbeat = false
}

/// What a modem is left alone for, which says what ends that before its time.
enum HoldCause: Hashable, Sendable {
  /// The network was not there, or out of order: its return does.
  case passing
  /// Nobody knows what became of a text: that the modem restarted, which explains it, does.
  case doubt
  /// Somebody has to act.
  case person

  /// The cause of a pause after an outcome.
  init(_ outcome: TextOutcome, needsOperator: Bool) {
    switch outcome {
    case _ where needsOperator: self = .person
    case .unknown: self = .doubt
    case .refused(let refusal) where refusal.kind != .soon && refusal.kind != .later:
      self = .person
    case .refused, .notSent, .accepted: self = .passing
    }
  }
}

/// What the core knows of one modem: whether it can send, what it is sending, and how long it is
/// left alone after it could not.
struct TextModem: Sendable {
  var canSend = false
  /// Why it cannot send, in words; nil while it can, and before it has said anything.
  var reason: String?
  var flight: InFlightText?
  var holdUntil: BootInstant?
  /// Since when its texts fail, one after the other.
  var holdSince: BootInstant?
  var backoff = Backoff()
  var budget: Budget
  /// Until when its budget is known to be used up.
  var budgetUntil: BootInstant?
  /// Numbers that refused its texts since the last that went.
  var refusedNumbers: Set<String> = []
  var credit = CreditWatch()
  var holdCause: HoldCause?
  /// Why it is left alone, and whether somebody has to act.
  var holdReason: String?
  var needsOperator = false
  /// Since when the pause stands of which the log was told, and whose end it was not told yet.
  var toldHoldSince: BootInstant?
  /// The last refusal's code, and how often it came in a row.
  var lastRefusal: (code: String, count: Int)?

  init(rules: NodeRules) {
    budget = Budget(rules: rules)
  }

  /// Forgets what went wrong before: the modem is new, or somebody says that all is well again.
  mutating func startClean() {
    holdUntil = nil
    holdSince = nil
    holdReason = nil
    holdCause = nil
    needsOperator = false
    backoff = Backoff()
    refusedNumbers = []
    lastRefusal = nil
  }

  /// Ends the pause that was made for a cause which is over; false when it was made for another, or was
  /// ended so too often in a row: a modem that comes and goes must not be tried each time, and one that
  /// restarts with each text would burn one passage after the other.
  mutating func endHold(of cause: HoldCause) -> Bool {
    let most = cause == .doubt ? 1 : Limits.holdsEndedEarly
    guard holdUntil != nil, holdCause == cause, backoff.total <= most else { return false }
    holdUntil = nil
    holdSince = nil
    holdReason = nil
    holdCause = nil
    return true
  }

  /// The outcome as it counts: a refusal that passes soon the first times is called so.
  mutating func weigh(_ outcome: TextOutcome) -> TextOutcome {
    guard case .refused(var refusal) = outcome else {
      if case .accepted = outcome { lastRefusal = nil }
      return outcome
    }
    let count = lastRefusal.map { $0.code == refusal.code ? $0.count : 0 } ?? 0
    lastRefusal = (refusal.code, count + 1)
    if count < refusal.triesFirst { refusal.kind = .soon }
    return .refused(refusal)
  }

  func isIdle(at now: BootInstant) -> Bool {
    guard canSend, flight == nil else { return false }
    guard let holdUntil else { return true }
    return holdUntil <= now
  }
}

/// Outcomes in a row that were no acceptance, and the pauses they cost.
///
/// There is one network behind a modem, so what is refused now will most likely be refused again
/// whichever passage it is: the modem is held, and one passage is tried when the hold ends, instead of
/// every passage failing once. What is about the recipient alone holds that number and no modem.
struct Backoff: Hashable, Sendable {
  private(set) var total = 0
  private var soon = 0
  private var later = 0
  private var permanent = 0
  private var destination = 0

  private static let soonPauses: [Int64] = [10, 20, 30]
  private static let laterPauses: [Int64] = [15, 30, 60, 120, 300, 900, 1_800, 3_600]
  private static let longPauses: [Int64] = [60, 120, 300, 900, 1_800, 3_600]
  private static let notSentPauses: [Int64] = [5, 10, 30, 60]
  private static let alertPause: Int64 = 3_600

  /// What a pause is to be and whether somebody has to act.
  struct Pause: Hashable, Sendable {
    var duration: Duration
    var needsOperator: Bool
  }

  mutating func accepted() {
    self = Backoff()
  }

  mutating func notSent() -> Pause {
    total += 1
    return Pause(duration: Backoff.pick(Backoff.notSentPauses, total - 1), needsOperator: false)
  }

  mutating func unknown() -> Pause {
    total += 1
    later += 1
    return Pause(duration: Backoff.pick(Backoff.longPauses, later - 1), needsOperator: later >= 3)
  }

  /// The pause after a refusal; nil when the passage alone is to blame and the next one may go at
  /// once.
  mutating func refused(_ kind: ErrorClass) -> Pause? {
    total += 1
    if kind != .permanent {
      permanent = 0
    }
    destination = 0
    switch kind {
    case .done:
      self = Backoff()
      return nil
    case .soon:
      soon += 1
      if soon <= Backoff.soonPauses.count {
        return Pause(duration: Backoff.pick(Backoff.soonPauses, soon - 1), needsOperator: false)
      }
      // It did not pass soon, so it is not tried sooner again.
      later = max(later, Backoff.laterPauses.firstIndex { $0 >= 60 } ?? 0)
      return laterPause()
    case .storage:
      soon += 1
      return soon == 1 ? Pause(duration: .seconds(10), needsOperator: false) : alertPause()
    case .later:
      return laterPause()
    case .destination:
      return nil
    case .alert:
      return alertPause()
    case .permanent:
      permanent += 1
      return permanent >= Limits.permanentRefusalsInARow ? alertPause() : nil
    }
  }

  /// The pause when `different` numbers refused a modem's texts one after the other: nil while it is
  /// the numbers that are to blame. A single one that refuses again and again is told of as well:
  /// nothing arrives, whoever is to blame.
  mutating func refusedByNumbers(_ different: Int) -> Pause? {
    total += 1
    destination += 1
    if different >= Limits.refusedNumbers { return alertPause() }
    // The number itself rests for longer than this.
    return destination == Limits.refusalsByNumbers
      ? Pause(duration: Backoff.pick(Backoff.longPauses, 0), needsOperator: true) : nil
  }

  /// How much longer than its modem a passage waits that has been refused `refusals` times, so that
  /// one the network does not want cannot keep the others from going.
  static func extraWait(refusals: Int) -> Duration {
    refusals < Limits.refusalsBeforeYielding
      ? .zero : pick(longPauses, refusals - Limits.refusalsBeforeYielding)
  }

  private mutating func laterPause() -> Pause {
    later += 1
    let duration = Backoff.pick(Backoff.laterPauses, later - 1)
    // What is tried again within a minute may still pass by itself.
    return Pause(duration: duration, needsOperator: total >= 3 && duration > .seconds(60))
  }

  private func alertPause() -> Pause {
    Pause(duration: .seconds(Backoff.alertPause), needsOperator: true)
  }

  private static func pick(_ seconds: [Int64], _ index: Int) -> Duration {
    .seconds(seconds[min(max(index, 0), seconds.count - 1)])
  }
}
