import Mutants
import Passages
import SeededRandom
import Time

/// What an upload needs to know of the rest of the node.
struct UploadLine: Hashable, Sendable {
  /// Whether the server is there, knows us and told what it calls this place.
  var place: ServerPlace?
  /// Whether photographs may go over this link now.
  var takesPhotos = true
  /// Whether the server is there.
  var isThere = true
  /// Whether nobody knows yet whether it still is: something failed as it fails without a line.
  var isDoubted = false
  /// How often the server told its names for this place, and how often it was asked and did not.
  var placeAnswers = 0
  var placeFailures = 0
  /// Whether the server answers, and took none of the passages that it was handed last.
  var takesNothing = false
}

/// Passages, corrections and photographs over HTTP: one way out of the queue.
///
/// One request with passages is out at a time: the most urgent first, and of these the oldest. Where many
/// wait they go in batches, which the server takes whole or not at all. A photograph goes beside them, and
/// only when no passage is due. What the server answers that it has, or does not say that it took, is read
/// back and compared before it counts.
///
/// What fails is found out to be of the line, of the server, or of the passage. One that fails by itself waits
/// for longer each time, whatever the line does meanwhile, while others go; after some times it goes alone and
/// behind all others. A batch that fails is halved until the one is found.
struct UploadDelivery: Sendable {
  var rules: SyncRules
  var random: SplitMix64
  /// Passages or a correction on their way.
  var attempt: UploadAttempt?
  /// What its failure comes of is being found out.
  var doubt: UploadAttempt.Doubt?
  /// A photograph on its way.
  var photo: UploadAttempt?
  /// A photograph that the server says it took, in an answer that does not prove it; nil once it was asked.
  var unshownPhoto: UploadID?
  /// Where each kind stands in the store's queue.
  var lookouts: [UploadKind: Lookout] = [:]
  /// Failures in a row that say that the server takes nothing just now.
  var retry = RetryPause()
  /// Those that failed one after the other, each perhaps for what it is.
  var suspects: Set<UploadID> = []
  /// Those that were refused one after the other for what they say.
  var rejected: [UploadID] = []
  /// How many were refused one after the other by the server's rules.
  var deniedInARow = 0
  /// When a server that answers and takes nothing is handed one of those that were given up for good.
  var trialAt: BootInstant?
  /// Whether one of those that were refused by policy is to be tried, since the node signed in again.
  private var isTrialWanted = false
  /// Nothing goes until then, after something failed.
  var holdUntil: BootInstant?
  /// Why.
  var holdReason: String?
  /// When what was given up is tried again.
  var requeueAt: BootInstant?
  /// Whether that was the line, so that it is over when the line is back.
  var endsHoldWithLine = false
  /// What is to be asked of the server.
  var calls: [UploadCall] = []
  var photoRetry = RetryPause()
  /// Photographs that failed one after the other, each perhaps for what it is.
  var photoSuspects: Set<UploadID> = []
  var photoHoldUntil: BootInstant?
  var pace = DrainPace()
  /// A backlog goes on from then; nil before the first passage went since the line came back.
  var drainFrom: BootInstant?
  /// Passages in one request: fewer after the server refused a batch for one of them.
  var batchLimit: Int
  /// How many to ask the store for.
  var askFor = 1
  /// Passages that were pending when the store was asked last.
  var backlog = 0
  var progress: SyncProgress?
  /// What happened since the last look of ``takeEnded()``.
  var hasCycleEnded = false
  var isOpen = false
  var isStopping = false
  /// The service is about to end; what is due may go until then.
  private var finishBy: BootInstant?

  init(rules: SyncRules, random: SplitMix64) {
    self.rules = rules
    self.random = random
    batchLimit = min(max(rules.batchSize, 1), Limits.batch)
    for kind in UploadKind.allCases { lookouts[kind] = Lookout() }
  }

  mutating func changeRules(_ rules: SyncRules) {
    self.rules = rules
    batchLimit = mostAtOnce
    lookAtAll()
    holdUntil = nil
    holdReason = nil
  }

  var mostAtOnce: Int { min(max(rules.batchSize, 1), Limits.batch) }

  /// Something may be due.
  mutating func lookAtAll() {
    for kind in UploadKind.allCases { lookouts[kind]?.look() }
  }

  /// Somebody asks to try now, whatever is being waited for, and whatever it was given up for.
  mutating func tryNow(_ effects: inout [NodeEffect]) {
    endPauses()
    effects.append(.upload(.requeuedAll))
  }

