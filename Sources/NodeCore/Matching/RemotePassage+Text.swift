import Passages
public import Time

extension RemotePassage {
  /// The passage that a text of the opposite post tells of; nil for a text that is none, is not from
  /// there, or is about another post.
  ///
  /// - Parameters:
  ///   - sender: the number that the text says it comes from.
  ///   - now: what the clock shows; a passage far ahead of it is not believed, unless the clock itself
  ///     has not been set.
  public init?(
    text: String, from sender: String, rules: MatchingRules, place: MatchingPlace, now: WallTime
  ) {
    guard rules.trusts(sender), let message = try? V1Message.decode(text, window: nil),
      message.checkpost != place.ownPost
    else { return nil }
    // Who may be anybody is believed only about the posts that are known to be opposite.
    let known = place.oppositePosts
    guard
      known.contains(message.checkpost)
        || (known.count < place.stretches.count && !rules.takesTextsOfAnyone)
    else { return nil }
    let time = WallTime(epochSeconds: message.recordedEpoch)
    guard now < Passage.earliest || time - now <= Limits.remoteAhead else { return nil }
    self.init(
      clientID: message.clientID, serverID: nil, plate: message.plate.compact,
      vehicleType: message.vehicleType, checkpost: message.checkpost, recordedAt: time,
      origin: .text)
  }
}
