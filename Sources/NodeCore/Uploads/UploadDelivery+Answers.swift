import Mutants
import Passages
import Time

/// What an answer says beyond the uploads that it is about.
struct UploadDoubts: Hashable, Sendable {
  /// The server does not take what is shown.
  var credential: ServerFailure?
  /// What the server told of this place may be old.
  var isDirectoryOld = false
}

extension UploadDelivery {
  /// Takes the answer about passages or a correction.
  mutating func answered(
    _ reply: ServerReply, at now: BootInstant, _ effects: inout [NodeEffect]
  ) -> UploadDoubts {
    guard let attempt, doubt == nil else { return UploadDoubts() }
    if case .failure(let failure) = reply.result, let doubt = Self.doubt(attempt, failure) {
      self.doubt = doubt
      var doubts = UploadDoubts()
      if case .place = doubt { doubts.isDirectoryOld = true }
      return doubts
    }
    self.attempt = nil
    lookAtAll()
    switch (attempt.step, reply.result) {
    case (.push, .success(.stored(let rows))):
      pace.succeeded(took: now - attempt.since, at: now)
      took(attempt, rows, at: now, &effects)
    case (.push, .failure(let failure))
    where failure.kind == .duplicate
      || Mutant.anyConflictIsSuccess.isActive && failure.status == 409:
      if Mutant.anyConflictIsSuccess.isActive {
        for upload in attempt.uploads { synced(upload, nil, isNew: false, &effects) }
        return UploadDoubts()
      }
      // It says nothing of the others of a batch, so all are looked at.
      readBack(attempt.uploads, of: attempt, at: now)
    case (.readBack, .success(.stored(let rows))):
      compare(attempt, with: rows, at: now, &effects)
    case (.push, .success(.done)):
      // It says that it took them, and shows none.
      pace.succeeded(took: now - attempt.since, at: now)
      readBack(attempt.uploads, of: attempt, at: now)
    case (.correct, .success(.stored(let rows))):
      corrected(attempt, rows, at: now, &effects)
    case (.correct, .success(.done)):
      self.attempt = UploadAttempt(
        uploads: attempt.uploads, step: .findCorrected, place: attempt.place, since: now)
      calls.append(
        UploadCall(.passages, .readBack(attempt.uploads.map(\.passage.clientID))))
    case (.findCorrected, .success(.stored(let rows))):
      // What is withdrawn keeps its plate: that the row is there is enough.
      let upload = attempt.uploads.first
      let wanted = upload?.withdrawal == nil ? upload?.correction?.plate.compact : nil
      corrected(
        attempt, rows.filter { wanted == nil || StoredOnServer.compact($0.plate) == wanted },
        at: now,
        &effects)
    case (_, .failure(let failure)):
      return failed(attempt, failure, at: now, &effects)
    case (_, .success):
      let words = "the server answered something else than it was asked"
      return failed(attempt, ServerFailure(.trouble(.failing), words: words), at: now, &effects)
    }
    return UploadDoubts()
  }

  /// Passages that the server says it took; of the others it says nothing.
  private mutating func took(
    _ attempt: UploadAttempt, _ rows: [StoredOnServer], at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    var left: [DueUpload] = []
    for upload in attempt.uploads {
      let identity = upload.passage.clientID.description
      if let row = rows.first(where: { $0.clientID == identity }) {
        synced(upload, row.serverID, isNew: true, &effects)
      } else if Mutant.createdIsBelieved.isActive
        || Mutant.batchIsTakenAsAWhole.isActive && !rows.isEmpty
      {
        synced(upload, nil, isNew: true, &effects)
      } else {
        left.append(upload)
      }
    }
    if left.isEmpty {
      works(attempt.uploads, &effects)
      batchLimit = min(mostAtOnce, batchLimit * 2)
    } else {
      readBack(left, of: attempt, at: now)
    }
  }

  private mutating func synced(
    _ upload: DueUpload, _ serverID: String?, isNew: Bool, _ effects: inout [NodeEffect]
  ) {
    progress?.advance()
    effects.append(.upload(.synced(upload.id, serverID: serverID)))
    effects.append(.report(.uploaded(upload.kind, upload.passage.clientID, isNew: isNew)))
  }

