public import GSM
import Passages
public import Storage
public import Time

extension CentralStore {
  /// Processes messages that are kept and were not looked at yet, ``Limits/processedAtOnce`` at most, in
  /// one transaction; and sets parts aside whose others never came.
  ///
  /// - Parameter read: PDUs of messages that were read when they came, by the messages' numbers.
  /// - Returns: What became of each, none when there is none left; and what was judged with it.
  public func process(
    rules: CentralRules, at wall: WallTime, read: [Int64: ReceivedPDU] = [:]
  ) throws(StorageError) -> ProcessedBatch {
    var rates: IngressRates?
    return try process(rules: rules, at: wall, read: read, rates: &rates)
  }

  /// Does the same, and holds every number to what it may text.
  ///
  /// One that the store refuses stops nobody else: it is looked for among those that came with it, and waits for an
  /// operator.
  ///
  /// - Parameters:
  ///   - most: How many messages, ``Limits/processedAtOnce`` at most.
  ///   - rates: What numbers have texted, afterwards with these messages; nil where any number of texts
  ///     is taken.
  public func process(
    rules: CentralRules, atMost most: Int = Limits.processedAtOnce, at wall: WallTime,
    read: [Int64: ReceivedPDU] = [:], rates: inout IngressRates?
  ) throws(StorageError) -> ProcessedBatch {
    var limit = min(max(most, 1), Limits.processedAtOnce)
    while true {
      do throws(StorageError) {
        return try process(limit, rules: rules, at: wall, read: read, rates: &rates)
      } catch {
        guard error.kind == .refused else { throw error }
        if limit == 1 { return try refuseFirst(error, at: wall) }
        limit = max(limit / 8, 1)
      }
    }
  }

  /// Sets the first message aside that was not looked at yet, because the store refuses what it says.
  private func refuseFirst(
    _ error: StorageError, at wall: WallTime
  ) throws(StorageError) -> ProcessedBatch {
    try transaction { inbox throws(StorageError) in
      guard let item = try inbox.unprocessed(limit: 1).first else { return ProcessedBatch() }
      let code = error.detail.map { " (\($0))" } ?? ""
      let fact = InboxFact(
        id: item.id, sender: item.from,
        change: .refused(
          Reason(
            code: Reason.store,
            message:
              "the database refuses what it says\(code); see whether its tables have rules of "
              + "their own, then run it again")))
      try inbox.apply([fact], repeated: [], at: wall)
      return ProcessedBatch(messages: [ProcessedMessage(fact, isDuplicate: false, missing: 0)])
    }
  }

  private func process(
    _ limit: Int, rules: CentralRules, at wall: WallTime, read: [Int64: ReceivedPDU],
    rates: inout IngressRates?
  ) throws(StorageError) -> ProcessedBatch {
    let before = rates
    let (batch, after) = try transaction { inbox throws(StorageError) in
      let abandoned = try inbox.waitingParts(
        receivedBefore: wall - Limits.partsWait, beyondNewest: Limits.openParts)
      if !abandoned.isEmpty {
        try inbox.apply(abandoned.map { InboxFact(abandoned: $0) }, repeated: [], at: wall)
      }
      let open = try inbox.unprocessed(limit: limit)
      guard !open.isEmpty else { return (ProcessedBatch(), before) }
      let messages = open.map { ($0, read[$0.id] ?? $0.pdu) }
      var processor = InboxProcessor(
        directory: try inbox.directory(rules), rules: rules,
        waiting: try inbox.parts(of: messages.compactMap { $0.1?.partKey }, states: [.part]),
        rates: before)
      let facts = messages.map { processor.process($0.0, $0.1) }
      return (try inbox.write(facts, rules: rules.judging, at: wall), processor.rates)
    }
    rates = after
    return batch
  }

  /// Processes one message again that waits for an operator, with the other parts of a long one: in one
  /// transaction, so that nobody else processes it in between.
  ///
  /// - Parameters:
  ///   - id: Its number in the inbox.
  ///   - waiver: Rules that are set aside for it; that is noted in the audit log.
  ///   - actor: The user of the machine who asks.
  ///   - wall: The wall clock.
  /// - Returns: What became of it and of its parts, none when no message of that number waits for an
  ///   operator; and what was judged with it.
  public func reprocess(
    _ id: Int64, rules: CentralRules, waiving waiver: Waiver = [], actor: String? = nil,
    at wall: WallTime
  ) throws(StorageError) -> ProcessedBatch {
    try transaction { inbox throws(StorageError) in
      guard let named = try inbox.message(id), named.state == .undecodable else {
        return ProcessedBatch()
      }
      return try inbox.reprocess([named], rules, waiver, actor, at: wall)
    }
  }

  /// Processes the next ones again of all that wait for an operator: ``Limits/processedAtOnce`` at most.
  ///
  /// - Parameters:
  ///   - after: Only those with higher numbers than this.
  ///   - reason: Only those that were refused for this, as ``InboxItem/reason`` names it; nil for all.
  ///   - waiver: Rules that are set aside for them; that is noted in the audit log.
  ///   - actor: The user of the machine who asks.
  ///   - wall: The wall clock.
  public func reprocessAll(
    after: Int64 = 0, reason: String? = nil, rules: CentralRules, waiving waiver: Waiver = [],
    actor: String? = nil, at wall: WallTime
  ) throws(StorageError) -> Reprocessed {
    try transaction { inbox throws(StorageError) in
      let refused = try inbox.refused(
        after: after, reason: reason, limit: Limits.processedAtOnce)
      guard let last = refused.last else { return Reprocessed(messages: [], lastID: nil) }
      let batch = try inbox.reprocess(refused, rules, waiver, actor, at: wall)
      return Reprocessed(messages: batch.messages, changes: batch.changes, lastID: last.id)
    }
  }
}

