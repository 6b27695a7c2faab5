public import Passages
public import Storage

/// What came of correcting a passage.
public enum CorrectionOutcome: Hashable, Sendable {
  /// Nothing of it had left: it is another passage now, under this identity.
  case replaced(ClientID)
  /// It keeps its identity, and the correction goes behind it.
  case queued
  /// It is so already.
  case unchanged
  /// A text of it has left and there is no server to be told: it was recorded again, under this identity and
  /// number, and the one before is withdrawn.
  case recordedAnew(ClientID, queueID: Int64)
  /// It was withdrawn.
  case withdrawn
  /// With the correction it would be a passage that is recorded already, under this identity; nothing was
  /// changed.
  case identityTaken(ClientID)
  /// There is no such passage.
  case notFound
}

extension Passage {
  /// The passage with another plate, and another kind of vehicle where one is given. An identity that was
  /// given, or drawn, stays; one by content follows the content, except where nobody knows the time yet.
  public func corrected(by correction: PlateCorrection) -> Passage {
    let type = correction.vehicleType ?? vehicleType
    let hasOwnIdentity = contentClientID != nil
    if !isUndated,
      var right = try? Passage(
        recording: correction.plate, vehicleType: type, checkpost: checkpost,
        recordedAt: recordedAt, suffix: suffix, identity: hasOwnIdentity ? clientID : nil,
        segment: segment, ranger: ranger, photoPath: photoPath)
    {
      right.source = source
      return right
    }
    let undated = Passage(
      undated: correction.plate, vehicleType: type, checkpost: checkpost, recordedAt: recordedAt,
      boot: nil, suffix: suffix)
    var right = self
    right.plate = correction.plate
    right.vehicleType = type
    right.v1Body = undated.v1Body
    return right
  }
}

extension NodeStore {
  /// Corrects the plate of a passage. Before anything of it left, it is replaced; after that it keeps its
  /// identity, and the correction goes behind it. Without a server there is nobody behind it: V1 has no text
  /// that corrects another, so that the right passage goes as one of its own in place of the wrong one.
  ///
  /// - Parameter hasServer: Whether passages are brought to a server at all.
  public func correct(
    _ queueID: Int64, with correction: PlateCorrection, hasServer: Bool = true, at moment: Moment
  ) throws(StorageError) -> CorrectionOutcome {
    let hasCorrections = try uploads(of: queueID).contains { $0.kind == .correction }
    return try transaction { transaction throws(StorageError) in
      guard let passage = try transaction.passage(queueID) else { return .notFound }
      guard try transaction.standing(of: queueID)?.isWithdrawn != true else { return .withdrawn }
      let right = passage.corrected(by: correction)
      let isSame = right.plate == passage.plate && right.vehicleType == passage.vehicleType
      if isSame, !hasCorrections { return .unchanged }
      guard try transaction.hasLeft(queueID) else {
        if let other = try transaction.holder(of: right, besides: queueID) {
          return .identityTaken(other)
        }
        try transaction.replace(queueID, with: right, at: moment)
        return .replaced(right.clientID)
      }
      guard hasServer || right.isUndated || passage.contentClientID != nil else {
        return try transaction.recordAnew(queueID, as: right, at: moment)
      }
      try transaction.queue(correction, behind: queueID, at: moment)
      return .queued
    }
  }
}

extension NodeTransaction {
  /// Records the right passage in place of one of which a text has left, and withdraws that.
  fileprivate func recordAnew(
    _ queueID: Int64, as right: Passage, at moment: Moment
  ) throws(StorageError) -> CorrectionOutcome {
    var anew = right
    // The photograph stays with the passage that it was taken of.
    anew.photoPath = nil
    switch try record(anew, inPlaceOf: queueID, at: moment) {
    case .recorded(let client, let number):
      try withdraw(
        queueID, reason: "recorded wrongly; number \(number) is right", tellsServer: true,
        at: moment)
      return .recordedAnew(client, queueID: number)
    case .alreadyRecorded(let client, _), .identityTaken(let client): return .identityTaken(client)
    }
  }
}
