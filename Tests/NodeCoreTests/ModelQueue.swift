import GSM
import NodeCore
import Passages
import Time

/// A queue in memory that does what a store must do, in the plainest way: it walks all rows.
struct ModelQueue {
  struct Item {
    var queueID: Int64
    var since: BootInstant
    var status = QueueStatus.pending
    var isTexted = false
    var textAttempts = 0
    var refusals = 0
    var lastTextAt: BootInstant?
    var due: BootInstant?
    var parkedReason: String?
    var openText: TextID?
    var priority = 1
    var isOutdated = false
    var refusedBy: Set<String> = []

    var isTextable: Bool {
      due != nil && (status == .pending || status == .failed)
    }
  }

  var rules: NodeRules
  var items: [Item] = []
  var intents: [TextID: TextIntent] = [:]
  var outcomes: [TextID: TextOutcome] = [:]

  init(rules: NodeRules) {
    self.rules = rules
  }

  mutating func record(at now: BootInstant, priority: Int = 1) {
    var item = Item(queueID: Int64(items.count + 1), since: now, due: rules.due(since: now))
    item.priority = priority
    items.append(item)
  }

  mutating func fail(_ queueID: Int64, at now: BootInstant) {
    let index = Int(queueID) - 1
    items[index].status = .failed
    if let due = items[index].due {
      items[index].due = min(due, now)
    }
  }

  mutating func sync(_ queueID: Int64) {
    items[Int(queueID) - 1].status = .synced
  }

  func choose(at now: BootInstant) -> DueAnswer {
    let textable = items.filter(\.isTextable)
    let isDue = textable.filter { $0.due.map { $0 <= now } ?? false }
    let urgency = isDue.map(\.priority).max()
    guard let item = isDue.first(where: { $0.priority == urgency }) else {
      return DueAnswer(text: nil, nextDue: textable.compactMap(\.due).min())
    }
    return DueAnswer(text: dueText(item), nextDue: nil)
  }

  mutating func apply(_ write: NodeWrite, at now: BootInstant) {
    switch write {
    case .intent(let intent):
      intents[intent.id] = intent
      guard let queueID = intent.queueID else { return }
      items[Int(queueID) - 1].due = nil
      items[Int(queueID) - 1].lastTextAt = now
      items[Int(queueID) - 1].openText = intent.id
    case .outcome(let id, let outcome, let consequence):
      outcomes[id] = outcome
      guard let queueID = intents[id]?.queueID else { return }
      var item = items[Int(queueID) - 1]
      item.openText = nil
      switch consequence {
      case .texted:
        item.isTexted = true
        item.textAttempts += 1
      case .againAfterRefusal(let at):
        if case .refused(let refusal) = outcome {
          item.refusals += 1
          if refusal.kind == .destination, let to = intents[id]?.to { item.refusedBy.insert(to) }
        }
        item.due = at
      case .againAfterUnknown(let at):
        item.textAttempts += 1
        item.due = at
      case .leftUnknown:
        item.textAttempts += 1
      case .parked(let reason):
        item.refusals += 1
        item.parkedReason = reason
      }
      items[Int(queueID) - 1] = item
    case .outdated(let queueID, _):
      items[Int(queueID) - 1].due = nil
      items[Int(queueID) - 1].isOutdated = true
    case .park(let queueID, .centre, let reason):
      items[Int(queueID) - 1].due = nil
      items[Int(queueID) - 1].parkedReason = reason
    case .park, .keepText, .endText: break
    case .putOff(let queueID, _, let until):
      items[Int(queueID) - 1].due = until
    }
  }

  func dueText(_ item: Item) -> DueText? {
    guard let client = clientID(item.queueID) else { return nil }
    return DueText(
      queueID: item.queueID, clientID: client, body: "body \(item.queueID)", since: item.since,
      status: item.status, isTexted: item.isTexted, textAttempts: item.textAttempts,
      refusals: item.refusals, lastTextAt: item.lastTextAt, refusedBy: item.refusedBy,
      priority: item.priority)
  }
}

func clientID(_ number: Int64) -> ClientID? {
  let digits = String(number, radix: 16)
  return ClientID(
    "00000000-0000-5000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
}
