import Mutants
import Passages
import SeededRandom
import Time

/// Whether the server is there, as far as it takes to decide what is asked of it.
enum ServerReach: Hashable, Sendable {
  /// It is not there, or nobody knows.
  case none
  /// It is there and takes nothing: a session may be asked for, and nothing else.
  case impaired
  /// It is there and works.
  case online
}

/// All that a node does with its server beyond asking whether it is there: it signs in, learns what the
/// server calls this place, uploads, pulls, and notes how far the server has everything.
///
/// What is out is numbered here, probes too, so that each answer finds its question.
struct ServerSide: Sendable {
  /// What an answer is for.
  enum Purpose: Hashable, Sendable {
    case probe
    case signIn(ServerCall.Grant)
    case directory
    case upload(UploadCall.Way)
    case pull
    case mark
    case match
  }

  struct OpenCall: Hashable, Sendable {
    var purpose: Purpose
    var since: BootInstant
    /// When its answer is taken for lost.
    var lostAt: BootInstant
    /// Whether it showed nothing that the server could refuse, as there was no session yet.
    var isSignedOut: Bool
  }

  /// Something to ask because of an answer.
  struct Following: Hashable, Sendable {
    var purpose: Purpose
    var call: ServerCall
  }

  var rules: NodeRules
  var random: SplitMix64
  var signIn: SignIn
  var directory: DirectoryWatch
  var uploads: UploadDelivery
  var memory = NodeMemory()
  /// What the store has of it.
  var kept = NodeMemory()
  var open: [CallID: OpenCall] = [:]
  private var lastCall: CallID = 0
  private(set) var reach = ServerReach.none
  /// Whether requests could go when it was looked at last.
  private(set) var isReady = false
  /// Passages of the opposite post are asked for.
  var pulls: PullSchedule
  /// Pairs that were found here.
  var confirmations = MatchConfirmations()
  var following: [Following] = []
  var serverClock: ServerClock?
  private var lastNoted: BootInstant?
  var toldFault: DirectoryFault?
  var toldAlarm: String?
  private var markDue = BootInstant.zero
  private var isMarkWanted = false
  /// Whether a call failed as one fails without a line, and nobody knows yet whether it is the line.
  var isDoubted = false
  /// Whether the server answers, and no passage that it was handed was taken.
  var isHealthyButTakesNothing = false
  /// Whether photographs may go: not over a link that is paid by volume, nor with an empty battery.
  var takesPhotos = true

  init(rules: NodeRules, seed: UInt64) {
    self.rules = rules
    random = SplitMix64(seed: seed)
    signIn = SignIn(isNeeded: rules.sync.signsIn)
    directory = DirectoryWatch(checkpost: rules.checkpost)
    uploads = UploadDelivery(rules: rules.sync, random: random.fork())
    pulls = PullSchedule(rules: rules.sync)
  }

  mutating func start(_ memory: NodeMemory) {
    self.memory = memory
    kept = memory
    directory.start(memory.directory)
    signIn.start(restsUntil: memory.signInRestsUntil)
  }

  mutating func changeRules(_ rules: NodeRules, at now: BootInstant) {
    let old = self.rules
    self.rules = rules
    uploads.changeRules(rules.sync)
    pulls.changeRules(rules.sync)
    directory.changeRules(checkpost: rules.checkpost, at: now)
    let isSameAccount = old.sync.account == rules.sync.account
    signIn.changeRules(isNeeded: rules.sync.signsIn, isSameAccount: isSameAccount)
    // Another server or user: what was kept of the old one is not shown to it.
    guard !isSameAccount else { return }
    memory.refreshToken = nil
    memory.userID = nil
  }

  /// The server's name of the user, as far as it is known.
  var userID: String? { rules.sync.userID ?? memory.userID }

  /// When there is something to do by the passing of time alone.
  var deadline: BootInstant? {
    var next = earlier(open.values.map(\.lostAt).min(), uploads.stopDeadline)
    guard reach != .none, !uploads.isStopping else { return next }
    next = earlier(next, signIn.deadline)
    guard isReady else { return next }
    if userID != nil { next = earlier(next, directory.deadline) }
    next = earlier(next, uploads.deadline)
    if serverClock != nil { next = earlier(next, pulls.nextDeadline) }
    if isMarkWanted { next = earlier(next, markDue) }
    return next
  }

  /// Whether a request is out that is waited for when the service ends.
  var isSending: Bool { uploads.isSending }

