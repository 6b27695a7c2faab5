public import Storage
import Time

extension NodeTransaction {
  /// Closes texts with an unknown outcome that never left, as the references of their modem show that
  /// was last heard of: where it is known to count them by one, and they run on around such a text
  /// without a gap. What such a text was for is due again.
  ///
  /// - Parameter amongAll: whether to look at all texts of the modem, as a report may have told of one
  ///   long ago; otherwise at those before its newest one, of which nobody looked so far.
  /// - Returns: each of them with the references between which there is no room for it.
  public func textsThatNeverLeft(
    by modem: String, amongAll: Bool, at moment: Moment
  ) throws(StorageError) -> [TextThatNeverLeft] {
    let reach = (try newestText() ?? 0) - Limits.unknownReach
    var open = try unknownTexts(by: modem, after: reach, limit: Limits.openReports)
    guard !open.isEmpty else { return [] }
    let given = try references(by: modem, after: reach, limit: Limits.referencesLookedAt)
    if !amongAll {
      let last = given.first { $0.textID < given[0].textID }
      open.removeAll { $0 < last?.textID ?? 0 }
    }
    var found: [TextThatNeverLeft] = []
    var countsByOne: Bool?
    for id in open.reversed() {
      let around = try references(around: id, by: modem)
      guard around.leaveNoRoom, let last = around.before, let next = around.after else { continue }
      if countsByOne == nil { countsByOne = try isCountedByOne(given, by: modem) }
      guard countsByOne == true else { break }
      let reason = "its modem's references run on around it without a gap"
      try apply(
        .outcome(id, .notSent(reason: reason), .againAfterRefusal(at: moment.boot)), at: moment)
      try apply(.settled(id, .noGap), at: moment)
      found.append(TextThatNeverLeft(textID: id, before: last, after: next))
    }
    return found
  }

  /// Whether a modem is known to count by one, as the last of its references show.
  private func isCountedByOne(
    _ given: [GivenReference], by modem: String
  ) throws(StorageError) -> Bool {
    var steps: [ReferenceStep] = []
    for (newer, older) in zip(given, given.dropFirst())
    where try countTexts(by: modem, between: older.textID, and: newer.textID) == 0 {
      steps.append(ReferenceStep(older: older.reference, newer: newer.reference))
    }
    return ReferenceStep.countByOne(steps)
  }
}
