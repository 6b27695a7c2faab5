import SeededRandom
import Time

/// Connectivity by evidence: the link, and what became of everything that was asked of the server.
///
/// The link alone proves nothing (a dongle without credit has a carrier), and an answer proves nothing
/// for long. So each call of the server counts, whatever it was for; and while nothing is called, the
/// server is probed: every half minute while it answers, with growing pauses and jitter while it does
/// not, and at once when the link comes up. A line that returns is seen within half a minute, whatever the
/// kernel tells. The first answer of the server ends an outage.
struct Connectivity: Sendable {
  /// A call that is out.
  fileprivate struct OpenCall: Hashable, Sendable {
    var since: BootInstant
    var isProbe: Bool
    var isPush: Bool
    /// Whether it handed over one passage alone: what is said to it is said of that passage.
    var isSinglePush: Bool
    /// Whether the trouble that it meets is that of passages too. Photographs, sign-in and functions are
    /// services of their own.
    var tellsTrouble: Bool
    /// Whether it showed nothing that the server could refuse, as there was no session yet.
    var isSignedOut = false
  }

  /// What keeps a server that is there from taking anything.
  private struct Trouble: Hashable, Sendable {
    var impairment: Impairment
    /// Whether it was a passage that met it: a question that is answered does not refute it at once.
    var isOfPush: Bool
    /// Whether questions meet it too, as far as one was asked since.
    var isOfAll: Bool
  }

  private var rules: NodeRules
  private var random: SplitMix64
  /// What the machine says of its way to the network; nil before it has said anything.
  private(set) var link: LinkState?
  private var calls: [CallID: OpenCall] = [:]
  /// Calls that were out when the way they went by was lost, and when that was.
  private var callsBefore: [CallID: (call: OpenCall, wayLost: BootInstant)] = [:]
  private var lastAnswer: BootInstant?
  /// Whether that has grown old, when time passed last: nothing more comes of it until there is another one.
  private var isAnswerOld = false
  private var outage: OfflineReason?
  /// When it was last seen.
  private var outageSeen = BootInstant.zero
  private var trouble: Trouble?
  /// Whether a server that answers can be handed passages.
  private var standing = ServerStanding.open
  /// Passages that got no answer, one after the other.
  private var pushesUnanswered = 0
  /// Passages that the server looked at and refused, one after the other, and since when.
  private var refusals = 0
  private var refusedSince: BootInstant?
  /// What a call met that may be of that call alone, while a probe is to tell whether it is the line.
  private var doubt: (reason: OfflineReason, since: BootInstant)?
  private var failures = 0
  /// Since when a probe is out.
  private var probeSince: BootInstant?
  private var nextProbe: BootInstant?
  private var lastProbe: BootInstant?
  private var lastUp: BootInstant?
  private var flaps = 0

  /// Since when nothing of the server answers; nil while it does, and before anybody knows.
  private(set) var offlineSince: BootInstant?
  /// Since when the server takes nothing, whether it is there or not; nil once it takes something.
  private(set) var serverDownSince: BootInstant?
  /// When a passage failed last; nil once one was taken.
  private(set) var pushFailedAt: BootInstant?
  /// Why passages are not taken, where that is what they met; nil once one was taken.
  var pushImpairment: Impairment? { trouble.flatMap { $0.isOfPush ? $0.impairment : nil } }
  /// Whether a call failed as one fails without a line, and nobody knows yet whether it is the line.
  var isDoubted: Bool { doubt != nil }

  init(rules: NodeRules, seed: UInt64) {
    self.rules = rules
    random = SplitMix64(seed: seed)
  }

  /// Goes on from what was known before the last end.
  mutating func start(_ memory: NodeMemory, at now: BootInstant) {
    offlineSince = memory.offlineSince.map { min($0, now) }
    serverDownSince = memory.serverDownSince.map { min($0, now) }
    pushFailedAt = memory.pushFailedAt.map { min($0, now) }
    guard let impairment = memory.pushImpairment, serverDownSince != nil, let pushFailedAt,
      now - pushFailedAt <= Limits.downForgotten
    else { return }
    trouble = Trouble(impairment: impairment, isOfPush: true, isOfAll: false)
  }

