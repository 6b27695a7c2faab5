public import CentralCore
public import Events
import GSM
import Passages
public import Storage
public import Time

/// The central without its threads: keeps what comes in, then processes it.
///
/// The service drives it on its own thread, and the simulation the very same value under a clock of
/// its own.
public struct CentralMachine: Sendable {
  /// The store that everything is kept in.
  public let store: any CentralStore
  /// What the central takes for a passage.
  public var rules: CentralRules {
    didSet { rates?.change(rules.ingressLimits) }
  }
  /// PDUs of messages that are kept and not processed yet: each is read once, when it comes.
  private var read: [Int64: ReceivedPDU] = [:]
  /// What numbers have texted; nil until the inbox has told.
  private var rates: IngressRates?
  /// What waits for an operator, and since when that is known; nil until the inbox has told.
  private var quarantine: (held: Quarantine, since: WallTime)?

  /// A central over a store.
  public init(store: any CentralStore, rules: CentralRules) {
    self.store = store
    self.rules = rules
  }

  /// Keeps messages as they came: on disk when this returns.
  public mutating func keep(
    _ messages: [InboundMessage]
  ) throws(StorageError) -> [InboxReceipt] {
    let isAdmitted = try admitted(messages)
    var receipts = try store.keep(
      zip(messages, isAdmitted).compactMap { $1 ? $0 : nil })[...]
    return zip(messages, isAdmitted).map { message, isAdmitted in
      guard isAdmitted, let receipt = receipts.popFirst() else { return .crowded }
      if case .pdu(let pdu) = message.content, case .kept(let id) = receipt,
        read.count < Limits.readPDUs
      {
        read[id] = pdu
      }
      return receipt
    }
  }

  /// Which of these messages are kept: all, unless what is no passage finds no room any more.
  private mutating func admitted(_ messages: [InboundMessage]) throws(StorageError) -> [Bool] {
    let everything = messages.map { _ in true }
    guard let last = messages.last, isCrowded(messages) else { return everything }
    if let since = quarantine?.since {
      let age = last.receivedAt - since
      if age >= Limits.recountAfter || age < .zero {
        // An operator may have made room.
        try recount(at: last.receivedAt)
        guard isCrowded(messages) else { return everything }
      }
    }
    guard let held = quarantine?.held else { return everything }
    return try store.admitted(messages, rules: rules, rates: rates, held)
  }

  private func isCrowded(_ messages: [InboundMessage]) -> Bool {
    guard let held = quarantine?.held else { return false }
    let more = Int64(messages.count)
    return messages.contains { held.isFull(for: $0.sender, rules.ingressLimits, more: more) }
  }

  private mutating func recount(at wall: WallTime) throws(StorageError) {
    let told = try store.ingress(rules: rules, at: wall)
    rates = rates ?? told.rates
    quarantine = (told.quarantine, wall)
  }

  /// Proves that something can be kept.
  ///
  /// - Throws: Why it cannot.
  public func proveWritable() throws(StorageError) {
    try store.proveWritable()
  }

  /// Processes all that is kept and was not looked at, also what an earlier run left; says what came of
  /// it, and what was judged with it.
  public mutating func process(at wall: WallTime) throws(StorageError) -> ProcessedBatch {
    var all = ProcessedBatch()
    while true {
      let processed = try process(atMost: CentralCore.Limits.processedAtOnce, at: wall)
      if processed.messages.isEmpty { return all }
      all.messages += processed.messages
      all.changes.append(processed.changes)
    }
  }

  /// Processes some of it, the oldest first, in one transaction.
  ///
  /// - Parameter most: How many messages, `CentralCore.Limits.processedAtOnce` at most.
  /// - Returns: What came of them; no message when there is none left.
  public mutating func process(
    atMost most: Int, at wall: WallTime
  ) throws(StorageError) -> ProcessedBatch {
    if rates == nil || quarantine == nil { try recount(at: wall) }
    let processed = try store.process(
      rules: rules, atMost: most, at: wall, read: read, rates: &rates)
    for message in processed.messages {
      read[message.id] = nil
      switch message.result {
      case .undecodable, .part: quarantine?.held.add(from: message.from)
      default: break
      }
    }
    // Others who use the store may have processed what was read here.
    if processed.messages.isEmpty { read = [:] }
    return processed
  }

  /// Does what the clock asks for; says what that was, and when it asks again.
  public func clock(at wall: WallTime) throws(StorageError) -> ClockDuties {
    try store.clock(rules: rules.judging, at: wall)
  }

  /// Drops some of what is older than it is to be kept; nil of a store that forgets nothing.
  public func expire(at wall: WallTime) throws(StorageError) -> Expired? {
    guard let keeping = store as? any KeepingStore else { return nil }
    return try keeping.expire(after: rules.keep, rules: rules.judging, at: wall)
  }

  /// Judges some more again of what was judged by another directory or other numbers.
  public func rejudge(at wall: WallTime) throws(StorageError) -> Rejudged {
    try store.rejudge(
      rules: rules.judging, everything: false, limit: CentralCore.Limits.rejudgedAtOnce, at: wall)
  }
}