  /// Sends a question out.
  ///
  /// - Returns: its number.
  @discardableResult
  mutating func ask(
    _ call: ServerCall, for purpose: Purpose, at now: BootInstant, _ effects: inout [NodeEffect]
  ) -> CallID {
    lastCall += 1
    open[lastCall] = OpenCall(
      purpose: purpose, since: now, lostAt: now + call.answeredWithin,
      isSignedOut: signIn.isNeeded && signIn.token == nil)
    let isSignIn = if case .signIn = call { true } else { false }
    effects.append(.call(lastCall, call, token: isSignIn ? nil : signIn.token))
    return lastCall
  }

  /// Goes on with whatever may go on now.
  ///
  /// - Returns: the numbers of what went out.
  mutating func advance(
    _ reach: ServerReach, at now: BootInstant, _ effects: inout [NodeEffect]
  ) -> [CallID] {
    var asked: [CallID] = []
    let reach = Mutant.asksWithoutALine.isActive && reach == .none ? .online : reach
    if reach != self.reach, reach != .none {
      signIn.lineReturned(at: now)
      directory.lineReturned(at: now)
      pulls.connected()
    }
    self.reach = reach
    // An answer that was on its way when the line went gives rise to a question once it is back.
    if reach != .none {
      for next in following {
        asked.append(ask(next.call, for: next.purpose, at: now, &effects))
      }
      following = []
    }
    if reach != .none, !uploads.isStopping,
      let grant = signIn.ask(with: memory.refreshToken, at: now)
    {
      asked.append(ask(.signIn(grant), for: .signIn(grant), at: now, &effects))
    }
    isReady = reach == .online && signIn.isReady(at: now)
    if isReady, !uploads.isStopping, let call = directory.ask(user: userID, at: now) {
      asked.append(ask(call, for: .directory, at: now, &effects))
    }
    uploads.advance(line, at: now, &effects)
    if reach == .none { uploads.giveBackUnasked(&effects) }
    for next in uploads.takeCalls() {
      asked.append(ask(next.call, for: .upload(next.way), at: now, &effects))
    }
    asked += askForMatching(at: now, &effects)
    if uploads.takeEnded() {
      isMarkWanted = userID != nil
      // Written down now and then: it is told in minutes.
      if let clock = serverClock, lastNoted.map({ now - $0 >= Limits.syncNotedEvery }) ?? true {
        lastNoted = now
        memory.lastSyncedAt = clock.time(at: now)
      }
    }
    if isReady, isMarkWanted, markDue <= now, !open.values.contains(where: { $0.purpose == .mark })
    {
      isMarkWanted = false
      markDue = now + Limits.markEvery
      effects.append(.findSyncMark)
    }
    tellFaults(at: now, &effects)
    return asked
  }

  /// Takes the store's answer to what was chosen for upload.
  mutating func chosen(
    _ kind: UploadKind, _ answer: UploadAnswer, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    isReady = reach == .online && signIn.isReady(at: now)
    uploads.chosen(kind, answer, line, at: now, &effects)
  }

  /// What uploads need to know of the rest.
  private var line: UploadLine {
    var line = UploadLine(place: isReady ? directory.place : nil, takesPhotos: takesPhotos)
    line.isThere = reach != .none
    line.isDoubted = isDoubted
    line.placeAnswers = directory.answers
    line.placeFailures = directory.failures
    line.takesNothing = isHealthyButTakesNothing
    return line
  }

  /// The store knows up to when everything is on the server: the server is told.
  mutating func found(
    _ standing: SyncStanding, at now: BootInstant, _ effects: inout [NodeEffect]
  ) -> CallID? {
    guard reach == .online, signIn.isReady(at: now), let userID, let checkpost = rules.checkpost
    else { return nil }
    // Everything is there: so it is up to now, by the server's own clock.
    guard let until = standing.through ?? serverClock?.time(at: now) else { return nil }
    let mark = SyncMark(
      userID: userID, device: checkpost.code, through: until, pending: standing.waiting,
      clockDoubt: standing.clockDoubt)
    return ask(.synced(mark), for: .mark, at: now, &effects)
  }

  /// What is to be kept of what is known now; nil when the store has it.
  mutating func takeMemory() -> NodeMemory? {
    memory.signInRestsUntil = signIn.restsUntil
    guard memory != kept else { return nil }
    kept = memory
    return memory
  }
}