  private mutating func readBack(
    _ uploads: [DueUpload], of attempt: UploadAttempt, at now: BootInstant
  ) {
    self.attempt = UploadAttempt(
      uploads: uploads, step: .readBack, place: attempt.place, since: now)
    calls.append(UploadCall(.passages, .readBack(uploads.map(\.passage.clientID))))
  }

  /// The line has gone before what an answer gave rise to could be asked: all of it is pending again, at no
  /// cost, and asked anew from its beginning.
  mutating func giveBackUnasked(_ effects: inout [NodeEffect]) {
    for call in takeCalls() {
      switch call.way {
      case .passages:
        for upload in attempt?.uploads ?? [] { giveBack(upload, Words.lineWent, &effects) }
        (attempt, doubt) = (nil, nil)
      case .photos:
        for upload in photo?.uploads ?? [] { giveBack(upload, Words.lineWent, &effects) }
        photo = nil
      }
    }
  }

  /// The server takes passages: what was given up while it took none is tried again.
  private mutating func works(_ uploads: [DueUpload], _ effects: inout [NodeEffect]) {
    if retry.failures > 0 || suspects.count >= Limits.failuresOfServer {
      effects.append(.upload(.requeuedFailed))
    }
    if deniedInARow > 1 || uploads.contains(where: { $0.refusal == .policy }) {
      effects.append(.upload(.requeuedRefused(.policy)))
    }
    retry.succeeded()
    suspects = []
    rejected = []
    deniedInARow = 0
  }

  /// What the server has under the identities that it did not take: the same, something else, or nothing.
  private mutating func compare(
    _ attempt: UploadAttempt, with rows: [StoredOnServer], at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    var missing: [DueUpload] = []
    for upload in attempt.uploads {
      let identity = upload.passage.clientID.description
      guard let row = rows.first(where: { $0.clientID == identity }) else {
        missing.append(upload)
        continue
      }
      let isSame =
        row.isSame(as: upload.passage, at: attempt.place) || Mutant.readBackIsNotCompared.isActive
      guard !isSame else {
        synced(upload, row.serverID, isNew: false, &effects)
        continue
      }
      effects.append(.upload(.conflict(upload.id, row, rules.conflicts)))
      effects.append(.report(.conflictFound(upload.passage.clientID, rules.conflicts)))
    }
    guard !missing.isEmpty else { return works(attempt.uploads, &effects) }
    suspects.formUnion(missing.map(\.id))
    holdForOthers(Words.notThere, asked: nil, at: now)
    for upload in missing { miss(upload, Words.notThere, asked: nil, at: now, &effects) }
  }

  private mutating func corrected(
    _ attempt: UploadAttempt, _ rows: [StoredOnServer], at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    guard let upload = attempt.uploads.first else { return }
    guard let row = rows.first else {
      // Not ours to change, or gone: nothing that time would mend.
      refuse(upload, Words.notOurs, .value, mayBeTexted: false, again: nil, &effects)
      return
    }
    works(attempt.uploads, &effects)
    synced(upload, row.serverID, isNew: true, &effects)
  }

  /// What a failure means for what was on its way, as far as the answer itself tells.
  private mutating func failed(
    _ attempt: UploadAttempt, _ failure: ServerFailure, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) -> UploadDoubts {
    var doubts = UploadDoubts()
    switch failure.kind {
    case .credential:
      for upload in attempt.uploads {
        if Mutant.credentialCostsAnAttempt.isActive {
          miss(upload, failure.words, asked: nil, at: now, &effects)
        } else {
          giveBack(upload, failure.words, &effects)
        }
      }
      doubts.credential = failure
    case .outage(.cannotAsk):
      for upload in attempt.uploads { giveBack(upload, failure.words, &effects) }
      hold(failure.words, asked: nil, at: now)
    case .outage, .trouble, .absent:
      failedByItself(attempt, failure, at: now, &effects)
    case .duplicate, .reference, .denied, .rejected:
      guard attempt.uploads.count == 1, let upload = attempt.uploads.first else {
        // It is about one of them and does not say which: half as many next time.
        halve(attempt, failure, &effects)
        return doubts
      }
      rejected(upload, failure, at: now, &effects)
    }
    return doubts
  }

