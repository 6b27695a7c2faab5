public import Passages

/// A passage that got another plate or another time after it was recorded: what was found for it before may
/// not be so.
public struct ChangedPassage: Hashable, Sendable {
  /// The passage as it is now.
  public var passage: Passage
  /// The identities that it had before.
  public var past: [ClientID]
  /// Whether it was withdrawn: it never was.
  public var isWithdrawn = false

  /// A passage that changed.
  public init(_ passage: Passage, past: [ClientID]) {
    self.passage = passage
    self.past = past
  }
}