/// Messages that were processed in one transaction.
public struct ProcessedBatch: Hashable, Sendable {
  /// What became of each.
  public var messages: [ProcessedMessage]
  /// What was judged with them.
  public var changes: JudgedChanges

  /// What became of messages.
  public init(messages: [ProcessedMessage] = [], changes: JudgedChanges = JudgedChanges()) {
    self.messages = messages
    self.changes = changes
  }
}

/// Messages that were processed again, up to a place in the inbox.
public struct Reprocessed: Hashable, Sendable {
  /// What became of each.
  public var messages: [ProcessedMessage]
  /// What was judged with them.
  public var changes: JudgedChanges
  /// The last of the inbox that was looked at: ask again with it for the next ones. Nil when there is
  /// none left.
  public var lastID: Int64?

  /// What became of messages, up to the last of them.
  public init(
    messages: [ProcessedMessage], changes: JudgedChanges = JudgedChanges(), lastID: Int64?
  ) {
    self.messages = messages
    self.changes = changes
    self.lastID = lastID
  }
}

extension CentralTransaction {
  func directory(_ rules: CentralRules) throws(StorageError) -> Directory {
    Directory(
      posts: try posts(), rangers: try rangers(), bindings: rules.bindings + (try numbers()))
  }

  fileprivate func parts(
    of keys: [String], states: [InboxItem.State]
  ) throws(StorageError) -> [InboxItem] {
    keys.isEmpty ? [] : try parts(ofKeys: keys, states: states)
  }

  fileprivate func write(
    _ facts: [InboxFact], rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> ProcessedBatch {
    var facts = facts
    let passages = facts.compactMap { fact in
      PassageArrival(fact, at: wall).map { (id: fact.id, arrival: $0) }
    }
    let taken = try take(passages.map(\.arrival), rules: rules, at: wall)
    var repeated: Set<Int64> = []
    var expired: Set<Int64> = []
    for (passage, receipt) in zip(passages, taken.receipts) where !receipt.isFirst {
      if receipt.outcome == .expired {
        expired.insert(passage.id)
      } else {
        repeated.insert(passage.id)
      }
    }
    for index in facts.indices where expired.contains(facts[index].id) {
      facts[index].change = .refused(
        Reason(
          code: Reason.expired, message: "it is from a time of which nothing is kept any more"))
    }
    try apply(facts, repeated: repeated, at: wall)
    var batch = ProcessedBatch(changes: taken.changes)
    for fact in facts {
      var missing: Int64 = 0
      if case .heartbeat(let message, let isProven) = fact.change {
        missing = try take(message, at: wall)
        // Whoever forges a number must not settle anything by it.
        if isProven, let through = message.syncedThrough {
          batch.changes.append(
            try report(
              message.checkpost, through: through, receivedAt: fact.receivedAt ?? wall,
              rules: rules, at: wall))
        }
      }
      batch.messages.append(
        ProcessedMessage(fact, isDuplicate: repeated.contains(fact.id), missing: missing))
    }
    return batch
  }

  /// Takes what a post tells of itself; returns how many passages that it texted are not there.
  private func take(_ message: H1Message, at wall: WallTime) throws(StorageError) -> Int64 {
    let before = try heartbeat(of: message.checkpost)
    let came = try passages(of: message.checkpost)
    guard let now = PostHeartbeat(message, after: before, at: wall, came: came) else {
      return before?.missing(came: came) ?? 0
    }
    try keep(now)
    return now.missing(came: came)
  }

  fileprivate func reprocess(
    _ refused: [InboxItem], _ rules: CentralRules, _ waiver: Waiver, _ actor: String?,
    at wall: WallTime
  ) throws(StorageError) -> ProcessedBatch {
    var reprocessor = Reprocessor(
      refused,
      parts: try parts(of: refused.compactMap { $0.part?.key }, states: [.undecodable, .part]),
      directory: try directory(rules), rules: rules, waiving: waiver)
    var facts: [InboxFact] = []
    var done: Set<Int64> = []
    for item in refused where !done.contains(item.id) {
      let more = reprocessor.reprocess(item.id)
      done.formUnion(more.map(\.id))
      facts += more
    }
    let batch = try write(facts, rules: rules.judging, at: wall)
    if let note = OperatorNote(waiver, batch.messages, by: actor) { try self.note(note, at: wall) }
    return batch
  }
}

extension ReceivedPDU {
  fileprivate var partKey: String? {
    if case .part(let place, _) = content { place.key } else { nil }
  }
}

extension PassageArrival {
  /// What the text of a message says of a passage; nil where it is none.
  fileprivate init?(_ fact: InboxFact, at wall: WallTime) {
    guard case .passage(let passage, _, let isProven) = fact.change else { return nil }
    var observation = Observation(
      of: passage, channel: .text, isProven: isProven, receivedAt: fact.receivedAt ?? wall)
    // Who the digits belong to is looked up when it is read, so that somebody who is imported later counts.
    observation.ranger = nil
    self.init(observation, from: Origin(inboxID: fact.id))
  }
}