  /// Half as many next time: what failed together is tried apart, and counts against none.
  private mutating func halve(
    _ attempt: UploadAttempt, _ failure: ServerFailure, _ effects: inout [NodeEffect]
  ) {
    for upload in attempt.uploads { giveBack(upload, failure.words, &effects) }
    guard !Mutant.failedBatchIsNeverHalved.isActive else { return }
    batchLimit = max(1, attempt.uploads.count / 2)
    askFor = batchLimit
  }

  /// The line is there, and this was not taken.
  mutating func failedByItself(
    _ attempt: UploadAttempt, _ failure: ServerFailure, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    guard failure.mayBeOfOnePassage else {
      hold(failure.words, asked: failure.retryAfter, at: now)
      if attempt.uploads.count > 1 { pace.slowDown(at: now) }
      guard attempt.uploads.count == 1 else {
        for upload in attempt.uploads { giveBack(upload, failure.words, &effects) }
        return
      }
      for upload in attempt.uploads {
        miss(upload, failure.words, asked: failure.retryAfter, at: now, &effects)
      }
      return
    }
    guard attempt.uploads.count == 1, let upload = attempt.uploads.first else {
      halve(attempt, failure, &effects)
      pause(for: random.jittered(Limits.secondOpinion), failure, at: now)
      return
    }
    suspects.insert(upload.id)
    holdForOthers(failure.words, asked: failure.retryAfter, at: now)
    endsHoldWithLine = !failure.isOfServer
    miss(upload, failure.words, asked: failure.retryAfter, at: now, &effects)
  }

  /// What the line did to what was on its way: it costs an attempt where it was one passage, so that none that
  /// ends every line stays the first for ever, and nothing else.
  mutating func lostWithTheLine(
    _ attempt: UploadAttempt, _ failure: ServerFailure, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    guard attempt.uploads.count == 1, let upload = attempt.uploads.first else {
      return halve(attempt, failure, &effects)
    }
    miss(upload, failure.words, asked: nil, isOwn: false, at: now, &effects)
  }

  /// The server will not take it for what it says. Where it says so of one after the other, it takes nothing.
  private mutating func rejected(
    _ upload: DueUpload, _ failure: ServerFailure, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    if Mutant.rejectedIsRetried.isActive { return giveBack(upload, failure.words, &effects) }
    if upload.kind == .passage { rejected.append(upload.id) }
    let takesNothing = rejected.count >= Limits.failuresOfServer
    refuse(upload, failure.words, .value, mayBeTexted: takesNothing, again: nil, &effects)
    guard takesNothing else { return }
    // They may not be to blame, and nobody else tells of them.
    if rejected.count == Limits.failuresOfServer {
      for id in rejected.dropLast() { effects.append(.upload(.textedAfterAll(id))) }
    }
    let failures = rejected.count - Limits.failuresOfServer + 1
    pause(
      for: RetryPause.pause(after: failures, rules.retry, asked: failure.retryAfter, &random),
      failure, at: now)
  }

  /// The server's rules, or what it has of posts, segments and rangers, do not let it in, under the names that
  /// are right now.
  mutating func refused(
    _ upload: DueUpload, _ failure: ServerFailure, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    suspects.insert(upload.id)
    holdForOthers(failure.words, asked: failure.retryAfter, at: now)
    guard failure.kind == .reference else {
      if upload.kind == .passage { deniedInARow += 1 }
      let again = now + Limits.refusedAgain
      requeueAt = earlier(requeueAt, again)
      refuse(upload, failure.words, .policy, mayBeTexted: true, again: again, &effects)
      return
    }
    // What it refers to may come; those behind it go meanwhile.
    let attempts = upload.attempts + 1
    let isLast = attempts >= rules.retry.attempts(rules.attempts)
    let next = now + (isLast ? Limits.referenceRest : Limits.referenceRetry)
    effects.append(.upload(.missed(upload.id, error: failure.words, next: next)))
    effects.append(
      .report(
        .uploadMissed(
          upload.kind, upload.passage.clientID, reason: failure.words, attempt: attempts,
          next: next)))
  }

