public import GSM
import SeededRandom
public import Time

/// A mobile network with one service centre: it stores messages, forwards them, and delays, loses,
/// duplicates and reorders them as its behaviour says. Everything random follows from a seed.
public struct MobileNetwork: Sendable {
  /// A message on its way.
  struct Transit: Sendable {
    enum Content: Sendable {
      case message(SMSDeliver, reports: Bool)
      case report(SMSStatusReport)
    }

    var message: NetworkMessage
    var content: Content
    var due: BootInstant
    var expires: BootInstant
    /// Orders messages that are due at the same moment.
    var order: UInt64
    /// Whether it was tried in vain.
    var isWaiting = false

    /// Whom it is for: a report goes back to the sender.
    var recipient: String {
      if case .report = content { message.from } else { message.to }
    }
  }

  /// What is to be handed to a modem now.
  public struct Delivery: Sendable {
    /// The number of the modem.
    public var to: String
    /// SMS-DELIVER or SMS-STATUS-REPORT.
    public var tpdu: TPDU
    let transit: Transit
  }

  /// How it treats messages.
  public var behaviour: NetworkBehaviour
  private var random: SplitMix64
  private var transits: [Transit] = []
  private var lastID: UInt64 = 0
  private var lastOrder: UInt64 = 0
  private var events: [NetworkEvent] = []

  /// A network in which nothing is on its way.
  public init(behaviour: NetworkBehaviour = NetworkBehaviour(), seed: UInt64) {
    self.behaviour = behaviour
    random = SplitMix64(seed: seed)
  }

  /// Takes a message from the modem of `sender`.
  ///
  /// - Parameter wall: The service centre's clock, which stamps the message.
  public mutating func submit(
    _ submit: SMSSubmit, from sender: String, at now: BootInstant, wall: WallTime
  ) -> SubmissionAnswer {
    lastID += 1
    let message = NetworkMessage(
      id: lastID, from: sender, to: submit.destination.number, text: submit.userData.text,
      reference: submit.messageReference)
    guard !random.happens(behaviour.refusal), transits.count < Limits.networkMessages else {
      events.append(.refused(message, code: behaviour.refusalCode))
      return .refused(behaviour.refusalCode)
    }
    guard let originator = try? Address(sender) else { return .refused(304) }
    if submit.rejectsDuplicates, holds(submit, from: sender) {
      events.append(.refused(message, code: 197))
      return .refused(197)
    }
    var told = message
    told.pdu = (try? submit.encoded()).map { Hex.encode([0] + $0) }
    events.append(.submitted(told))
    if random.happens(behaviour.loss) {
      events.append(.lost(message))
      return .accepted
    }
    var deliver = SMSDeliver(
      from: originator, userData: submit.userData, timestamp: stamp(wall), coding: submit.coding)
    deliver.protocolIdentifier = submit.protocolIdentifier
    let validity = validity(submit.validity, wall)
    let copies = random.happens(behaviour.duplication) ? 2 : 1
    if copies > 1 { events.append(.duplicated(message)) }
    for copy in 0..<copies {
      forward(
        message, .message(deliver, reports: submit.requestsStatusReport && copy == 0), at: now,
        expires: now + validity)
    }
    return .accepted
  }

  /// Whether the service centre still has a message of that reference for that destination
  /// (3GPP TS 23.040 9.2.3.25).
  private func holds(_ submit: SMSSubmit, from sender: String) -> Bool {
    transits.contains { transit in
      guard case .message = transit.content else { return false }
      return transit.message.from == sender && transit.message.to == submit.destination.number
        && transit.message.reference == submit.messageReference
    }
  }

  private func validity(_ period: ValidityPeriod?, _ wall: WallTime) -> Duration {
    switch period {
    case .relative: period?.duration ?? behaviour.keeps
    case .absolute(let end): max(.zero, .seconds(end.epochSeconds - wall.epochSeconds))
    case .enhanced, nil: behaviour.keeps
    }
  }

  /// Puts a message from outside into the network; its parts when it is long.
  ///
  /// - Parameter sender: A number, or a name of up to eleven characters.
  /// - Throws: `PDUError` when sender or text cannot be sent.
  public mutating func inject(
    from sender: String, text: String, to number: String, at now: BootInstant, wall: WallTime
  ) throws(PDUError) {
    let originator = try MobileNetwork.originator(sender)
    lastID += 1
    for part in try MobileNetwork.parts(text, to: number, reference: UInt16(lastID & 0xFF)) {
      let message = NetworkMessage(
        id: lastID, from: sender, to: number, text: part.userData.text, reference: 0)
      let deliver = SMSDeliver(
        from: originator, userData: part.userData, timestamp: stamp(wall), coding: part.coding)
      forward(
        message, .message(deliver, reports: false), at: now, expires: now + behaviour.keeps)
    }
  }

  /// Who a text comes from: a number, or a name.
  private static func originator(_ sender: String) throws(PDUError) -> Address {
    do {
      return try Address(sender)
    } catch {
      return try Address.alphanumeric(sender)
    }
  }

