/// A change of the store that follows from what came in, or from what did not come.
public enum InboxChange: Hashable, Sendable {
  /// By this the outcome of a text was settled that nobody had known.
  case settled(TextID, SettlingRule)
  /// The network reported this of a part of a text.
  case reported(StatusReport, TextID, part: Int)
  /// A report in the inbox is about this text.
  case matched(Int64, TextID)
  /// No final report came of these parts of a text in time.
  case expired(TextID, parts: [Int])
  /// Texts up to this one have been looked at for missing reports.
  case swept(through: TextID)
  /// Reports in the inbox that are no longer tried on texts.
  case reportsGivenUp([Int64])
  /// Parts in the inbox that no longer wait for the others.
  case partsGivenUp([Int64])
  /// Messages of the inbox up to this one are no longer kept.
  case forgotten(through: Int64)
}