  /// The node signed in again: what its user may not do may be another by now.
  mutating func signedIn() {
    isTrialWanted = true
  }

  /// Ends the pauses of the queue.
  mutating func endPauses() {
    holdUntil = nil
    holdReason = nil
    photoHoldUntil = nil
    retry.succeeded()
    suspects = []
    rejected = []
    photoRetry.succeeded()
    photoSuspects = []
    drainFrom = drainFrom.map { _ in .zero }
    lookAtAll()
  }

  /// Whether a request is out whose answer is still to come.
  var isSending: Bool { attempt != nil || photo != nil || (finishBy != nil && !isStopping) }

  /// The store failed, and will not answer what it was asked.
  mutating func storeFailed() {
    for kind in UploadKind.allCases { lookouts[kind]?.storeFailed() }
  }

  /// When there is something to do by the passing of time alone, with the line as it was seen last.
  var deadline: BootInstant? {
    guard isOpen, !isStopping else { return nil }
    let hold = holdUntil ?? .zero
    let passages = lookouts[.passage]?.deadline
    var next = attempt == nil ? passages.map { max($0, hold, waitsToDrainUntil ?? .zero) } : nil
    next = earlier(next, requeueAt)
    if attempt == nil, backlog == 0 { next = earlier(next, trialAt) }
    // How far it is is told while an answer is awaited, too.
    next = earlier(next, progress.map { max($0.toldAt + Limits.progressEvery, hold) })
    // The others have their turn when no passage is due: at this moment, or never while one is.
    guard passages != .zero, finishBy == nil else { return earlier(next, finishBy) }
    if attempt == nil, let due = lookouts[.correction]?.deadline {
      next = earlier(next, max(due, hold))
    }
    if photo == nil, arePhotosOpen, let due = lookouts[.photo]?.deadline {
      next = earlier(next, max(due, hold, photoHoldUntil ?? .zero))
    }
    return next
  }

  /// Whether photographs could go when the line was seen last.
  private(set) var arePhotosOpen = false

  /// Until when a backlog waits; nil while none does.
  private var waitsToDrainUntil: BootInstant? {
    guard backlog > rules.batchOver, let drainFrom else { return nil }
    return max(drainFrom, pace.nextAt)
  }

  /// Goes on with whatever may go on now.
  mutating func advance(_ line: UploadLine, at now: BootInstant, _ effects: inout [NodeEffect]) {
    let wasOpen = isOpen
    isOpen = line.place != nil
    arePhotosOpen = line.takesPhotos
    settle(line, at: now, &effects)
    if isOpen, !wasOpen { lineOpened() }
    finish(at: now, &effects)
    guard isOpen, !isStopping else { return }
    tellProgress(at: now, &effects)
    tryAgain(line, at: now, &effects)
    guard !lookouts.values.contains(where: \.isChoosing) else { return }
    if attempt == nil || Mutant.twoRequestsAtATime.isActive, holdUntil ?? .zero <= now {
      holdUntil = nil
      holdReason = nil
      if waitsToDrainUntil ?? .zero <= now, lookouts[.passage]?.isTime(at: now) == true {
        lookouts[.passage]?.ask()
        // Where some failed, the answer comes from one that did not, however many of them are due before it.
        let limit = suspects.isEmpty ? askFor : max(askFor, mostAtOnce)
        effects.append(
          .chooseUploads(
            UploadQuery(.passage, limit: Mutant.newestFirst.isActive ? Limits.batch : limit)))
        return
      }
      if backlog == 0 || lookouts[.passage]?.isTime(at: now) == false,
        lookouts[.correction]?.isTime(at: now) == true
      {
        lookouts[.correction]?.ask()
        effects.append(.chooseUploads(UploadQuery(.correction, limit: 1)))
        return
      }
    }
    // Beside a passage on its way, and never before one that is due.
    guard photo == nil, finishBy == nil, arePhotosOpen, photoHoldUntil ?? .zero <= now,
      holdUntil == nil,
      lookouts[.passage]?.isTime(at: now) == false, lookouts[.photo]?.isTime(at: now) == true
    else { return }
    lookouts[.photo]?.ask()
    effects.append(.chooseUploads(UploadQuery(.photo, limit: 1)))
  }

