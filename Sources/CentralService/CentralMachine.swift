public import CentralCore
public import CentralSQLite
public import Operations
import Passages
public import Storage
public import Time

/// The centre without its threads: keeps what comes in, then judges it.
///
/// The service drives it on its own thread, and the simulation the very same value under a clock of
/// its own.
public struct CentralMachine: Sendable {
  /// The store that everything is kept in.
  public let store: SQLiteCentralStore
  /// What the centre takes for a passage.
  public var rules: CentralRules

  /// A centre over a store.
  public init(store: SQLiteCentralStore, rules: CentralRules) {
    self.store = store
    self.rules = rules
  }

  /// Keeps messages as they came: on disk when this returns.
  public func keep(_ messages: [InboundMessage]) throws(StorageError) -> [KeepOutcome] {
    try store.keep(messages)
  }

  /// Proves that something can be kept.
  ///
  /// - Throws: Why it cannot.
  public func proveWritable() throws(StorageError) {
    try store.proveWritable()
  }

  /// Judges all that is kept and was not looked at, also what an earlier run left; says what came of
  /// it.
  public func decode(at wall: WallTime) throws(StorageError) -> [Decoded] {
    var all: [Decoded] = []
    while true {
      let decoded = try store.decode(rules: rules, at: wall)
      if decoded.isEmpty { return all }
      all += decoded
    }
  }
}

extension ServiceEvent {
  /// What became of a message, for the log. Its words name no plate and no number.
  public init(_ decoded: Decoded, at wall: WallTime) {
    var fields = [EventField("inbox_id", .integer(decoded.id))]
    if !decoded.from.isEmpty { fields.append(EventField("from", .phone(decoded.from))) }
    switch decoded.result {
    case .passage(let passage, let warnings):
      fields += [
        EventField("client_id", .identity(passage.clientID.description)),
        EventField("plate", .plate(passage.plate.compact)),
      ]
      let notes = warnings.map { "; \($0.words)" }.joined()
      self.init(
        "passage_arrived", warnings.contains(.unknownPost) ? .warning : .info, at: wall,
        subject: passage.checkpost.code, words: "a passage arrived by text\(notes)",
        fields: fields)
    case .duplicate(let passage):
      fields.append(EventField("client_id", .identity(passage.clientID.description)))
      self.init(
        "passage_repeated", at: wall, subject: passage.checkpost.code,
        words: "a passage arrived again; there is one row of it", fields: fields)
    case .undecodable(let reason):
      fields.append(EventField("reason", .text(reason.code)))
      self.init(
        "text_undecodable", .warning, at: wall,
        words: "a text is no passage (\(reason.code)); it waits in the inbox for an operator",
        fields: fields)
    case .part(let part, let total):
      self.init(
        "text_part", at: wall,
        words: "part \(part) of \(total) of a long text; the others are awaited",
        fields: fields)
    case .report:
      self.init("status_report", .debug, at: wall, words: "a status report", fields: fields)
    }
  }
}
