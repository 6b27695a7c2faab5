public import Time

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

/// A text, or a part of one, that counts against the budget of a modem.
public struct TextCharge: Hashable, Sendable {
  /// The modem that sent it.
  public var modem: ModemID
  /// When it was begun.
  public var at: BootInstant

  /// A charge.
  public init(modem: ModemID, at: BootInstant) {
    self.modem = modem
    self.at = at
  }
}

/// What the store knows when the service starts, after it has recovered from the last end.
public struct StartFacts: Hashable, Sendable {
  /// The first number that no text has carried.
  public var nextTextID: TextID
  /// The texts of the last 30 days that went on air or may have.
  public var charges: [TextCharge]
  /// Passages that were being sent when the service ended, now pending again.
  public var inFlight: Int
  /// Texts whose outcome was still to come when the service ended, now unknown.
  public var intents: Int

  /// The last passage that was recorded, by its place in the queue.
  public var lastQueueID: Int64 = 0

  /// What the node knew of its server and its line.
  public var memory = NodeMemory()

  /// Numbers that took a text of each modem lately: what these refuse now, they took before.
  public var reached: [ModemID: Set<String>] = [:]
  /// Operators' texts that were not begun before the last end, oldest first.
  public var keptTexts: [KeptText] = []

  /// The facts of a start.
  public init(nextTextID: TextID, charges: [TextCharge], inFlight: Int = 0, intents: Int = 0) {
    self.nextTextID = nextTextID
    self.charges = charges
    self.inFlight = inFlight
    self.intents = intents
  }
}

/// An operator's text that waited when the service ended, and goes after its start.
public struct KeptText: Hashable, Sendable {
  /// The text; nobody waits for its answer any more.
  public var text: ManualText
  /// When it was asked for.
  public var queued: BootInstant

  /// A text that was kept.
  public init(_ text: ManualText, queued: BootInstant) {
    self.text = text
    self.queued = queued
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
  /// Parts that it is sent in.
  public var parts: Int
  /// The modem that is to send it; nil for any.
  public var modem: ModemID?
  /// The number of the text, by which it is listed and withdrawn and which its events carry; 0 before it was
  /// taken.
  public var id: TextID = 0

  /// A text that an operator asks for.
  public init(
    requestID: Int64, to: String, body: String, parts: Int = 1, modem: ModemID? = nil
  ) {
    self.requestID = requestID
    self.to = to
    self.body = body
    self.parts = parts
    self.modem = modem
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
  /// The network link changed, or was read for the first time.
  case linkChanged(LinkState)
  /// A call of the server ended.
  case answered(CallID, ServerReply)
  /// The store's answer to ``NodeEffect/chooseUploads(_:)``.
  case uploadsChosen(UploadKind, UploadAnswer)
  /// The store's answer to ``NodeEffect/findSyncMark``: up to when everything is on the server, and how many
  /// passages are not.
  case syncMarkFound(SyncStanding)
  /// An operator asks to sync now, whatever is being waited for.
  case syncNow
  /// A modem became able or unable to send; `reason` says why it is unable.
  case modemChanged(ModemID, canSend: Bool, reason: String)
  /// A modem that was away is there again: what it met before says nothing any more.
  case modemReturned(ModemID)
  /// A modem restarted and is set up again: what nobody knew of a text because of it is over.
  case modemRestarted(ModemID)
  /// The store's answer to ``NodeEffect/chooseDue`` or ``NodeEffect/chooseUntaken(for:)``.
  case chosen(DueAnswer)
  /// The store's answer to ``NodeEffect/chooseHeartbeat``.
  case heartbeatChosen(HeartbeatFacts)
  /// The outcome of a text came in.
  case textFinished(TextID, TextOutcome)
  /// An operator asks for a text.
  case manualText(ManualText)
  /// An operator no longer wants the text that was asked for with this request.
  case manualWithdrawn(requestID: Int64)
  /// An operator no longer wants the text with this number; whether it still waited is answered to the
  /// request.
  case textWithdrawn(TextID, requestID: Int64)
  /// An operator asks to try again now, whatever is being waited for.
  case retryNow
  /// The service is about to end: nothing new is begun, what is with a modem is waited for.
  case stopping
  /// The store could not keep something for now.
  case storageFailed(reason: String)
  /// The store works again after it did not.
  case storageWorks
}
