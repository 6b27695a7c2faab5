import GSM
public import Storage
public import Time

extension CentralStore {
  /// What numbers have texted lately, and what waits for an operator, as the inbox tells after a new start: by the
  /// newest ``Limits/recountedMessages`` of either.
  ///
  /// Of a part of a long message it is not known which others it came with, so each counts.
  public func ingress(
    rules: CentralRules, at wall: WallTime
  ) throws(StorageError) -> (rates: IngressRates, quarantine: Quarantine) {
    var rates = IngressRates(rules.ingressLimits)
    let directory = Directory(
      posts: try posts(), rangers: try rangers(), bindings: rules.bindings + (try numbers()))
    // Who texted before that may text a whole burst again.
    let since = wall - rules.ingressLimits.longestRefill
    let taken = try newest { $0.receivedAt >= since }
    for item in taken.reversed() where item.state.isTaken {
      _ = rates.take(item.from, directory, at: min(item.receivedAt, wall))
    }
    var quarantine = Quarantine(count: Int64(try overview().undecodable))
    for item in try newest(state: .undecodable, isDismissed: false, while: { _ in true }) {
      quarantine.noted(item.from)
    }
    // Whether the others of it ever come, nobody knows.
    for item in try newest(state: .part, while: { _ in true }) { quarantine.add(from: item.from) }
    return (rates, quarantine)
  }

  /// The newest messages, newest first, up to the first that is none of those.
  private func newest(
    state: InboxItem.State? = nil, isDismissed: Bool? = nil, while isWanted: (InboxItem) -> Bool
  ) throws(StorageError) -> [InboxItem] {
    var items: [InboxItem] = []
    while items.count < Limits.recountedMessages {
      let page = try inbox(state: state, isDismissed: isDismissed, before: items.last?.id)
      let wanted = page.prefix(while: isWanted)
      items += wanted
      if page.isEmpty || wanted.count < page.count { break }
    }
    return items
  }

  /// Which of these messages are kept when what is no passage finds no room any more: those that are one, and parts of
  /// long ones from numbers that are bound, as long as those have room themselves.
  public func admitted(
    _ messages: [InboundMessage], rules: CentralRules, rates: IngressRates?,
    _ quarantine: Quarantine
  ) throws(StorageError) -> [Bool] {
    try transaction { inbox throws(StorageError) in
      let directory = try inbox.directory(rules)
      var processor = InboxProcessor(directory: directory, rules: rules, rates: rates)
      var quarantine = quarantine
      return messages.map { message in
        let item = InboxItem(arriving: KeptMessage(message))
        let fact = processor.process(item, message.pdu)
        let isFull: Bool
        switch fact.change {
        case .refused: isFull = quarantine.isFull(for: fact.sender, rules.ingressLimits)
        case .waits:
          let isBound = PhoneNumber(fact.sender).map { directory.isKnown($0) } ?? false
          isFull =
            isBound
            ? quarantine.isFull(ofSender: fact.sender, rules.ingressLimits)
            : quarantine.isFull(for: fact.sender, rules.ingressLimits)
        default: return true
        }
        if isFull { return false }
        quarantine.add(from: fact.sender)
        return true
      }
    }
  }
}

extension InboundMessage {
  /// What it holds, where it came as a PDU.
  var pdu: ReceivedPDU? {
    if case .pdu(let pdu) = content { pdu } else { nil }
  }

  /// The number or the name it says it comes from, also where that stands in the PDU.
  public var sender: String { pdu.map { $0.message == nil ? from : $0.sender } ?? from }
}

extension InboxItem {
  /// A message before it has a number.
  fileprivate init(arriving message: KeptMessage) {
    self.init(
      id: .max, provider: message.provider.rawValue, from: message.from, body: message.body,
      isPDU: message.isPDU, receivedAt: message.receivedAt)
  }
}

extension InboxItem.State {
  /// Whether a text in that state was within its sender's rate.
  fileprivate var isTaken: Bool {
    switch self {
    case .decoded, .duplicate, .heartbeat: true
    case .received, .part, .report, .undecodable: false
    }
  }
}

extension IngressLimits {
  /// After so long without a text everybody may text a whole burst again.
  fileprivate var longestRefill: Duration {
    let minutes = [bound, others].map { $0.burst / $0.perMinute + 1 }
    return .seconds(60 * (minutes.max() ?? 0))
  }
}
