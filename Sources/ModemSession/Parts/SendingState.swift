import AT
import Events
import GSM
import ModemMakers
import Time

/// Texts on their way out: those that wait, and the one that is going out part by part.
struct SendingState: Sendable {
  /// A text that is going out.
  private struct Open: Sendable {
    var text: OutgoingText
    var parts: [EncodedPDU]
    var references: [UInt8] = []
    /// When the PDU of the latest part was handed to the modem.
    var leftAt: BootInstant?
  }

  /// Messages of which each follows the one before while the network's link is still there.
  private struct Burst: Hashable, Sendable {
    /// A message until then belongs to it.
    var lasts = BootInstant.zero
    /// Whether the modem was told to keep the link; it forgets that with the link.
    var keepsLink = false
  }

  /// How the next text begins.
  enum Beginning: Hashable, Sendable {
    /// It cannot be one.
    case refused
    /// The modem is told to keep the link first (`AT+CMMS=1`).
    case keepLink
    /// Its first part.
    case part
  }

  /// What the answer to a part says of the modem.
  enum Finding: Hashable, Sendable {
    /// The network took it.
    case accepted
    /// Modem or network refused it.
    case refused(ModemError)
    /// The text goes once more, without what the network does not take.
    case again
    /// The modem gave no reference, or did not ask for the message: it may not be in PDU mode any more.
    case lostMode
    /// It did not answer, and may wait for the message that it asked for too late.
    case silent
  }

  private let configuration: ModemConfiguration
  private var waiting: [OutgoingText] = []
  private var open: Open?
  private var burst = Burst()
  private var concatenationReference: UInt16
  /// Nothing is sent before this.
  private(set) var notBefore = BootInstant.zero

  init(_ configuration: ModemConfiguration, seed: UInt16) {
    self.configuration = configuration
    concatenationReference = seed
  }

  /// Whether a text is on its way to the modem.
  var isOpen: Bool { open != nil }

  /// The text that is on its way.
  var openText: OutgoingText? { open?.text }

  /// Whether texts wait.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Whether no more texts may wait.
  var isFull: Bool { waiting.count >= Limits.waitingTexts }

  /// The modem was set up: it keeps no link.
  mutating func isSetUp() { burst = Burst() }

  // MARK: Beginning

  /// Takes a text; the event that answers it when it is refused.
  ///
  /// - Parameter obstacle: Why none can be sent now.
  mutating func accept(_ text: OutgoingText, obstacle: String?) -> ModemEvent? {
    if let reason = obstacle ?? (isFull ? "too many texts wait for the modem" : nil) {
      return .sendOutcome(id: text.id, .notSent(reason: reason))
    }
    waiting.append(text)
    return nil
  }

  /// Whether a text may begin now.
  func isReady(at now: BootInstant) -> Bool { !waiting.isEmpty && notBefore <= now }

  /// Begins the first text that waits; with what is told where it cannot be one.
  mutating func begin(
    keepsLink: Bool, at now: BootInstant
  ) -> (beginning: Beginning, events: [ModemEvent]) {
    let text = waiting.removeFirst()
    let parts: [EncodedPDU]
    do {
      parts = try compose(text)
    } catch {
      return (.refused, error.events(of: text))
    }
    open = Open(text: text, parts: parts)
    if now > burst.lasts { burst = Burst() }
    guard keepsLink, !burst.keepsLink, parts.count > 1 || burst.lasts > .zero else {
      return (.part, [])
    }
    burst.keepsLink = true
    return (.keepLink, [])
  }

  /// Why a text cannot become messages.
  private enum Unfit: Error {
    case destination(String)
    case body(String)

    /// The log and the outcome, with the code that a network or a modem has for it.
    func events(of text: OutgoingText) -> [ModemEvent] {
      let (words, code) =
        switch self {
        // Unassigned number.
        case .destination(let reason): ("the recipient is no phone number: \(reason)", 1)
        // Invalid PDU mode parameter.
        case .body(let reason): ("the text cannot be sent: \(reason)", 304)
        }
      return [
        .entry(
          "text_refused", .error, words,
          [
            EventField("text_id", .integer(text.id)), EventField("to", .phone(text.to)),
            EventField("code", .text("CMS \(code)")), EventField("reason", .text(words)),
          ]),
        .sendOutcome(id: text.id, .refused(ModemError(.cms, code: code))),
      ]
    }
  }

  /// The messages of a text.
  private mutating func compose(_ text: OutgoingText) throws(Unfit) -> [EncodedPDU] {
    concatenationReference &+= 1
    var options = SubmitOptions()
    options.requestsStatusReport = text.requestStatusReport && configuration.statusReports
    options.validity = text.validity.map { ValidityPeriod(lasting: $0) }
    options.concatenationReference = concatenationReference & 0xFF
    options.maximumParts = configuration.messageParts
    let destination: Address
    do {
      destination = try Address(text.to)
    } catch {
      throw .destination("\(error.code)")
    }
    do {
      return try MessageComposer.submit(text: text.body, to: destination, options: options)
    } catch {
      throw .body("\(error.code)")
    }
  }

  /// What hands the next part to the modem: `AT+CMGS` in PDU mode (3GPP TS 27.005 4.3).
  var partCommand: ATCommand? {
    guard let open else { return nil }
    let part = open.parts[open.references.count]
    return ATCommand(
      "AT+CMGS=\(part.length)", timeout: configuration.timeouts.prompt, payload: part.hex,
      payloadTimeout: configuration.timeouts.submit)
  }

  /// The PDU was handed to the modem.
  mutating func left(at now: BootInstant) { open?.leftAt = now }

  // MARK: Ending

