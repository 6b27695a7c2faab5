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
    guard let attempt else { return UploadDoubts() }
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
      let wanted = attempt.uploads.first?.correction?.plate.compact
      corrected(
        attempt, rows.filter { StoredOnServer.compact($0.plate) == wanted }, at: now, &effects)
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
      works(&effects)
      batchLimit = min(mostAtOnce, batchLimit * 2)
    } else {
      readBack(left, of: attempt, at: now)
    }
  }

  private mutating func synced(
    _ upload: DueUpload, _ serverID: String?, isNew: Bool, _ effects: inout [NodeEffect]
  ) {
    progress?.advance()
    lastRefusal = nil
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
        attempt = nil
      case .photos:
        for upload in photo?.uploads ?? [] { giveBack(upload, Words.lineWent, &effects) }
        photo = nil
      }
    }
  }

  /// The server takes passages: what was given up while it did not is tried again.
  private mutating func works(_ effects: inout [NodeEffect]) {
    if retry.failures > 0 { requeueFailed(&effects) }
    retry.succeeded()
  }

  /// What the server has under the identities that it did not take: the same, something else, or nothing.
  private mutating func compare(
    _ attempt: UploadAttempt, with rows: [StoredOnServer], at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    var isWhole = true
    for upload in attempt.uploads {
      let identity = upload.passage.clientID.description
      guard let row = rows.first(where: { $0.clientID == identity }) else {
        isWhole = false
        miss(upload, Words.notThere, next: nil, at: now, &effects)
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
    if isWhole {
      works(&effects)
    } else {
      hold(Words.notThere, asked: nil, at: now)
    }
  }

  private mutating func corrected(
    _ attempt: UploadAttempt, _ rows: [StoredOnServer], at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    guard let upload = attempt.uploads.first else { return }
    guard let row = rows.first else {
      // Not ours to change, or gone: nothing that time would mend.
      refuse(upload, Words.notOurs, mayBeTexted: false, &effects)
      return
    }
    works(&effects)
    synced(upload, row.serverID, isNew: true, &effects)
  }

  /// What a failure means for what was on its way.
  private mutating func failed(
    _ attempt: UploadAttempt, _ failure: ServerFailure, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) -> UploadDoubts {
    var doubts = UploadDoubts()
    switch failure.kind {
    case .credential:
      for upload in attempt.uploads {
        if Mutant.credentialCostsAnAttempt.isActive {
          miss(upload, failure.words, next: nil, at: now, &effects)
        } else {
          giveBack(upload, failure.words, &effects)
        }
      }
      doubts.credential = failure
    case .outage(.cannotAsk):
      for upload in attempt.uploads { giveBack(upload, failure.words, &effects) }
      hold(failure.words, asked: nil, at: now)
    case .outage, .trouble, .absent:
      if attempt.uploads.count > 1 { pace.slowDown(at: now) }
      let pause = hold(failure.words, asked: failure.retryAfter, at: now)
      endsHoldWithLine = !failure.isOfServer
      for upload in attempt.uploads {
        miss(upload, failure.words, next: nil, until: now + pause, at: now, &effects)
      }
    case .duplicate, .reference, .denied, .rejected:
      guard attempt.uploads.count == 1, let upload = attempt.uploads.first else {
        // It is about one of them and does not say which: half as many next time.
        for upload in attempt.uploads { giveBack(upload, failure.words, &effects) }
        batchLimit = max(1, attempt.uploads.count / 2)
        askFor = batchLimit
        return doubts
      }
      doubts.isDirectoryOld = failure.kind != .rejected
      refused(upload, failure, at: now, &effects)
    }
    return doubts
  }

  private mutating func refused(
    _ upload: DueUpload, _ failure: ServerFailure, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    switch failure.kind {
    case .reference:
      // What it refers to may come; those behind it go meanwhile.
      let isLast = upload.attempts + 1 >= rules.retry.attempts(rules.attempts)
      miss(
        upload, failure.words,
        next: now + (isLast ? Limits.referenceRest : Limits.referenceRetry), at: now, &effects)
    case .denied:
      refuse(upload, failure.words, mayBeTexted: true, &effects)
    default:
      if Mutant.rejectedIsRetried.isActive { return giveBack(upload, failure.words, &effects) }
      refuse(upload, failure.words, mayBeTexted: false, &effects)
    }
  }

  /// It was not taken this time; after enough times it is given up until the line comes back, or for the
  /// longest of the pauses.
  private mutating func miss(
    _ upload: DueUpload, _ words: String, next: BootInstant?, until: BootInstant? = nil,
    at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    let attempts = upload.attempts + 1
    let isLast = attempts >= rules.retry.attempts(rules.attempts)
    if isLast, next == nil {
      let isPermanent = !rules.retry.requeues
      if isPermanent {
        lastRefusal = words
      } else {
        requeueAt = requeueAt ?? now + rules.retry.longestPause
      }
      effects.append(
        .upload(
          .failed(upload.id, error: words, isPermanent: isPermanent, mayBeTexted: true)))
      effects.append(
        .report(
          .uploadFailed(
            upload.kind, upload.passage.clientID, reason: words, isPermanent: isPermanent)))
      return
    }
    effects.append(.upload(.missed(upload.id, error: words, next: next)))
    effects.append(
      .report(
        .uploadMissed(
          upload.kind, upload.passage.clientID, reason: words, attempt: attempts,
          next: next ?? until)))
  }

  /// The server will never take it as it is.
  private mutating func refuse(
    _ upload: DueUpload, _ words: String, mayBeTexted: Bool, _ effects: inout [NodeEffect]
  ) {
    lastRefusal = words
    effects.append(
      .upload(.failed(upload.id, error: words, isPermanent: true, mayBeTexted: mayBeTexted)))
    effects.append(
      .report(
        .uploadFailed(
          upload.kind, upload.passage.clientID, reason: words, isPermanent: true)))
  }

  func giveBack(_ upload: DueUpload, _ words: String, _ effects: inout [NodeEffect]) {
    effects.append(.upload(.returned(upload.id, error: words, next: nil)))
  }

  /// Nothing goes for a while.
  @discardableResult
  private mutating func hold(_ reason: String, asked: Duration?, at now: BootInstant) -> Duration {
    let pause = retry.failed(rules.retry, asked: asked, &random)
    holdUntil = now + (Mutant.noPauseAfterFailure.isActive ? .zero : pause)
    holdReason = reason
    endsHoldWithLine = false
    return pause
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
    case (.photo, .success(.done)):
      guard let name = UploadAttempt.name(of: upload) else { break }
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
    if isNoted {
      effects.append(.upload(.synced(upload.id, serverID: nil)))
      effects.append(.report(.uploaded(.photo, upload.passage.clientID, isNew: true)))
    } else {
      photoRefused(upload, Words.notNamed, &effects)
    }
  }

  private func photoRefused(
    _ upload: DueUpload, _ words: String, _ effects: inout [NodeEffect]
  ) {
    effects.append(
      .upload(.failed(upload.id, error: words, isPermanent: true, mayBeTexted: false)))
    effects.append(
      .report(
        .uploadFailed(.photo, upload.passage.clientID, reason: words, isPermanent: true)))
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
    case .rejected, .denied, .duplicate, .reference:
      photoRefused(upload, failure.words, &effects)
    case .outage, .trouble, .absent:
      let pause = photoRetry.failed(rules.retry, asked: failure.retryAfter, &random)
      photoHoldUntil = now + pause
      effects.append(
        .upload(.returned(upload.id, error: failure.words, next: now + pause)))
      effects.append(
        .report(
          .uploadMissed(
            .photo, upload.passage.clientID, reason: failure.words, attempt: upload.attempts + 1,
            next: now + pause)))
    }
    return doubts
  }
}
