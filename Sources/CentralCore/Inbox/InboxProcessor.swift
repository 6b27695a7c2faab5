public import GSM

/// Decides what messages of the inbox are, one after the other: from what they hold, what is known of
/// posts and people, and the parts that wait. What it decides are facts for the store to write down.
public struct InboxProcessor: Sendable {
  private struct Part {
    var item: InboxItem
    var place: MessagePart
    /// Read already when it came in just now; the others lie as they came.
    var pdu: ReceivedPDU?
  }

  private let directory: Directory
  private let rules: CentralRules
  private let waiver: Waiver
  private var waiting: [String: [Part]] = [:]
  /// What numbers have texted, these messages with it; nil where nobody counts.
  private(set) var rates: IngressRates?

  /// A processor that has seen nothing yet.
  ///
  /// - Parameters:
  ///   - directory: What is known of posts and people.
  ///   - rules: What the central takes for a passage.
  ///   - waiver: Rules that an operator has set aside for these messages.
  ///   - waiting: Parts of long messages that came before and wait for the others.
  ///   - rates: What numbers have texted before; nil where any number of texts is taken.
  public init(
    directory: Directory, rules: CentralRules, waiving waiver: Waiver = [],
    waiting: [InboxItem] = [], rates: IngressRates? = nil
  ) {
    self.rates = rates
    self.directory = directory
    self.rules = rules
    self.waiver = waiver
    for item in waiting {
      guard let place = item.part else { continue }
      self.waiting[place.key, default: []].append(Part(item: item, place: place))
    }
  }

  /// Decides what a message is.
  ///
  /// - Parameter pdu: What it holds, read; nil for a message that came as a text.
  public mutating func process(_ item: InboxItem, _ pdu: ReceivedPDU?) -> InboxFact {
    guard let pdu else {
      let change = decide(item, item.body, from: item.from)
      return fact(item, item.from, change)
    }
    let sender = pdu.message == nil ? item.from : pdu.sender
    let isForDisplay = pdu.messageClass == 0
    let change: InboxFact.Change
    switch pdu.content {
    case .statusReport: change = .report
    case .unreadable(let error):
      change = .refused(Reason(code: error.code, message: error.message))
    case .indication(let indication, _): change = .refused(Reason(indication))
    case .application: change = .refused(.application)
    case .octets: change = .refused(isForDisplay ? .display : .binary)
    case .text(let text):
      change = isForDisplay ? .refused(.display) : decide(item, text, from: sender)
    case .part(let place, let text):
      guard isForDisplay else {
        return assemble(Part(item: item, place: place, pdu: pdu), text, from: sender)
      }
      change = .refused(.display)
    }
    return fact(item, sender, change)
  }

  private func fact(_ item: InboxItem, _ sender: String, _ change: InboxFact.Change) -> InboxFact {
    finished(InboxFact(id: item.id, sender: sender, part: item.part, change: change), item)
  }

  /// A fact with what a judgement has to know of its message.
  private func finished(_ fact: InboxFact, _ item: InboxItem) -> InboxFact {
    var fact = fact
    fact.receivedAt = item.receivedAt
    return fact
  }

  private mutating func decide(
    _ item: InboxItem, _ text: String, from sender: String
  ) -> InboxFact.Change {
    let change: InboxFact.Change
    switch Intake.decide(
      text: text, sender: sender, receivedAt: item.receivedAt, directory: directory, rules: rules,
      waiving: waiver)
    {
    case .undecodable(let reason): return .refused(reason)
    case .passage(let passage, let warnings, let isProven):
      change = .passage(passage, warnings: warnings, isProven: isProven)
    case .heartbeat(let message, let isProven):
      change = .heartbeat(message, isProven: isProven)
    }
    // What is refused anyway uses nothing up.
    let isTaken = rates?.take(sender, directory, at: item.receivedAt) ?? true
    return isTaken ? change : .refused(.tooMany)
  }

  /// Puts a part to the others of its long message, and reads that when it is whole.
  private mutating func assemble(_ part: Part, _ text: String, from sender: String) -> InboxFact {
    let (item, place) = (part.item, part.place)
    waiting[place.key, default: []].append(part)
    let parts = waiting[place.key] ?? []
    // References come round, so of each part it is the one that came in last.
    var newest: [Int: Part] = [:]
    for part in parts where newest[part.place.part].map({ $0.item.id < part.item.id }) ?? true {
      newest[part.place.part] = part
    }
    guard newest.count == place.total else {
      return InboxFact(id: item.id, sender: sender, part: place, change: .waits(place))
    }
    waiting[place.key] = nil
    let pdus = (1...place.total).compactMap { number in
      newest[number].map { $0.pdu ?? ReceivedPDU(hex: $0.item.body) }
    }
    let whole = ReceivedPDU.joined(pdus)?.userData.text ?? text
    let change = decide(item, whole, from: sender)
    return finished(
      InboxFact(
        id: item.id, sender: sender, part: place,
        others: parts.map(\.item.id).filter { $0 != item.id }, change: change), item)
  }
}

/// Why a message was never meant to be read as a text of a post.
extension Reason {
  fileprivate static let application = Reason(
    code: "application", message: "a message for an application behind a port, not a text")
  fileprivate static let display = Reason(
    code: "class_0", message: "a message for the display (class 0), which no post sends")
  fileprivate static let tooMany = Reason(
    code: Reason.rate,
    message: "more texts came than its sender may send; `checkpost central inbox run --any-rate`"
      + " takes it")
  fileprivate static let binary = Reason(
    code: "binary", message: "a message of bytes, not of text")

  fileprivate init(_ indication: WaitingIndication) {
    let what = ["voice mail", "a fax", "e-mail", "something else"][Int(indication.kind & 3)]
    let state = indication.isActive ? "waits" : "no longer waits"
    self.init(code: "indication", message: "the network says that \(what) \(state); it is no text")
  }
}