  /// A part was answered; nil when none was open.
  ///
  /// - Parameters:
  ///   - error: What the answer says where it failed.
  ///   - pause: Time that the modem needs to the next message.
  mutating func answered(
    _ answer: ATAnswer, _ error: ModemError?, pause: Duration, at now: BootInstant
  ) -> (finding: Finding, events: [ModemEvent])? {
    guard var text = open else { return nil }
    if let number = SendingState.reference(in: answer) {
      let (reference, reduced) = SendingState.reduced(number)
      text.references.append(reference)
      notBefore = now + pause
      burst.lasts = notBefore + Limits.linkKept
      let isDone = text.references.count == text.parts.count
      open = isDone ? nil : text
      let done = ModemEvent.sendOutcome(
        id: text.text.id, .accepted(references: text.references))
      return (.accepted, reduced + (isDone ? [done] : []))
    }
    open = nil
    switch answer.ending {
    case .failed:
      let error = error ?? ModemError(.cms, code: 500)
      if let events = sendsWithoutValidity(text, after: error) { return (.again, events) }
      let outcome = outcome(of: error, text, payloadLeft: answer.payloadLeft, at: now)
      return (.refused(error), [ended(text, outcome)])
    case .ok where answer.payloadLeft:
      return (
        .lostMode,
        [ended(text, .unknown(reason: "the modem said OK and gave no message reference (+CMGS)"))]
      )
    case .ok:
      return (.lostMode, [ended(text, .notSent(reason: "the modem did not ask for the message"))])
    case .timedOut where answer.payloadLeft:
      return (
        .silent, [ended(text, .unknown(reason: "the modem did not say what became of the text"))]
      )
    case .timedOut:
      return (
        .silent,
        [ended(text, .notSent(reason: "the modem did not ask for the message in time"))]
      )
    }
  }

  /// What an error means for the part that was being sent.
  private func outcome(
    of error: ModemError, _ text: Open, payloadLeft: Bool, at now: BootInstant
  ) -> SendOutcome {
    guard payloadLeft, let leftAt = text.leftAt else {
      // What an error of the network's could mean is no question before the text was there.
      return error.isOutcomeUnknown ? .notSent(reason: error.description) : .refused(error)
    }
    guard error.leavesDoubt(after: now - leftAt) else { return .refused(error) }
    return .unknown(reason: "\(error), and the network may have taken it all the same")
  }

  /// Sends a text once more without a validity period, should the network take none (TP-VPF or TP-VP
  /// not supported, 3GPP TS 23.040 9.2.3.22); nil when that is not the matter.
  private mutating func sendsWithoutValidity(
    _ text: Open, after error: ModemError
  ) -> [ModemEvent]? {
    guard error.kind == .cms, error.code == 198 || error.code == 199, text.references.isEmpty,
      text.text.validity != nil
    else { return nil }
    let told = ModemEvent.entry(
      "modem_validity_refused", .notice,
      "the network takes no validity period (\(error)); the text is sent without one",
      [
        EventField("error", .text(error.description)),
        EventField("text_id", .integer(text.text.id)),
      ])
    var again = text.text
    again.validity = nil
    do {
      open = Open(text: again, parts: try compose(again))
      return [told]
    } catch {
      return [told] + error.events(of: again)
    }
  }

  /// A text with what became of its part. Once an earlier part has left, nothing that befalls a later one
  /// makes the text one that did not go out.
  private func ended(_ text: Open, _ outcome: SendOutcome) -> ModemEvent {
    guard !text.references.isEmpty else { return .sendOutcome(id: text.text.id, outcome) }
    let words =
      switch outcome {
      case .refused(let error): error.description
      case .notSent(let reason), .unknown(let reason): reason
      case .accepted: "accepted"
      }
    let went = "\(text.references.count) of \(text.parts.count) parts went out, then: "
    return .sendOutcome(id: text.text.id, .unknown(reason: went + words))
  }

  /// The message reference of `+CMGS: <mr>`. The network has taken the message once it is there,
  /// whatever comes or fails to come after it.
  private static func reference(in answer: ATAnswer) -> Int? {
    guard answer.payloadLeft else { return nil }
    return answer.value.flatMap { Parameters($0).integer(0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// A reference is an octet on the air (3GPP TS 23.040 9.2.3.6), and so in the report on the message;
  /// some modems count on.
  private static func reduced(_ number: Int) -> (reference: UInt8, events: [ModemEvent]) {
    let told = ModemEvent.entry(
      "modem_reference_reduced", .notice,
      "the modem gave the message reference \(number); reports will have \(number % 256)",
      [EventField("reference", .integer(Int64(number)))])
    return (UInt8(truncatingIfNeeded: number), number > 255 ? [told] : [])
  }

  /// The text that is going out will not be finished.
  ///
  /// - Parameter lines: What came of the answer to its part.
  mutating func interrupt(_ reason: String, payloadLeft: Bool, lines: [String]) -> [ModemEvent] {
    guard let text = open else { return [] }
    open = nil
    let prefix = "+CMGS:"
    guard payloadLeft, text.references.count + 1 == text.parts.count,
      let line = lines.first(where: { $0.hasPrefix(prefix) }),
      let number = Parameters(line.dropFirst(prefix.count)).integer(0), number >= 0
    else { return [ended(text, payloadLeft ? .unknown(reason: reason) : .notSent(reason: reason))] }
    let (reference, events) = SendingState.reduced(number)
    return events + [
      .sendOutcome(id: text.text.id, .accepted(references: text.references + [reference]))
    ]
  }

  /// Refuses all that wait.
  mutating func refuseAll(_ reason: String) -> [ModemEvent] {
    defer { waiting = [] }
    return waiting.map { .sendOutcome(id: $0.id, .notSent(reason: reason)) }
  }
}
