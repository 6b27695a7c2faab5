import Mutants
import Passages
import Time

extension UploadDelivery {
  /// Takes the store's choice and sends it, or a part of it.
  mutating func chosen(
    _ kind: UploadKind, _ answer: UploadAnswer, _ line: UploadLine, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    guard lookouts[kind]?.take(answer) == true else { return }
    backlog = answer.backlog
    if let progress { self.progress?.total = max(progress.total, progress.done + backlog) }
    requeueAt = answer.nextAgain
    guard let place = line.place, !isStopping else {
      lookouts[kind]?.look()
      return
    }
    let one = Mutant.newestFirst.isActive ? answer.uploads.last : telling(answer.uploads)
    guard let first = one else {
      if kind == .passage { finishCycle(at: now, &effects) }
      return
    }
    // There may be more behind it.
    lookouts[kind]?.look()
    switch kind {
    case .passage: push(answer.uploads, first, at: place, now, &effects)
    case .correction: correct(first, at: place, now, &effects)
    case .photo: send(photo: first, at: place, now, &effects)
    }
  }

  /// Which of those that are due goes: the first, except that where some failed one after the other the first that
  /// never failed tells whether they or the server are to blame, and failing that one of the others.
  private func telling(_ uploads: [DueUpload]) -> DueUpload? {
    guard !suspects.isEmpty else { return uploads.first }
    return uploads.first { $0.attempts == 0 && !$0.isBehind && !suspects.contains($0.id) }
      ?? uploads.first { !suspects.contains($0.id) } ?? uploads.first
  }

  private mutating func push(
    _ uploads: [DueUpload], _ first: DueUpload, at place: ServerPlace, _ now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    // One that failed before would cost all that goes with it another attempt.
    let goesAlone = first.isBehind || first.attempts > 0
    var chosen = [first]
    if goesAlone, backlog > rules.batchOver, let drainFrom {
      guard max(drainFrom, pace.nextAt) <= now else { return }
    } else if backlog > rules.batchOver, let drainFrom {
      guard max(drainFrom, pace.nextAt) <= now else { return }
      let wanted = min(batchLimit, backlog)
      guard uploads.count >= wanted || askFor >= wanted else {
        // Asked for one before it was known that many wait.
        askFor = wanted
        return
      }
      chosen = Array(uploads.filter { !$0.isBehind && $0.attempts == 0 }.prefix(batchLimit))
      // Two batches that take the same plates in another order would lock each other out.
      chosen.sort { left, right in
        (left.passage.segment ?? "", left.passage.plate.compact, left.id)
          < (right.passage.segment ?? "", right.passage.plate.compact, right.id)
      }
    }
    askFor = backlog > rules.batchOver ? batchLimit : 1
    if progress == nil {
      progress = SyncProgress(total: backlog, begun: now, toldAt: now)
      if backlog > rules.batchOver { effects.append(.report(.syncStarted(waiting: backlog))) }
    }
    if drainFrom == nil { drainFrom = now + random.spread(rules.spread) }
    pace.sent(at: now)
    attempt = UploadAttempt(uploads: chosen, step: .push, place: place, since: now)
    effects.append(.upload(.claimed(chosen.map(\.id))))
    if Mutant.syncedBeforeTheAnswer.isActive {
      for upload in chosen { effects.append(.upload(.synced(upload.id, serverID: nil))) }
      attempt = nil
    }
    if Mutant.contentChanges.isActive {
      for index in chosen.indices where chosen[index].attempts > 0 {
        chosen[index].passage.recordedAt = chosen[index].passage.recordedAt + .seconds(1)
      }
    }
    let pushes = chosen.map {
      PassagePush($0.passage, at: place, clockDoubt: $0.clockDoubt)
    }
    calls.append(UploadCall(.passages, .push(pushes)))
  }

  private mutating func correct(
    _ upload: DueUpload, at place: ServerPlace, _ now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    effects.append(.upload(.claimed([upload.id])))
    if let reason = upload.withdrawal {
      attempt = UploadAttempt(uploads: [upload], step: .correct, place: place, since: now)
      let withdrawal = PassageWithdrawal(serverID: upload.serverID, reason: reason)
      calls.append(UploadCall(.passages, .withdraw(upload.passage.clientID, withdrawal)))
      return
    }
    guard let correction = upload.correction else {
      effects.append(
        .upload(
          .failed(
            upload.id, error: "the correction cannot be read", isPermanent: true,
            mayBeTexted: false, refusal: .value)))
      return
    }
    attempt = UploadAttempt(uploads: [upload], step: .correct, place: place, since: now)
    calls.append(UploadCall(.passages, .correct(upload.passage.clientID, correction)))
  }

  private mutating func send(
    photo upload: DueUpload, at place: ServerPlace, _ now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    effects.append(.upload(.claimed([upload.id])))
    guard let push = UploadAttempt.push(of: upload) else {
      effects.append(
        .upload(
          .failed(
            upload.id, error: "the photograph or its place on the server is not known",
            isPermanent: true, mayBeTexted: false)))
      return
    }
    guard !upload.isStored else { return self.name(photo: upload, push.name, at: place, now) }
    // What the server may have already is asked for before it is sent once more.
    guard unshownPhoto != upload.id else { return find(photo: upload, at: place, now) }
    photo = UploadAttempt(uploads: [upload], step: .photo, place: place, since: now)
    calls.append(UploadCall(.photos, .upload(push)))
  }

  /// Asks the server whether it keeps a photograph that it says it took, and did not name.
  mutating func find(photo upload: DueUpload, at place: ServerPlace, _ now: BootInstant) {
    guard let push = UploadAttempt.push(of: upload) else { return }
    unshownPhoto = upload.id
    photo = UploadAttempt(uploads: [upload], step: .findPhoto, place: place, since: now)
    calls.append(UploadCall(.photos, .findPhoto(push)))
  }

  /// Tells the server where the photograph of a passage lies that it keeps.
  mutating func name(
    photo upload: DueUpload, _ name: String, at place: ServerPlace, _ now: BootInstant
  ) {
    photo = UploadAttempt(uploads: [upload], step: .namePhoto, place: place, since: now)
    calls.append(UploadCall(.photos, .namePhoto(upload.passage.clientID, path: name)))
  }

  private mutating func finishCycle(at now: BootInstant, _ effects: inout [NodeEffect]) {
    hasCycleEnded = true
    askFor = 1
    batchLimit = mostAtOnce
    guard let progress else { return }
    self.progress = nil
    guard progress.done > 0 else { return }
    effects.append(.report(.syncFinished(count: progress.done, took: now - progress.begun)))
  }
}
