public import JSON

/// A passage of the queue as it is told: the keys are those of `queue list --json` and `queue show --json`.
public struct PassageReport: Codable, Hashable, Sendable {
  /// What is told of it, by its keys.
  public var fields: [String: JSONValue]

  /// What is told of a passage.
  public init(_ fields: [String: JSONValue]) {
    self.fields = fields
  }

  /// What is told of a passage.
  public init(from decoder: any Decoder) throws {
    fields = try [String: JSONValue](from: decoder)
  }

  /// Tells it.
  public func encode(to encoder: any Encoder) throws {
    try fields.encode(to: encoder)
  }

  /// What is told under a key; nil where nothing is.
  public subscript(key: String) -> JSONValue? { fields[key] }

  /// Its number in the queue.
  public var queueID: Int64 { fields["queue_id"]?.integer ?? 0 }
  /// Its identity.
  public var clientID: String { fields["client_id"]?.text ?? "" }
  /// Its plate as people read it.
  public var plate: String { fields["plate"]?.text ?? fields["plate_number"]?.text ?? "" }
}

/// What came of changing one passage.
public struct PassageChangeReport: Codable, Hashable, Sendable {
  /// A name for scripts: `replaced`, `queued`, `parked`.
  public var outcome: String
  /// Whether something was changed.
  public var done: Bool
  /// What came of it, for people.
  public var message: String
  /// How the passage stands after it.
  public var passage: PassageReport

  /// What came of a change.
  public init(outcome: String, done: Bool, message: String, passage: PassageReport) {
    self.outcome = outcome
    self.done = done
    self.message = message
    self.passage = passage
  }
}
