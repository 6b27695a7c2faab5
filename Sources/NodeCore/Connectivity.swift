import SeededRandom
import Time

/// What came of asking the configured server whether it is there.
public enum ProbeResult: Hashable, Sendable {
  /// It gave an authenticated answer of the expected form.
  case authenticated
  /// Something answered, but not as our server does: a captive portal, a wrong key, an error page.
  case refused(reason: String)
  /// Nothing answered.
  case unreachable(reason: String)
}

/// Why there is no connectivity.
public enum OfflineReason: Hashable, Sendable {
  /// No server is configured.
  case noServer
  /// No network interface is up with a route.
  case linkDown
  /// The last probe got no answer, or one that is not the server's.
  case probeFailed(reason: String)
}

/// Whether passages can go to the server.
public enum ConnectivityState: Hashable, Sendable {
  /// Nothing is known yet: the link has not been read, or the first probe is still out. No text
  /// leaves in this state, because it may turn out to be online.
  case unknown
  /// The link is up, and the server gave an authenticated answer within the last minute with no
  /// failure since.
  case online
  /// There is no connectivity.
  case offline(OfflineReason)

  /// Whether the state is ``offline(_:)``.
  public var isOffline: Bool {
    if case .offline = self { true } else { false }
  }
}

/// Connectivity: the link's state AND an authenticated answer of the configured server.
///
/// The link alone proves nothing (a modem dongle shows a carrier without credit), and an answer
/// proves nothing for long, so the server is probed: every half minute while it answers, with
/// growing pauses and jitter while it does not, and at once when the link comes up.
struct Connectivity: Sendable {
  private var rules: NodeRules
  private var random: SplitMix64
  private var linkIsUp: Bool?
  private var lastAnswer: BootInstant?
  private var failure: String?
  private var failures = 0
  private var probeID: UInt64 = 0
  private var probeSince: BootInstant?
  private var nextProbe: BootInstant?

  init(rules: NodeRules, seed: UInt64) {
    self.rules = rules
    random = SplitMix64(seed: seed)
  }

  func state(at now: BootInstant) -> ConnectivityState {
    guard rules.hasServer else { return .offline(.noServer) }
    guard let linkIsUp else { return .unknown }
    guard linkIsUp else { return .offline(.linkDown) }
    if let failure {
      return .offline(.probeFailed(reason: failure))
    }
    if let lastAnswer, now - lastAnswer <= rules.onlineFor {
      return .online
    }
    // Never asked, or the last answer has grown old while the next one is still out: the probe's
    // own deadline decides soon.
    return .unknown
  }

  /// When something changes here by the passing of time alone.
  var nextDeadline: BootInstant? {
    guard rules.hasServer, linkIsUp == true else { return nil }
    var deadline = probeSince.map { $0 + rules.probeAnswerWithin } ?? nextProbe
    if failure == nil, let lastAnswer {
      let expiry = lastAnswer + rules.onlineFor + .nanoseconds(1)
      deadline = deadline.map { min($0, expiry) } ?? expiry
    }
    return deadline
  }

  mutating func changeRules(_ rules: NodeRules, at now: BootInstant) {
    self.rules = rules
    // Another server may have been named, of which nothing is known yet.
    lastAnswer = nil
    failure = nil
    failures = 0
    probeSince = nil
    nextProbe = linkIsUp == true ? now : nil
  }

  mutating func linkChanged(isUp: Bool, at now: BootInstant) {
    guard linkIsUp != isUp else { return }
    linkIsUp = isUp
    lastAnswer = nil
    failure = nil
    failures = 0
    probeSince = nil
    nextProbe = isUp ? now : nil
  }

  /// Notes the answer to probe `id`; an answer to an older one says nothing any more.
  mutating func probeFinished(_ id: UInt64, _ result: ProbeResult, at now: BootInstant) {
    guard probeSince != nil, id == probeID else { return }
    probeSince = nil
    switch result {
    case .authenticated:
      lastAnswer = now
      failure = nil
      failures = 0
      nextProbe = now + random.jittered(rules.probeEvery)
    case .refused(let reason), .unreachable(let reason):
      fail(reason, at: now)
    }
  }

  /// Lets time pass, and returns the id of the probe to send now, if one is due.
  mutating func advance(at now: BootInstant) -> UInt64? {
    guard rules.hasServer, linkIsUp == true else { return nil }
    if let since = probeSince {
      guard now - since >= rules.probeAnswerWithin else { return nil }
      probeSince = nil
      fail("no answer within \(rules.probeAnswerWithin.wholeSeconds) s", at: now)
      return nil
    }
    if let lastAnswer, failure == nil, now - lastAnswer > rules.onlineFor {
      nextProbe = min(nextProbe ?? now, now)
    }
    guard let next = nextProbe, next <= now else { return nil }
    nextProbe = nil
    probeSince = now
    probeID += 1
    return probeID
  }

  private mutating func fail(_ reason: String, at now: BootInstant) {
    failure = reason
    let doublings = min(failures, 16)
    failures += 1
    let pause = min(rules.probeRetryFirst * (1 << doublings), rules.probeRetryMost)
    nextProbe = now + random.jittered(pause)
  }
}