  private static func parts(
    _ text: String, to number: String, reference: UInt16
  ) throws(PDUError) -> [SMSSubmit] {
    var options = SubmitOptions()
    options.concatenationReference = reference
    return try MessageComposer.messages(text: text, to: try Address(number), options: options)
  }

  /// Whether a text from outside could be sent, as ``inject(from:text:to:at:wall:)`` finds out.
  static func check(from sender: String, text: String, to number: String) throws(PDUError) {
    _ = try originator(sender)
    _ = try parts(text, to: number, reference: 0)
  }

  /// What is due for a modem; each has to be answered by ``answered(_:taken:at:wall:)``.
  ///
  /// - Parameter isKnown: Whether a simulated modem has a number; a message to any other has left.
  public mutating func due(
    at now: BootInstant, wall: WallTime, isKnown: (String) -> Bool
  ) -> [Delivery] {
    var deliveries: [Delivery] = []
    while let first = transits.first, first.due <= now {
      transits.removeFirst()
      switch first.content {
      case .message(_, let reports) where !isKnown(first.message.to):
        events.append(.left(first.message))
        if reports { report(first, status: 0x00, at: now, wall: wall) }
      case .message(_, let reports) where first.expires <= now:
        events.append(.expired(first.message))
        if reports { report(first, status: 0x46, at: now, wall: wall) }
      case .report where first.expires <= now || !isKnown(first.recipient):
        continue
      case .message(let deliver, _):
        deliveries.append(
          Delivery(to: first.recipient, tpdu: .deliver(deliver), transit: first))
      case .report(let status):
        deliveries.append(
          Delivery(to: first.recipient, tpdu: .statusReport(status), transit: first))
      }
    }
    return deliveries
  }

  /// Takes back whether a modem took what was handed to it; if not, it is tried again later.
  public mutating func answered(
    _ delivery: Delivery, taken: Bool, at now: BootInstant, wall: WallTime
  ) {
    var transit = delivery.transit
    guard taken else {
      if !transit.isWaiting, case .message = transit.content {
        events.append(.waiting(transit.message))
      }
      transit.isWaiting = true
      let pause = max(behaviour.retryInterval, .milliseconds(1))
      transit.due = min(now + pause, max(now, transit.expires))
      insert(transit)
      return
    }
    guard case .message(_, let reports) = transit.content else { return }
    events.append(.delivered(transit.message))
    if reports { report(transit, status: 0x00, at: now, wall: wall) }
  }

  /// A modem can be reached again: what waits for it is due now (3GPP TS 23.040 3.2.8).
  public mutating func reachable(_ number: String, at now: BootInstant) {
    let waiting = transits.filter { $0.isWaiting && $0.recipient == number }
    guard !waiting.isEmpty else { return }
    transits.removeAll { $0.isWaiting && $0.recipient == number }
    for var transit in waiting {
      transit.due = now
      insert(transit)
    }
  }

  /// When something is due next; nil when nothing is on its way.
  public var deadline: BootInstant? { transits.first?.due }

  /// How many messages and reports are on their way.
  public var inTransit: Int { transits.count }

  /// What happened since this was asked last.
  public mutating func takeEvents() -> [NetworkEvent] {
    defer { events = [] }
    return events
  }

  private mutating func forward(
    _ message: NetworkMessage, _ content: Transit.Content, at now: BootInstant,
    expires: BootInstant
  ) {
    var due = now + random.duration(in: behaviour.delay)
    if random.happens(behaviour.reordering) { due = due + random.duration(in: behaviour.holdBack) }
    lastOrder += 1
    insert(
      Transit(message: message, content: content, due: due, expires: expires, order: lastOrder))
  }

  private mutating func report(
    _ transit: Transit, status: UInt8, at now: BootInstant, wall: WallTime
  ) {
    guard behaviour.reports, !random.happens(behaviour.reportLoss),
      let recipient = try? Address(transit.message.to)
    else { return }
    events.append(.reported(transit.message, status: status))
    let sent: ServiceCentreTime? =
      if case .message(let deliver, _) = transit.content { deliver.timestamp } else { nil }
    forward(
      transit.message,
      .report(
        SMSStatusReport(
          messageReference: transit.message.reference, recipient: recipient, timestamp: sent,
          discharge: stamp(wall), status: status)),
      at: now, expires: now + behaviour.keeps)
  }

  /// Keeps what is on its way in the order in which it is due.
  private mutating func insert(_ transit: Transit) {
    var low = 0
    var high = transits.count
    while low < high {
      let middle = (low + high) / 2
      let other = transits[middle]
      if (other.due, other.order) < (transit.due, transit.order) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    transits.insert(transit, at: low)
  }

  private func stamp(_ wall: WallTime) -> ServiceCentreTime? {
    ServiceCentreTime(epochSeconds: wall.epochSeconds, quarterHours: behaviour.quarterHours)
  }
}