  /// Takes up again what was given up, when its moment has come.
  private mutating func tryAgain(
    _ line: UploadLine, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    if let requeueAt, requeueAt <= now {
      self.requeueAt = nil
      lookAtAll()
      if !Mutant.failedIsNeverRequeued.isActive {
        effects.append(.upload(.requeuedDue(refusedAgain: now + Limits.refusedAgain)))
      }
    }
    if isTrialWanted {
      isTrialWanted = false
      lookAtAll()
      effects.append(.upload(.requeuedOne([.policy])))
    }
    guard line.takesNothing else {
      trialAt = nil
      return
    }
    // As long as others wait, they are what it is tried with.
    guard let at = trialAt, attempt == nil, backlog == 0 else {
      trialAt = trialAt ?? now + Limits.trialEvery
      return
    }
    guard at <= now else { return }
    trialAt = now + Limits.trialEvery
    lookAtAll()
    effects.append(.upload(.requeuedOne([.policy, .attempts])))
  }

  /// The line is there, or there again: the first passage that did not fail by itself goes at once.
  private mutating func lineOpened() {
    lookAtAll()
    drainFrom = nil
    pace = DrainPace()
    askFor = 1
    // A server that is there and takes nothing closes the line too, and what it did not take would only be
    // refused again.
    guard holdUntil == nil || endsHoldWithLine else { return }
    holdUntil = nil
    holdReason = nil
    retry.succeeded()
    photoHoldUntil = nil
  }

  /// The service is about to end: passages that are due still go for a moment, if there is a line, and
  /// those that are out are waited for as long. A photograph is not.
  mutating func stop(at now: BootInstant, _ effects: inout [NodeEffect]) {
    finishBy = now + Limits.syncAtStop
    // Whatever it has sent of a photograph, the rest may take minutes; it goes after the next start.
    for upload in photo?.uploads ?? [] { giveBack(upload, Words.stopped, &effects) }
    photo = nil
    calls.removeAll { $0.way == .photos }
    finish(at: now, &effects)
  }

  /// When passages that are on their way are no longer waited for, once the service is about to end.
  var stopDeadline: BootInstant? { attempt == nil ? nil : finishBy }

  /// Begins nothing new once there is nothing more to go, or no time left.
  private mutating func finish(at now: BootInstant, _ effects: inout [NodeEffect]) {
    guard let finishBy else { return }
    if finishBy <= now {
      for upload in attempt?.uploads ?? [] { giveBack(upload, Words.stopped, &effects) }
      (attempt, doubt) = (nil, nil)
    }
    let isDone = attempt == nil && lookouts[.passage]?.isTime(at: now) == false
    let waits = holdUntil.map { $0 > now } ?? false
    if !isOpen || isDone || waits || finishBy <= now { isStopping = true }
  }

  private mutating func tellProgress(at now: BootInstant, _ effects: inout [NodeEffect]) {
    // While it waits after a failure it is not running: that is told with the failure.
    guard var progress, holdUntil ?? .zero <= now,
      now - progress.toldAt >= Limits.progressEvery
    else { return }
    progress.toldAt = now
    self.progress = progress
    effects.append(.report(.syncProgress(done: progress.done, total: progress.total)))
  }

  /// What is to be asked of the server, each once.
  mutating func takeCalls() -> [UploadCall] {
    defer { calls = [] }
    return calls
  }

  /// Whether a cycle ended since this was asked last.
  mutating func takeEnded() -> Bool {
    defer { hasCycleEnded = false }
    return hasCycleEnded
  }
}

/// How far a sync has come.
struct SyncProgress: Hashable, Sendable {
  var total: Int
  var done = 0
  var begun: BootInstant
  /// When it was told of last.
  var toldAt: BootInstant

  /// One more is done: of what was recorded since it began, perhaps.
  mutating func advance() {
    done += 1
    total = max(total, done)
  }
}

/// Where a kind of upload stands in the store's queue: whether to look for what is due, and when otherwise.
struct Lookout: Hashable, Sendable {
  /// The store was asked and has not answered yet.
  private(set) var isChoosing = false
  /// Whether something may be due that the store was not asked about yet.
  private(set) var needsLook = true
  /// When the first becomes due, as the store last said.
  private(set) var nextDue: BootInstant?

  mutating func look() { needsLook = true }

  mutating func ask() { isChoosing = true }

  mutating func storeFailed() { isChoosing = false }

  /// Takes the store's answer; false when it was not asked.
  mutating func take(_ answer: UploadAnswer) -> Bool {
    guard isChoosing else { return false }
    isChoosing = false
    needsLook = false
    nextDue = answer.nextDue
    return true
  }

  func isTime(at now: BootInstant) -> Bool {
    needsLook || (nextDue.map { $0 <= now } ?? false)
  }

  var deadline: BootInstant? {
    guard !isChoosing else { return nil }
    return needsLook ? .zero : nextDue
  }
}
