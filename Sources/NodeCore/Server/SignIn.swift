import SeededRandom
import Time

/// The session of a node with its server: it asks for tokens, renews them before they end, and asks with
/// the password when the server no longer takes the refresh token.
///
/// Refresh tokens rotate: each is good for one more token, and one that was used long ago ends the whole
/// session. So there is one question at a time, and the new one is on disk before what came with it is used.
struct SignIn: Hashable, Sendable {
  /// What is shown with each request, for now.
  private struct Access: Hashable, Sendable {
    var token: Token
    var renewAt: BootInstant
    var endsAt: BootInstant
  }

  private(set) var isNeeded: Bool
  private var access: Access?
  /// The server refused the token since it was given.
  private var isDoubted = false
  /// Tokens in a row that were refused as soon as they were used.
  private var doubts = 0
  private var isRefreshRefused = false
  private(set) var isAsking = false
  private var failures = 0
  private var nextTry = BootInstant.zero
  /// Until when the server asked to be left alone; neither a line that returns nor a start ends that.
  private(set) var restsUntil: BootInstant?
  /// Why nobody is signed in, when a person has to see to it.
  private(set) var alarm: String?
  /// What keeps the server from giving a session, as it said last.
  private(set) var trouble: ServerFailure.Trouble?

  init(isNeeded: Bool) {
    self.isNeeded = isNeeded
  }

  /// Goes on from what was known before the last end.
  mutating func start(restsUntil: BootInstant?) {
    self.restsUntil = restsUntil
  }

  mutating func changeRules(isNeeded: Bool, isSameAccount: Bool) {
    let restsUntil = isSameAccount ? restsUntil : nil
    // Name, password or server may be others now.
    self = SignIn(isNeeded: isNeeded)
    self.restsUntil = restsUntil
  }

  /// What is shown: nil for the key or token of the settings. Nobody may ask while ``isReady(at:)`` is
  /// false.
  var token: Token? { access?.token }

  /// Whether requests may go.
  func isReady(at now: BootInstant) -> Bool {
    guard isNeeded else { return !isDoubted }
    guard let access, !isDoubted else { return false }
    return now < access.endsAt
  }

  /// When there is something to do by the passing of time alone.
  var deadline: BootInstant? {
    guard isNeeded else { return isDoubted ? nextTry : nil }
    guard !isAsking else { return nil }
    let first = max(nextTry, restsUntil ?? .zero)
    guard let access, !isDoubted else { return first }
    return max(access.renewAt, first)
  }

  /// What to ask for a token with; nil while that is not to be done. The question is out then.
  mutating func ask(with refreshToken: Token?, at now: BootInstant) -> ServerCall.Grant? {
    guard let deadline, deadline <= now else { return nil }
    guard isNeeded else {
      // Somebody may have changed what the settings name: it is shown once more.
      isDoubted = false
      return nil
    }
    isAsking = true
    if let refreshToken, !isRefreshRefused { return .refresh(refreshToken) }
    return .password
  }

  /// The server gave a session.
  mutating func granted(_ session: GrantedSession, at now: BootInstant) {
    isAsking = false
    trouble = nil
    restsUntil = nil
    isRefreshRefused = false
    isDoubted = false
    if doubts == 0 {
      failures = 0
      alarm = nil
    }
    let life = session.lasts.wholeNanoseconds
    access = Access(
      token: session.accessToken,
      renewAt: now + .nanoseconds(life / 100 * Limits.renewAfterPercent),
      endsAt: now + session.lasts)
    nextTry = now + Limits.signInFirst
  }

  /// The server gave none.
  mutating func refused(
    _ failure: ServerFailure, for grant: ServerCall.Grant, at now: BootInstant,
    _ random: inout SplitMix64
  ) {
    isAsking = false
    if failure.isOfServer { trouble = nil }
    restsUntil = failure.retryAfter.map { now + $0 }
    switch (failure.kind, grant) {
    case (.trouble(let trouble), _):
      self.trouble = trouble
      pause(failure.retryAfter, at: now, &random)
    case (.outage, _):
      pause(failure.retryAfter, at: now, &random)
    case (_, .refresh):
      // The password is what is left, and it may be asked for at once.
      isRefreshRefused = true
      nextTry = now
    case (_, .password):
      alarm = failure.words
      pause(failure.retryAfter, at: now, &random)
    }
  }

  /// The line is there again: nothing that failed without it says anything.
  mutating func lineReturned(at now: BootInstant) {
    guard alarm == nil, doubts == 0 else { return }
    failures = 0
    nextTry = min(nextTry, now)
  }

  /// The server does not take what is shown.
  mutating func doubt(_ failure: ServerFailure, at now: BootInstant, _ random: inout SplitMix64) {
    // Of several requests that were out with one token the first says all.
    guard !isDoubted else { return }
    isDoubted = true
    doubts += 1
    guard isNeeded, doubts < 2 else {
      // A token that was just given and is refused again: asking for the next one at once would only
      // repeat that. Without a session nothing but a person can change the token.
      alarm = failure.words
      pause(failure.retryAfter, at: now, &random)
      return
    }
    nextTry = now
  }

  /// The server took what is shown.
  ///
  /// - Parameter byProbe: whether it was shown with no more than a question whether the server is there: a
  ///   server may answer that and refuse all that matters.
  mutating func wasTaken(byProbe: Bool = false) {
    if byProbe, doubts >= 2 { return }
    // What is taken without a session says nothing of it.
    guard !isNeeded || access != nil else { return }
    failures = 0
    doubts = 0
    isDoubted = false
    alarm = nil
  }

  private mutating func pause(
    _ asked: Duration?, at now: BootInstant, _ random: inout SplitMix64
  ) {
    failures += 1
    let pause = min(Limits.signInFirst * (1 << min(failures - 1, 16)), Limits.signInMost)
    nextTry = now + max(random.jittered(pause), asked ?? .zero)
  }
}