  /// It was not taken this time, and waits for longer each time; after enough times it is given up for a while,
  /// and goes behind all others then.
  private mutating func miss(
    _ upload: DueUpload, _ words: String, asked: Duration?, isOwn: Bool = true,
    at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    let attempts = upload.attempts + 1
    let isLast = attempts >= rules.retry.attempts(rules.attempts) || upload.refusal == .attempts
    if isLast {
      let isPermanent = !rules.retry.requeues
      let again = isPermanent ? nil : now + rules.retry.longestPause
      requeueAt = earlier(requeueAt, again)
      effects.append(
        .upload(
          .failed(
            upload.id, error: words, isPermanent: isPermanent, mayBeTexted: true,
            refusal: isPermanent ? .attempts : nil, again: again)))
      effects.append(
        .report(
          .uploadFailed(
            upload.kind, upload.passage.clientID, reason: words, isPermanent: isPermanent)))
      return
    }
    let pause = RetryPause.pause(after: attempts, rules.retry, asked: asked, &random)
    let isFree =
      !isOwn || Mutant.noPauseAfterFailure.isActive || Mutant.attemptsAreOfTheQueue.isActive
    let next = isFree ? nil : now + pause
    effects.append(.upload(.missed(upload.id, error: words, next: next, isOwn: isOwn)))
    effects.append(
      .report(
        .uploadMissed(
          upload.kind, upload.passage.clientID, reason: words, attempt: attempts, next: next)))
  }

  /// The server will not take it as it is.
  private mutating func refuse(
    _ upload: DueUpload, _ words: String, _ refusal: UploadRefusal, mayBeTexted: Bool,
    again: BootInstant?, _ effects: inout [NodeEffect]
  ) {
    effects.append(
      .upload(
        .failed(
          upload.id, error: words, isPermanent: true, mayBeTexted: mayBeTexted, refusal: refusal,
          again: again)))
    effects.append(
      .report(
        .uploadFailed(
          upload.kind, upload.passage.clientID, reason: words, isPermanent: true)))
  }

  func giveBack(_ upload: DueUpload, _ words: String, _ effects: inout [NodeEffect]) {
    effects.append(.upload(.returned(upload.id, error: words, next: nil)))
  }

  /// The server takes nothing just now: nothing goes for a while, longer each time.
  private mutating func hold(_ reason: String, asked: Duration?, at now: BootInstant) {
    let pause = retry.failed(rules.retry, asked: asked, &random)
    holdUntil = now + (Mutant.noPauseAfterFailure.isActive ? .zero : pause)
    holdReason = reason
    endsHoldWithLine = false
  }

  /// One failed, and another one shows whether that was to blame: soon for the first, and the later the more
  /// have failed one after the other.
  private mutating func holdForOthers(_ reason: String, asked: Duration?, at now: BootInstant) {
    let first = max(
      random.jittered(Limits.secondOpinion), asked.map { random.jitteredUp($0) } ?? .zero)
    let pause =
      suspects.count < 2
      ? first : RetryPause.pause(after: suspects.count - 1, rules.retry, asked: asked, &random)
    self.pause(for: pause, ServerFailure(.trouble(.failing), words: reason), at: now)
  }

  mutating func pause(
    for pause: Duration, _ failure: ServerFailure, at now: BootInstant
  ) {
    let asked = failure.retryAfter.map { random.jitteredUp($0) } ?? .zero
    holdUntil = now + (Mutant.noPauseAfterFailure.isActive ? .zero : max(pause, asked))
    holdReason = failure.words
    endsHoldWithLine = !failure.isOfServer
  }

  /// Words for what no answer says by itself.
  enum Words {
    static let notThere = "the server answered that it took or has it, and shows no such passage"
    static let lineWent = "the line went before the server could be asked"
    static let notOurs = "the server has no such passage that this user may change"
    static let notNamed =
      "the server keeps the photograph and did not note it with its passage, which another user may have"
      + " there"
    static let stopped = "given up, since the service ended"
  }
}

