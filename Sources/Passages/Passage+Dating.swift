public import Time

extension Passage {
  /// Whether the time was handed in with the passage, and not read from a clock: then it is the passage's
  /// own, and only whether it can be right is open.
  public var hasGivenTime: Bool {
    !isUndated || (contentClientID ?? clientID) == .content(canonicalBody: v1Body)
  }

  /// The passage with its time, once that is known. An identity that was given, or drawn, stays; one by
  /// content is that of the text with the right time from now on.
  ///
  /// - Throws: `V1Error.timestamp` when the time lies outside what V1 can say.
  public func dated(at time: WallTime) throws(V1Error) -> Passage {
    try Passage(
      recording: plate, vehicleType: vehicleType, checkpost: checkpost, recordedAt: time,
      suffix: suffix, identity: contentClientID == nil ? nil : clientID, segment: segment,
      ranger: ranger, photoPath: photoPath)
  }
}