  func state(at now: BootInstant) -> ConnectivityState {
    guard rules.hasServer else { return .offline(.noServer) }
    switch link?.lack {
    case .link: return .offline(.outage(.noLink, words: "no network link"))
    case .route: return .offline(.outage(.noRoute, words: "no network route"))
    case nil where link == nil: return .unknown
    case nil: break
    }
    if let outage {
      // A node that could not ask for longer than it would wait, because it slept or its disk was full,
      // knows no more whether that still holds; a text that is paid for waits for the probe.
      return now - outageSeen <= rules.outageHolds ? .offline(outage) : .unknown
    }
    if let trouble, lastAnswer != nil {
      // Where it answers others, what it says of this place tells more than that it takes nothing.
      if !trouble.isOfAll, case .hindered(let impairment) = standing {
        return .impaired(impairment)
      }
      return .impaired(trouble.impairment)
    }
    // Never asked, or the last answer has grown old while the next one is still out: the probe's
    // own deadline decides soon.
    guard let lastAnswer, now - lastAnswer <= rules.onlineFor else { return .unknown }
    if case .hindered(let impairment) = standing { return .impaired(impairment) }
    return .online
  }

  /// What may be asked of the server beside a probe. What is asked while connectivity is known to be
  /// absent, or before anybody knows, would be a wasted attempt. Where only passages meet trouble, only a
  /// passage can tell that it is over.
  func reach(at now: BootInstant) -> ServerReach {
    switch state(at: now) {
    case .online: .online
    // Without a session to ask for, what is shown is the same or was written anew: where the server answers with it
    // by now, only a passage can tell that it is taken.
    case .impaired(.credential):
      trouble.map { $0.impairment == .credential && !$0.isOfAll } == true && !isHindered
        ? .online : .impaired
    case .impaired: trouble?.isOfAll == true ? .impaired : .online
    case .offline, .unknown: .none
    }
  }

  /// Whether session or place keep passages from going.
  private var isHindered: Bool {
    if case .hindered = standing { true } else { false }
  }

  /// Whether anything but a probe and a sign-in may be asked.
  func mayCall(at now: BootInstant) -> Bool { reach(at: now) == .online }

  /// Whether passages may leave as texts: after connectivity was absent for long enough, or after a server
  /// that is there took nothing for a good deal longer.
  func textsMayLeave(at now: BootInstant) -> TextGate {
    guard rules.hasServer else { return .open }
    // One that nothing was asked of for an hour may have worked again for as long.
    let isForgotten =
      trouble == nil && standing == .open
      && pushFailedAt.map { now - $0 > Limits.downForgotten } ?? false
    let down = (isForgotten ? nil : serverDownSince).map {
      $0 + (rules.textsWhenServerDown ? rules.offlineFor : rules.serverDownAfter)
    }
    let opens: BootInstant
    switch state(at: now) {
    case .unknown, .online: return .closed
    case .impaired: opens = down ?? now + rules.serverDownAfter
    case .offline:
      let absent = (offlineSince ?? now) + rules.offlineFor
      opens = min(absent, down ?? absent)
    }
    return now > opens ? .open : .opens(at: opens + .nanoseconds(1))
  }

  /// When something changes here by the passing of time alone.
  var nextDeadline: BootInstant? {
    guard rules.hasServer, link?.isUp == true else { return nil }
    var deadline = probeSince.map { $0 + rules.probeAnswerWithin } ?? nextProbe
    if outage == nil, trouble == nil, !isAnswerOld, let lastAnswer {
      deadline = earlier(deadline, lastAnswer + rules.onlineFor + .nanoseconds(1))
    }
    return deadline
  }

