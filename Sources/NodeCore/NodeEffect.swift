public import Passages
public import Time

/// The intent to send a text: on disk before the modem is told anything.
public struct TextIntent: Hashable, Sendable {
  /// The number of the text, which no other text of this node has or had.
  public var id: TextID
  /// The queue row it is for; nil for an operator's text and a heartbeat.
  public var queueID: Int64?
  /// The modem that is to send it.
  public var modem: ModemID
  /// The number it goes to.
  public var to: String
  /// What it says: a V1 body, or an operator's words.
  public var body: String
  /// The name of that modem, under which its budget is kept.
  public var modemName: String
  /// Parts that it is sent in.
  public var parts: Int
  /// How long its delivery is worth something; nil for an operator's text.
  public var worthFor: Duration?
  /// Whether it tells that the post lives.
  public var isHeartbeat = false
  /// Whom the passage goes to.
  public var recipient = TextRecipient.centre
  /// Whether the number is known to have taken texts of this modem's card before.
  public var isToKnownNumber = false

  /// An intent to send a text.
  public init(
    id: TextID, queueID: Int64?, modem: ModemID, to: String, body: String,
    modemName: String = NodeModem().name, parts: Int = 1, worthFor: Duration? = nil
  ) {
    self.id = id
    self.queueID = queueID
    self.modem = modem
    self.to = to
    self.body = body
    self.modemName = modemName
    self.parts = parts
    self.worthFor = worthFor
  }

  /// The end of the number it goes to.
  public var recipientTail: String { phoneTail(to) }
}

/// The digits that two spellings of one number share: its last ones, whatever stands between them.
public func phoneTail(_ number: String) -> String {
  let digits = number.utf8.filter { (0x30...0x39).contains($0) }.suffix(Limits.phoneTail)
  return String(decoding: Array(digits), as: UTF8.self)
}

/// What the outcome of a text means for the passage it was for.
public enum TextConsequence: Hashable, Sendable {
  /// The passage is texted, for ever.
  case texted
  /// The text was not taken; the passage is due again at the moment given.
  case againAfterRefusal(at: BootInstant)
  /// The text may be on air; the passage is due again at the moment given.
  case againAfterUnknown(at: BootInstant)
  /// The text may be on air, and no further one is allowed.
  case leftUnknown
  /// No text for this passage will ever go; an operator sees it with its reason.
  case parked(reason: String)
}

/// A change of the store.
public enum NodeWrite: Hashable, Sendable {
  /// A text is about to be handed to the modem.
  case intent(TextIntent)
  /// A text ended; the consequence is for the passage it was for, if any.
  case outcome(TextID, TextOutcome, TextConsequence)
  /// A passage has grown too old for a text to this recipient; it stays in the queue for the server.
  case outdated(queueID: Int64, recipient: TextRecipient = .centre)
  /// A passage that was due may not be texted to this recipient before the moment given, or, without one,
  /// not at all unless an operator asks for it; those behind it may, and it may to others.
  case putOff(queueID: Int64, recipient: TextRecipient = .centre, until: BootInstant?)
  /// A passage is texted to this recipient no more, for the reason given in words; to others it is.
  case park(queueID: Int64, recipient: TextRecipient, reason: String)
  /// An operator's text waits for a modem; `modemName` is that of the one that is to send it, nil for any.
  case keepText(ManualText, modemName: String?)
  /// An operator's text that waited will not be begun.
  case endText(TextID, TextEnd)
}

/// Why an operator's text was not begun.
public enum TextEnd: Hashable, Sendable {
  /// An operator withdrew it.
  case withdrawn
  /// It was given up, for the reason given in words.
  case notSent(reason: String)
}