extension Event {
  /// What became of a message, for the log. Its words name no plate and no number.
  public init(_ message: ProcessedMessage, at wall: WallTime) {
    var fields = [EventField("inbox_id", .integer(message.id))]
    if !message.from.isEmpty { fields.append(EventField("from", .phone(message.from))) }
    switch message.result {
    case .passage(let passage, let warnings):
      fields += EventField.told(of: passage, by: .text, at: message.receivedAt ?? wall)
      let notes = warnings.map { "; \($0.words)" }.joined()
      if !warnings.isEmpty {
        fields.append(
          EventField("warnings", .text(warnings.map(\.rawValue).joined(separator: " "))))
      }
      self.init(
        "passage_arrived", warnings.contains(.unknownPost) ? .warning : .info, at: wall,
        subject: passage.checkpost.code, words: "a passage arrived by text\(notes)",
        fields: fields)
    case .duplicate(let passage):
      fields += EventField.told(of: passage, by: .text, at: message.receivedAt ?? wall)
      self.init(
        "passage_repeated", at: wall, subject: passage.checkpost.code,
        words: "a passage arrived again; there is one row of it", fields: fields)
    case .undecodable(let reason):
      fields.append(EventField("reason", .text(reason.code)))
      self.init(
        "text_undecodable", .warning, at: wall,
        words: reason.wordsForLog,
        fields: fields)
    case .part(let part, let total):
      fields += [
        EventField("part", .integer(Int64(part))), EventField("parts", .integer(Int64(total))),
      ]
      self.init(
        "text_part", at: wall,
        words: "part \(part) of \(total) of a long text; the others are awaited",
        fields: fields)
    case .heartbeat(let heartbeat, let missing):
      fields += [
        EventField("last_number", .integer(heartbeat.lastNumber)),
        EventField("waiting_at_post", .integer(heartbeat.waiting)),
        EventField("missing", .integer(missing)),
      ]
      if let through = heartbeat.syncedThrough {
        let time = WallTime(epochSeconds: through)
        fields.append(EventField("synced_through", .text(time.rfc3339)))
      }
      let gap =
        missing == 0
        ? ""
        : "; \(missing) of the passages up to number \(heartbeat.lastNumber) that it texted have not"
          + " come"
      self.init(
        "heartbeat_arrived", missing == 0 ? .info : .warning, at: wall,
        subject: heartbeat.checkpost.code,
        words: "the post lives; \(heartbeat.waiting) passages wait there\(gap)", fields: fields)
    case .report:
      self.init("status_report", .debug, at: wall, words: "a status report", fields: fields)
    }
  }
}

extension EventField {
  /// What an operator needs to know of a passage, without its plate and without its ranger's number. The time of one
  /// that came by text is in the clock's window.
  fileprivate static func told(
    of passage: Passage, by channel: Observation.Channel, at receivedAt: WallTime
  ) -> [EventField] {
    told(
      clientID: passage.clientID, plate: passage.plate, type: passage.vehicleType,
      at: passage.recordedAt, suffix: passage.suffix, by: channel, receivedAt: receivedAt)
  }

  fileprivate static func told(
    clientID: ClientID, plate: Plate, type: VehicleType, at recordedAt: WallTime?,
    suffix: PhoneSuffix, by channel: Observation.Channel, receivedAt: WallTime
  ) -> [EventField] {
    var fields = [
      EventField("client_id", .identity(clientID.description)),
      EventField("plate", .plate(plate.compact)),
      EventField("vehicle_type", .text(type.rawValue)),
    ]
    if let recordedAt {
      let delay = receivedAt.epochSeconds - recordedAt.epochSeconds
      fields += [
        EventField("recorded_at", .text(recordedAt.rfc3339)),
        EventField("delay_seconds", .integer(delay)),
      ]
    }
    return fields + [
      EventField("channel", .text(channel.rawValue)),
      EventField("ranger_digits", .text(suffix.digits)),
    ]
  }
}

extension Event {
  /// A passage was handed in over the API. Its words name no plate and no number.
  init(_ passage: HandedInPassage, at wall: WallTime) {
    let observation = passage.observation
    let isDated = observation.recordedAt >= Passage.earliest
    self.init(
      passage.isFirst ? "passage_arrived" : "passage_repeated", passage.isFirst ? .info : .debug,
      at: wall, subject: observation.post.code,
      words: passage.isFirst
        ? "a passage arrived by \(observation.channel.rawValue)"
        : "a passage arrived again; there is one row of it",
      fields: EventField.told(
        clientID: observation.clientID, plate: observation.plate, type: observation.vehicleType,
        at: isDated ? observation.recordedAt : nil, suffix: observation.suffix,
        by: observation.channel, receivedAt: observation.receivedAt))
  }
}

extension Reason {
  /// The reason without what is personal in it, and what to do about it.
  fileprivate var wordsForLog: String {
    switch code {
    case Reason.sender:
      "a text whose sender may speak for no such post yet; `checkpost central inbox` names it,"
        + " `central import --numbers` binds it"
    case Reason.rate:
      "more texts came than their sender may send; this one waits, and `checkpost central inbox run"
        + " --any-rate` takes it"
    default: "a text is no passage (\(code)); it waits in `checkpost central inbox`"
    }
  }
}