  mutating func changeRules(_ rules: NodeRules, at now: BootInstant) {
    // Another server may have been named, of which nothing is known yet.
    if rules.sync.account != self.rules.sync.account || trouble?.impairment == .credential {
      // What is shown may be right now.
      trouble = nil
    }
    self.rules = rules
    forget()
    callsBefore = [:]
    nextProbe = link?.isUp == true ? now : nil
  }

  mutating func linkChanged(_ link: LinkState, at now: BootInstant) {
    let old = self.link
    self.link = link
    guard old?.isSameWay(as: link) != true else { return }
    // What was asked over the old way says nothing of the new one.
    for (id, call) in calls { callsBefore[id] = (call, wayLost: now) }
    forget()
    guard link.isUp else {
      offlineSince = offlineSince ?? now
      return
    }
    // One that comes and goes all the time is not asked over each time.
    flaps = lastUp.map { now - $0 < Limits.flapWithin } == true ? flaps + 1 : 0
    lastUp = now
    let spacing = flaps < Limits.flapsAtOnce ? Limits.probeSpacing : rules.probeRetryFirst
    nextProbe = lastProbe.map { max(now, $0 + spacing) } ?? now
  }

  /// Lets time pass.
  ///
  /// - Returns: whether a probe is due; it counts as sent.
  mutating func advance(at now: BootInstant) -> Bool {
    isAnswerOld = lastAnswer.map { now - $0 > rules.onlineFor } ?? false
    guard rules.hasServer, link?.isUp == true else { return false }
    if let since = probeSince {
      guard now - since >= rules.probeAnswerWithin else { return false }
      calls = calls.filter { !$0.value.isProbe }
      let words = "no answer within \(rules.probeAnswerWithin.wholeSeconds) s"
      unanswered(OpenCall(.probe, since: since), .outage(.noAnswer, words: words), at: now)
      return false
    }
    if outage == nil, trouble == nil, isAnswerOld { nextProbe = min(nextProbe ?? now, now) }
    guard let next = nextProbe, next <= now else { return false }
    nextProbe = nil
    probeSince = now
    lastProbe = now
    return true
  }

  /// Notes whether the server can be handed passages; before each look at the state. One without a session
  /// for this node, or that does not know its post, takes none, whatever it answers.
  mutating func noted(_ standing: ServerStanding, at now: BootInstant) {
    if case .hindered = standing { serverDownSince = serverDownSince ?? now }
    // What a passage met before is refuted by a passage only.
    let isOver = self.standing != .open && standing == .open
    if isOver, trouble == nil, pushFailedAt == nil { serverDownSince = nil }
    self.standing = standing
  }

  /// Notes that something is asked of the server; its end is evidence.
  ///
  /// - Parameter isSignedOut: Whether it shows nothing yet that a server could take or refuse.
  mutating func callBegan(
    _ id: CallID, _ call: ServerCall, isSignedOut: Bool = false, at now: BootInstant
  ) {
    guard link?.isUp == true else { return }
    calls[id] = OpenCall(call, since: now)
    calls[id]?.isSignedOut = isSignedOut
  }

  /// Notes what became of a call. One that was given up says nothing.
  mutating func callEnded(_ id: CallID, _ reply: ServerReply, at now: BootInstant) {
    if let (call, wayLost) = callsBefore.removeValue(forKey: id) {
      endedLate(call, reply, wayLost: wayLost)
      return
    }
    guard let call = calls.removeValue(forKey: id) else { return }
    switch reply.result {
    case .success(let result): answered(call, result, at: now)
    case .failure(let failure):
      switch failure.kind {
      case .outage(let outage): unanswered(call, .outage(outage, words: failure.words), at: now)
      // It was asked before anybody signed in, and wants somebody to: it is there.
      case .credential where call.isProbe && call.isSignedOut: answered(call, nil, at: now)
      case .credential: impaired(call, .credential, failure.retryAfter, at: now)
      case .trouble(let trouble):
        guard call.tellsTrouble else { return }
        impaired(call, .trouble(trouble), failure.retryAfter, at: now)
      // It looked at what it was asked, and said what is wrong with that: it works.
      case .duplicate: answered(call, nil, at: now)
      case .reference, .denied, .rejected, .absent:
        if call.isPush { refused(call, at: now) } else { answered(call, nil, at: now) }
      }
    }
  }