/// Something that happened and that an operator wants to read.
public enum NodeFact: Hashable, Sendable {
  /// The service started, with what the store knew.
  case started(StartFacts)
  /// Connectivity came or went.
  case connectivityChanged(ConnectivityState)
  /// A modem would send a text that is handed to it now.
  case modemReady(ModemID)
  /// A modem would not send; `reason` says why, in words.
  case modemNotReady(ModemID, reason: String)
  /// Nothing has left for so long, so that a heartbeat goes as this text.
  case heartbeatBegun(TextID, silence: Duration)
  /// A text was written down and goes to its modem.
  case textIntended(TextAbout)
  /// The network took a text; `references` are TP-MR, one for each part.
  case textAccepted(TextAbout, references: [UInt8])
  /// `next` is when the passage may go again, nil when it will not.
  case textRefused(TextAbout, Refusal, next: BootInstant?)
  /// A text did not go on air, so that sending it again cannot send it twice.
  /// `next` is as in ``textRefused(_:_:next:)``.
  case textNotSent(TextAbout, reason: String, next: BootInstant?)
  /// Nobody knows whether a text went on air.
  /// `next` is as in ``textRefused(_:_:next:)``.
  case textUnknown(TextAbout, reason: String, next: BootInstant?)
  /// A passage is set aside until an operator takes it up again.
  case passageParked(ClientID, reason: String)
  /// A passage is too old to be worth a text, and goes no other way than to the server.
  case passageOutdated(ClientID, age: Duration)
  /// A modem is given a pause; `needsOperator` when waiting alone will hardly help.
  case sendingHeld(ModemID, until: BootInstant, reason: String, needsOperator: Bool)
  /// A pause of a modem is over, after so long.
  case sendingResumed(ModemID, after: Duration)
  /// A number that passages are texted to is left alone; `index` is its place in the configuration.
  case gatewayRests(index: Int, number: String, until: BootInstant, reason: String)
  /// A number besides the centre's that gets each passage is left alone; all others go on.
  case recipientRests(TextRecipient, number: String, until: BootInstant, reason: String)
  /// A SIM refuses texts as one without credit does.
  case noCreditSuspected(ModemID, reason: String)
  /// What the budgets allow at most, told at the start and whenever they change.
  case budgetsSet(NodeRules)
  /// Four fifths of a modem's budget are used.
  case budgetNearlyUsed(ModemID, BudgetUse)
  /// A modem may send nothing more until its budget opens again.
  case budgetExhausted(ModemID, BudgetUse, until: BootInstant)
  /// The server has a passage, a photograph or a correction; not new when it had it before.
  case uploaded(UploadKind, ClientID, isNew: Bool)
  /// Something was not taken this time. `next` is when it is tried again, nil for when the line is there.
  case uploadMissed(UploadKind, ClientID, reason: String, attempt: Int, next: BootInstant?)
  /// Something is given up: for good, or until the line comes back or time has passed.
  case uploadFailed(UploadKind, ClientID, reason: String, isPermanent: Bool)
  /// The server has something else under the identity of a passage.
  case conflictFound(ClientID, ConflictResolution)
  /// A backlog begins to be uploaded.
  case syncStarted(waiting: Int)
  /// How far it has come.
  case syncProgress(done: Int, total: Int)
  /// Everything that was due is on the server.
  case syncFinished(count: Int, took: Duration)
  /// The server gave a session.
  case signedIn(byPassword: Bool, isNew: Bool)
  /// The server gave none.
  case signInFailed(reason: String, isRefresh: Bool, next: BootInstant?)
  /// The server does not take what is shown, and only a person can change that.
  case credentialRefused(reason: String)
  /// The server told of this place.
  case directoryLearned(PostDirectory)
  /// What the server told of this place keeps passages from going.
  case directoryFault(DirectoryFault)
  /// The store cannot write for now; texting waits until then.
  case storageFailed(reason: String, until: BootInstant)
  /// The store can write again, after it could not for so long.
  case storageWorks(after: Duration)
  /// An operator's text waits for a modem that can send it; `reason` says why none can now.
  case manualTextWaits(ManualText, reason: String)
  /// An operator withdrew a text before it was begun.
  case manualTextWithdrawn(ManualText)
  /// An operator's text was not begun.
  case manualTextRefused(ManualText, reason: String)
}

/// What a node wants done.
public enum NodeEffect: Hashable, Sendable {
  /// Ask the store for the oldest passage that is due, and hand the answer in as
  /// ``NodeEvent/chosen(_:)``.
  case chooseDue
  /// The same among passages that the server was handed and has not taken for so long, each by itself.
  case chooseUntaken(for: Duration)
  /// Ask the store what a heartbeat has to say, and hand the answer in as
  /// ``NodeEvent/heartbeatChosen(_:)``.
  case chooseHeartbeat
  /// Change the store; all changes of one event belong to one transaction.
  case write(NodeWrite)
  /// Hand the text to its modem, after the transaction is on disk.
  case send(TextIntent)
  /// Ask this of the server, after the transaction is on disk, showing the token if there is one, and hand
  /// the answer in as ``NodeEvent/answered(_:_:)``.
  case call(CallID, ServerCall, token: Token?)
  /// Ask the store for what is due to be uploaded, and hand the answer in as
  /// ``NodeEvent/uploadsChosen(_:_:)``.
  case chooseUploads(UploadQuery)
  /// Change where something stands on its way to the server.
  case upload(UploadChange)
  /// Keep what is known of the server and the line.
  case remember(NodeMemory)
  /// Ask the store up to when everything is on the server, and hand the answer in as
  /// ``NodeEvent/syncMarkFound(through:waiting:)``.
  case findSyncMark
  /// Keep these passages of the opposite post, look for their partners, and forget those that are gone once
  /// it is known which are.
  case pulled(RemotePage, PulledSet?)
  /// Tell the operator who asked for this text by which number it is known.
  case manualQueued(requestID: Int64, TextID)
  /// Tell the operator who asked for this text that it is kept, and goes after the next start.
  case manualKept(requestID: Int64)
  /// Tell the operator who asked for this text what became of it.
  case manualFinished(requestID: Int64, TextOutcome)
  /// Log what happened.
  case report(NodeFact)
}