extension UploadDelivery {
  /// Takes the answer about a photograph. What fails is tried again quietly, and keeps no passage back.
  mutating func photoAnswered(
    _ reply: ServerReply, at now: BootInstant, _ effects: inout [NodeEffect]
  ) -> UploadDoubts {
    guard let attempt = photo, let upload = attempt.uploads.first else { return UploadDoubts() }
    photo = nil
    lookouts[.photo]?.look()
    switch (attempt.step, reply.result) {
    case (.photo, .success(.unshown)):
      find(photo: upload, at: attempt.place, now)
      return UploadDoubts()
    case (.photo, .success(.done)), (.findPhoto, .success(.done)):
      guard let name = UploadAttempt.name(of: upload) else { break }
      unshownPhoto = nil
      effects.append(.upload(.stored(upload.id)))
      self.name(photo: upload, name, at: attempt.place, now)
      return UploadDoubts()
    case (.namePhoto, .success(.stored(let rows))):
      named(upload, isNoted: !rows.isEmpty, &effects)
      return UploadDoubts()
    case (.namePhoto, .success(.done)):
      photo = UploadAttempt(
        uploads: [upload], step: .findNamed, place: attempt.place, since: now)
      calls.append(UploadCall(.photos, .readBack([upload.passage.clientID])))
      return UploadDoubts()
    case (.findNamed, .success(.stored(let rows))):
      let name = UploadAttempt.name(of: upload)
      named(upload, isNoted: rows.contains { $0.photoPath == name }, &effects)
      return UploadDoubts()
    case (_, .failure(let failure)):
      // Only what the server says that it does not have is sent once more.
      if failure.kind == .absent { unshownPhoto = nil }
      return photoFailed(upload, failure, at: now, &effects)
    case (_, .success): break
    }
    let words = "the server answered something else than it was asked"
    return photoFailed(
      upload, ServerFailure(.trouble(.failing), words: words), at: now, &effects)
  }

  /// Whether the server noted where a photograph lies that it keeps. Where it did not, the passage is not
  /// ours to change there, and no other try mends that.
  private mutating func named(
    _ upload: DueUpload, isNoted: Bool, _ effects: inout [NodeEffect]
  ) {
    photoRetry.succeeded()
    photoSuspects = []
    guard isNoted else {
      return refuse(
        upload, Words.notNamed, .value, mayBeTexted: false, again: nil, &effects)
    }
    effects.append(.upload(.synced(upload.id, serverID: nil)))
    effects.append(.report(.uploaded(.photo, upload.passage.clientID, isNew: true)))
    if upload.refusal == .policy { effects.append(.upload(.requeuedRefused(.policy))) }
  }

  private mutating func photoFailed(
    _ upload: DueUpload, _ failure: ServerFailure, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) -> UploadDoubts {
    var doubts = UploadDoubts()
    switch failure.kind {
    case .credential:
      doubts.credential = failure
      effects.append(.upload(.returned(upload.id, error: failure.words, next: nil)))
    case .denied:
      let again = now + Limits.refusedAgain
      requeueAt = earlier(requeueAt, again)
      refuse(upload, failure.words, .policy, mayBeTexted: false, again: again, &effects)
    case .rejected, .duplicate, .reference:
      refuse(upload, failure.words, .value, mayBeTexted: false, again: nil, &effects)
    case .outage, .trouble, .absent:
      missPhoto(upload, failure, at: now, &effects)
    }
    return doubts
  }

  /// A photograph waits for longer each time, and is never given up for that. Those behind it go meanwhile,
  /// unless different ones fail one after the other, or the failure is none of a single one.
  private mutating func missPhoto(
    _ upload: DueUpload, _ failure: ServerFailure, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    let attempts = upload.attempts + 1
    let asked = failure.retryAfter
    let next = now + RetryPause.pause(after: attempts, rules.retry, asked: asked, &random)
    if failure.mayBeOfOnePassage {
      photoSuspects.insert(upload.id)
      let others = photoSuspects.count - 1
      photoHoldUntil =
        now
        + (others == 0
          ? random.jittered(Limits.secondOpinion)
          : RetryPause.pause(after: others, rules.retry, asked: asked, &random))
    } else {
      photoHoldUntil = now + photoRetry.failed(rules.retry, asked: asked, &random)
    }
    effects.append(
      .upload(.missed(upload.id, error: failure.words, next: next, isOwn: false)))
    effects.append(
      .report(
        .uploadMissed(
          .photo, upload.passage.clientID, reason: failure.words, attempt: attempts, next: next)))
  }
}
