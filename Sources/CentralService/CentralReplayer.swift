public import CentralCore
import GSM
public import Storage
public import Time

/// Processes messages once more that came in before, in their order and as if it were the time at which they came:
/// what comes of them follows from them and from the directory alone.
public struct CentralReplayer {
  private let store: any CentralStore
  private let rules: CentralRules

  /// What came of it so far.
  public private(set) var replayed = Replayed()

  /// A replayer into a store, which has the directory.
  public init(store: any CentralStore, rules: CentralRules) {
    self.store = store
    self.rules = rules
  }

  /// Takes the next messages.
  public mutating func take(_ messages: [ArchivedMessage]) throws(StorageError) {
    var rest = messages[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Limits.batch)
      rest = rest.dropFirst(batch.count)
      let inbound = batch.map(\.inbound)
      replayed.messages += inbound.count
      for receipt in try store.keep(inbound) {
        switch receipt {
        case .kept: break
        case .known: replayed.known += 1
        case .crowded: replayed.refused["crowded", default: 0] += 1
        }
      }
      // No later than the last of them came, so that parts of long messages wait as they did.
      let moment = inbound.map(\.receivedAt).max() ?? WallTime(milliseconds: 0)
      while true {
        let processed = try store.process(rules: rules, at: moment)
        if processed.messages.isEmpty { break }
        for message in processed.messages { replayed.note(message) }
        replayed.note(processed.changes)
      }
    }
  }

  /// Ends it: what the clock asks for meanwhile is done.
  public mutating func finish(at wall: WallTime) throws(StorageError) {
    var next: WallTime?
    var before: WallTime?
    repeat {
      before = next
      let duties = try store.clock(rules: rules.judging, at: wall)
      replayed.note(duties.changes)
      next = duties.next
      // Where nothing was done and the same is due, nothing will be.
      if duties.changes == JudgedChanges(), next == before { return }
    } while next.map { $0 <= wall } ?? false
  }
}

/// What came of messages that were processed once more.
public struct Replayed: Hashable, Sendable {
  /// Messages that were handed in.
  public var messages = 0
  /// Of these, those that were there already.
  public var known = 0
  /// Passages that were not there.
  public var passages = 0
  /// Messages whose passage was there.
  public var duplicates = 0
  /// Messages that are no passage, by reason.
  public var refused: [String: Int] = [:]
  /// Pairs that were made, less those that were undone.
  public var pairs = 0
  /// Violations that were found, less those that were retracted.
  public var violations = 0

  /// Nothing.
  public init() {}

  mutating func note(_ message: ProcessedMessage) {
    switch message.result {
    case .passage: passages += 1
    case .duplicate: duplicates += 1
    case .undecodable(let reason): refused[reason.code, default: 0] += 1
    case .part, .report, .heartbeat: break
    }
  }

  mutating func note(_ changes: JudgedChanges) {
    pairs += changes.paired.count - changes.parted.count
    for change in changes.violations {
      switch change.revision.change {
      case .made, .renewed: violations += 1
      case .retracted: violations -= 1
      case .changed: break
      }
    }
  }
}

extension ArchivedMessage {
  /// The message as it was handed in.
  public var inbound: InboundMessage {
    var inbound = InboundMessage(
      provider: Provider(rawValue: item.provider), providerID: providerID, from: item.from, to: to,
      text: item.body, receivedAt: item.receivedAt)
    if item.isPDU {
      inbound.content = .pdu(ReceivedPDU(hex: item.body))
      inbound.from = ""
    }
    return inbound
  }
}
