import GSM

/// Decides again what messages are that were refused, because an operator asks: each with the other
/// parts of its long message, and no rule is set aside for any other.
struct Reprocessor {
  private let directory: Directory
  private let rules: CentralRules
  private let waiver: Waiver
  /// The messages as they stand, also by what was decided here.
  private var items: [Int64: InboxItem] = [:]
  private var numbers: [String: [Int64]] = [:]

  /// - Parameters:
  ///   - refused: The messages that may be asked for.
  ///   - parts: What may belong to the same long messages: parts that were refused, or still wait.
  init(
    _ refused: [InboxItem], parts: [InboxItem], directory: Directory, rules: CentralRules,
    waiving waiver: Waiver
  ) {
    self.directory = directory
    self.rules = rules
    self.waiver = waiver
    for item in refused + parts where items[item.id] == nil {
      items[item.id] = item
      if let key = item.part?.key { numbers[key, default: []].append(item.id) }
    }
  }

  /// What becomes of a message, and with it of the parts that it is a whole with, in the order in which
  /// they came in; empty when it does not wait for an operator.
  mutating func reprocess(_ id: Int64) -> [InboxFact] {
    guard let named = items[id], named.state == .undecodable else { return [] }
    if named.reason == Reason.rate, !waiver.contains(.anyRate) {
      let reason = Reason(code: Reason.rate, message: named.words ?? "")
      return [InboxFact(id: id, sender: named.from, part: named.part, change: .refused(reason))]
    }
    let group = ([named] + others(of: named)).sorted { $0.id < $1.id }
    var processor = InboxProcessor(directory: directory, rules: rules, waiving: waiver)
    var facts = group.map { processor.process($0, $0.pdu) }
    if Reprocessor.waits(id, facts) {
      // Still without the others: parts that were given up stay so, with the reason that they had.
      for (place, item) in group.enumerated() where item.state == .undecodable {
        facts[place].change = .refused(
          Reason(code: item.reason ?? Reason.missingParts, message: item.words ?? ""))
      }
    }
    if named.reason == Reason.rate {
      for place in facts.indices {
        if case .passage(let passage, let warnings, let isProven) = facts[place].change {
          facts[place].change = .passage(
            passage, warnings: warnings + [.anyRate], isProven: isProven)
        }
      }
    }
    for fact in facts { note(fact) }
    return facts
  }

  private static func waits(_ id: Int64, _ facts: [InboxFact]) -> Bool {
    facts.contains { fact in
      if case .waits = fact.change { fact.id == id } else { false }
    } && !facts.contains { $0.others.contains(id) }
  }

  /// The other parts of a long message. References come round, so of each part it is the one that came
  /// in nearest to this one.
  private func others(of named: InboxItem) -> [InboxItem] {
    guard let place = named.part else { return [] }
    let known = (numbers[place.key] ?? []).compactMap { items[$0] }
      .filter { $0.part?.part != place.part }.sorted { $0.id < $1.id }
    var nearest: [Int: InboxItem] = [:]
    for state in [InboxItem.State.undecodable, .part] {
      for item in known where item.state == state {
        guard let part = item.part?.part else { continue }
        if let found = nearest[part], abs(found.id - named.id) <= abs(item.id - named.id) {
          continue
        }
        nearest[part] = item
      }
    }
    return known.filter { item in item.part.flatMap { nearest[$0.part]?.id } == item.id }
  }

  /// Takes a fact up, for what is decided after it.
  private mutating func note(_ fact: InboxFact) {
    for id in [fact.id] + fact.others {
      guard var item = items[id] else { continue }
      item.part = item.part ?? fact.part
      switch fact.change {
      case .refused(let reason):
        item.state = .undecodable
        item.reason = reason.code
        item.words = reason.message
      case .waits: item.state = .part
      case .report: item.state = .report
      case .passage: item.state = .decoded
      case .heartbeat: item.state = .heartbeat
      }
      items[id] = item
    }
  }
}
