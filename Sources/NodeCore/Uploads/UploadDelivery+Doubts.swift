import Mutants
import Time

extension ServerFailure {
  /// Whether it may be what one passage carries that fails, and not the server.
  var mayBeOfOnePassage: Bool {
    switch kind {
    case .outage, .trouble(.failing), .absent: true
    default: false
    }
  }
}

// What a failure comes of, where something else has to tell.
extension UploadDelivery {
  /// What has to be found out about a failure; nil where it says all.
  static func doubt(
    _ attempt: UploadAttempt, _ failure: ServerFailure
  ) -> UploadAttempt.Doubt? {
    switch failure.kind {
    case .outage(.cannotAsk): nil
    case .outage: .line(failure)
    case .reference, .denied:
      attempt.uploads.count == 1 ? .place(failure, answers: .max, failures: .max) : nil
    default: nil
    }
  }

  /// The server is asked for its names for this place: what it tells counts once it has told so often.
  mutating func awaitPlace(_ answers: Int, failures: Int) {
    guard case .place(let failure, _, _) = doubt else { return }
    doubt = .place(failure, answers: answers, failures: failures)
  }

  /// Goes on with what failed, once it is known what that came of.
  mutating func settle(_ line: UploadLine, at now: BootInstant, _ effects: inout [NodeEffect]) {
    guard let attempt, let doubt else { return }
    switch doubt {
    case .line(let failure):
      if line.isThere, line.isDoubted { return }
      settled()
      if line.isThere {
        failedByItself(attempt, failure, at: now, &effects)
      } else {
        lostWithTheLine(attempt, failure, at: now, &effects)
      }
    case .place(let failure, let answers, let failures):
      guard let upload = attempt.uploads.first else { return settled() }
      let isOld = Mutant.refusedByAnOldDirectory.isActive
      let isTold = line.placeAnswers >= answers || isOld
      guard isTold || line.placeFailures > failures || !line.isThere else { return }
      settled()
      if isTold, line.place == attempt.place {
        return refused(upload, failure, at: now, &effects)
      }
      // Under other names it goes again, and without any it waits until the server has told them.
      effects.append(.upload(.returned(upload.id, error: failure.words, next: nil)))
      if !isTold, line.isThere { pause(for: Limits.directoryRetry, failure, at: now) }
    }
  }

  private mutating func settled() {
    (attempt, doubt) = (nil, nil)
    lookAtAll()
  }
}