  /// Nothing is known of the server, except since when that is so, and what passages met: only one that is
  /// taken refutes that.
  private mutating func forget() {
    calls = [:]
    lastAnswer = nil
    outage = nil
    doubt = nil
    if trouble?.isOfPush != true { trouble = nil }
    failures = 0
    probeSince = nil
    nextProbe = nil
  }
}

// What a call says of the line.
extension Connectivity {
  private mutating func answered(
    _ call: OpenCall, _ result: ServerResult?, at now: BootInstant
  ) {
    isThere(at: now)
    endProbe(call, next: random.jittered(rules.probeEvery), at: now)
    if call.isPush {
      takesPassages()
      return
    }
    if case .session = result, trouble?.impairment == .credential { trouble = nil }
    if trouble?.isOfPush == true {
      trouble?.isOfAll = false
      return
    }
    if pushesUnanswered >= Limits.pushesUnanswered {
      trouble = Trouble(impairment: .unanswered, isOfPush: true, isOfAll: false)
      return
    }
    trouble = nil
    // What a passage met is refuted by a passage only.
    if pushFailedAt == nil, standing == .open { serverDownSince = nil }
  }

  /// It answered.
  private mutating func isThere(at now: BootInstant) {
    lastAnswer = now
    outage = nil
    doubt = nil
    offlineSince = nil
    failures = 0
  }

  /// The server looked at passages and did not take them. One that it refuses may be to blame itself; where
  /// it refuses one after the other and takes none, it takes nothing.
  private mutating func refused(_ call: OpenCall, at now: BootInstant) {
    isThere(at: now)
    pushesUnanswered = 0
    endProbe(call, next: random.jittered(rules.probeEvery), at: now)
    guard call.isSinglePush else { return }
    refusals += 1
    refusedSince = refusedSince ?? now
    guard refusals >= Limits.refusedPushes || trouble?.isOfPush == true else { return }
    serverDownSince = serverDownSince ?? refusedSince
    pushFailedAt = now
    trouble = Trouble(impairment: .takesNothing, isOfPush: true, isOfAll: false)
  }

  /// Takes what became of a call whose way was lost meanwhile. It says nothing of the way there is now, if
  /// there is one; but where the server answered, the absence before that was over.
  private mutating func endedLate(_ call: OpenCall, _ reply: ServerReply, wayLost: BootInstant) {
    switch reply.failure?.kind {
    case .outage: return
    case .credential, .trouble: break
    case nil, .duplicate, .reference, .denied, .rejected, .absent:
      let isRefused = ![nil, .duplicate].contains(reply.failure?.kind)
      if call.isPush {
        if !isRefused { takesPassages() }
      } else if pushFailedAt == nil, standing == .open {
        serverDownSince = nil
      }
    }
    offlineSince = offlineSince.map { max($0, wayLost) }
  }

  private mutating func takesPassages() {
    trouble = nil
    serverDownSince = nil
    pushesUnanswered = 0
    refusals = 0
    refusedSince = nil
    pushFailedAt = nil
  }

  private mutating func impaired(
    _ call: OpenCall, _ impairment: Impairment, _ retryAfter: Duration?, at now: BootInstant
  ) {
    noteDown(call, at: now)
    lastAnswer = now
    outage = nil
    doubt = nil
    offlineSince = nil
    pushesUnanswered = 0
    trouble = Trouble(
      impairment: impairment, isOfPush: call.isPush || trouble?.isOfPush == true,
      // What is shown is shown with every call.
      isOfAll: impairment == .credential || !call.isPush || trouble?.isOfAll == true)
    endProbe(call, next: max(growingPause(), retryAfter ?? .zero), at: now)
  }

