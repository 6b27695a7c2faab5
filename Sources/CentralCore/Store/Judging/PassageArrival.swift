public import Passages

/// A report of a passage, or a correction of one, and where it came from.
public struct PassageArrival: Hashable, Sendable {
  /// What came.
  public enum Content: Hashable, Sendable {
    /// A report of a passage.
    case observation(Observation)
    /// A correction of a passage, which may come before it.
    case correction(ReceivedCorrection)
  }

  /// Where something came from.
  public struct Origin: Hashable, Sendable {
    /// The number of the message in the inbox; nil of what came by another way.
    public var inboxID: Int64?
    /// The identifier that whoever handed it in gave to the row; nil where they gave none. It names the
    /// passage for as long as it stands, beside the identity that it came under.
    public var uuid: ClientID?

    /// An origin of which nothing is known, or this.
    public init(inboxID: Int64? = nil, uuid: ClientID? = nil) {
      self.inboxID = inboxID
      self.uuid = uuid
    }
  }

  /// What came.
  public var content: Content
  /// Where it came from.
  public var origin: Origin

  /// A report of a passage.
  public init(_ observation: Observation, from origin: Origin = Origin()) {
    content = .observation(observation)
    self.origin = origin
  }

  /// A correction of a passage.
  public init(_ correction: ReceivedCorrection, from origin: Origin = Origin()) {
    content = .correction(correction)
    self.origin = origin
  }

  /// The identity that it names.
  public var clientID: ClientID {
    switch content {
    case .observation(let observation): observation.clientID
    case .correction(let correction): correction.clientID
    }
  }
}
