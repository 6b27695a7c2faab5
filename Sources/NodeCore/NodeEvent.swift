public import Timing

/// One of the node's modems, by its place in the configuration.
public struct ModemID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Zero for the first modem.
  public var index: Int

  /// The modem at `index`.
  public init(_ index: Int) {
    self.index = index
  }

  /// The order of the configuration.
  public static func < (left: ModemID, right: ModemID) -> Bool {
    left.index < right.index
  }

  /// The modem for people, who count from 1.
  public var description: String { "modem \(index + 1)" }
}

/// What the store knows when the service starts, after it has recovered from the last end.
public struct StartFacts: Hashable, Sendable {
  /// The first number that no text has carried.
  public var nextTextID: TextID
  /// When the texts of the last 24 hours were begun that went on air or may have.
  public var charges: [BootInstant]
  /// Passages that were being sent when the service ended, now pending again.
  public var inFlight: Int
  /// Texts whose outcome was still to come when the service ended, now unknown.
  public var intents: Int

  /// The facts of a start.
  public init(nextTextID: TextID, charges: [BootInstant], inFlight: Int = 0, intents: Int = 0) {
    self.nextTextID = nextTextID
    self.charges = charges
    self.inFlight = inFlight
    self.intents = intents
  }
}

/// A text that an operator asks for, beside the passages.
public struct ManualText: Hashable, Sendable {
  /// What the answer is to be sent under.
  public var requestID: Int64
  /// The number it goes to.
  public var to: String
  /// What it says.
  public var body: String

  /// A text that an operator asks for.
  public init(requestID: Int64, to: String, body: String) {
    self.requestID = requestID
    self.to = to
    self.body = body
  }
}

/// What happens to a node.
public enum NodeEvent: Hashable, Sendable {
  /// The service starts.
  case started(StartFacts)
  /// The moment of ``NodeCore/nextDeadline`` has come.
  case timePassed
  /// Somebody else changed the queue: a passage was recorded, retried or parked.
  case woke
  /// The configuration was read again.
  case rulesChanged(NodeRules)
  /// The network link was read.
  case linkChanged(isUp: Bool)
  /// A probe of the server ended.
  case probeFinished(id: UInt64, ProbeResult)
  /// A modem became able or unable to send; `reason` says why it is unable.
  case modemChanged(ModemID, canSend: Bool, reason: String)
  /// The store's answer to ``NodeEffect/chooseDue``.
  case chosen(DueAnswer)
  /// The outcome of a text came in.
  case textFinished(TextID, TextOutcome)
  /// An operator asks for a text.
  case manualText(ManualText)
  /// An operator asks to try again now, whatever is being waited for.
  case retryNow
  /// The service is about to end: nothing new is begun, what is with a modem is waited for.
  case stopping
  /// The store could not keep something for now.
  case storageFailed(reason: String)
}