  private mutating func unanswered(
    _ call: OpenCall, _ reason: OfflineReason, at now: BootInstant
  ) {
    if call.isPush {
      noteDown(call, at: now)
      pushesUnanswered += 1
    }
    // Something else got an answer meanwhile: the line is there.
    if let lastAnswer, lastAnswer > call.since, outage == nil {
      endProbe(call, next: random.jittered(rules.probeEvery), at: now)
      return
    }
    // The server has just answered others: it may be this one call, and a probe tells.
    if !call.isProbe, outage == nil, lastAnswer.map({ now - $0 <= rules.onlineFor }) == true,
      case .outage(let outage, _) = reason, outage.mayBeOfOneCall
    {
      doubt = doubt ?? (reason, now)
      guard probeSince == nil else { return }
      nextProbe = lastProbe.map { max(now, $0 + Limits.probeSpacing) } ?? now
      return
    }
    let isFirst = outage == nil
    outage = reason
    // What was met first tells more than that a probe met silence, too.
    if let doubt, case .outage(.noAnswer, _) = reason { outage = doubt.reason }
    outageSeen = now
    if trouble?.isOfPush != true { trouble = nil }
    lastAnswer = nil
    offlineSince = offlineSince ?? doubt?.since ?? now
    doubt = nil
    // Several calls that fail together are one failure.
    if isFirst || call.isProbe { endProbe(call, next: growingPause(), at: now) }
  }

  private mutating func noteDown(_ call: OpenCall, at now: BootInstant) {
    // A failure long ago, with answers since, is not the same one.
    let isOld = pushFailedAt.map { now - $0 > Limits.downForgotten } ?? false
    if isOld, lastAnswer != nil, trouble == nil, standing == .open { serverDownSince = nil }
    serverDownSince = serverDownSince ?? now
    if call.isPush { pushFailedAt = now }
  }

  /// Plans the next probe, unless one is out that this call was not.
  private mutating func endProbe(_ call: OpenCall, next: Duration, at now: BootInstant) {
    if call.isProbe { probeSince = nil }
    guard probeSince == nil else { return }
    nextProbe = now + next
  }

  private mutating func growingPause() -> Duration {
    let doublings = min(failures, 16)
    failures += 1
    return random.jitteredDown(min(rules.probeRetryFirst * (1 << doublings), rules.probePauseMost))
  }
}

extension ServerFailure.Outage {
  /// Whether it may happen to one call for what that call carries: no answer in time, a connection that is cut,
  /// a page of a guard on the way.
  fileprivate var mayBeOfOneCall: Bool { self == .noAnswer || self == .captivePortal }
}

extension NodeRules {
  /// How long an outage that was seen holds: longer than from one probe's end to that of the next.
  fileprivate var outageHolds: Duration { probePauseMost * 2 + probeAnswerWithin }

  /// Time to the next probe at most. Where the kernel tells nothing of a line that is back, a probe does: one
  /// that began before may have to come to its end first, and the next one follows after this.
  fileprivate var probePauseMost: Duration {
    min(
      probeRetryMost,
      max(Limits.returnSeenWithin - probeAnswerWithin, Limits.probeSpacing))
  }
}

extension Connectivity.OpenCall {
  fileprivate init(_ call: ServerCall, since: BootInstant) {
    self.since = since
    isProbe = call == .probe
    isSinglePush = false
    switch call {
    case .push(let passages):
      (isPush, tellsTrouble) = (true, true)
      isSinglePush = passages.count == 1
      return
    case .probe, .readBack, .correct: (isPush, tellsTrouble) = (false, true)
    default: (isPush, tellsTrouble) = (false, false)
    }
  }
}
