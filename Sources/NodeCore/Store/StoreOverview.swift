public import Time

/// The store in numbers.
public struct StoreOverview: Hashable, Sendable {
  /// Passages that wait for their turn to be uploaded.
  public var pending: Int
  /// Passages that are being uploaded: one at most.
  public var inFlight: Int
  /// Passages that the server has.
  public var synced: Int
  /// Passages whose upload was given up.
  public var failed: Int
  /// Passages that are or will be due for a text.
  public var waitingForText: Int
  /// When the first of them is due, by the node's clock.
  public var firstTextDue: BootInstant?
  /// Texts that are with a modem, of operators as well.
  public var textsSending: Int
  /// When the oldest of them was begun.
  public var sendingSince: WallTime?
  /// Passages that have a text with a modem.
  public var passagesSending = 0
  /// Passages with an accepted text of which no report says that it was not delivered, and that the
  /// server neither has nor is being told, and that nobody handed on.
  public var textedLive = 0
  /// Those of them of which the network may still report what became of their text.
  public var reportsToCome = 0
  /// Passages that somebody marked as handed on, and that the server does not have.
  public var handedOn = 0
  /// What became of a store that was damaged, for as long as that one is kept beside it.
  public var salvage: StoreSalvage?
  /// Passages that are set aside and that no text and nobody else has taken care of.
  public var parkedLive = 0
  /// Passages that a person decided something of or the server refused something of, by what decides how
  /// they stand; the counts beside this do not look at that.
  public var decided: [PassageFacts: Int] = [:]
  /// What the server will not take unless a person sees to it, or a rule of the server is mended, by what it
  /// is; kinds of which nothing is refused are left out. Passages with an open conflict are not among them, nor
  /// is what somebody handed on.
  public var refused: [UploadKind: RefusedUploads] = [:]
  /// Passages that were withdrawn before anything of them left: nothing of them waits.
  public var passagesWithdrawn = 0
  /// Photographs that the server does not have, refused ones among them.
  public var photosOpen = 0
  /// Corrections that the server does not have, refused ones among them.
  public var correctionsOpen = 0
  /// How long the oldest of each kind has waited that the server does not have, did not refuse for good, and
  /// that waits for nothing else: a photograph waits for its passage first.
  public var oldestOpenAge: [UploadKind: Duration] = [:]
  /// Why the server did not take something that it still does not have, as it was met last.
  public var lastUploadError: UploadTrouble?
  /// Conflicts with the server that a person has to decide.
  public var conflictsOpen = 0
  /// When the first of them was found.
  public var conflictsSince: WallTime?
  /// Passages that are on hold since a text of them was refused for good, and not since somebody said so.
  public var refusedTexts = 0
  /// How long the passage that has waited for a text the longest has done so.
  public var oldestWaitingAge: Duration?
  /// Passages with an accepted text.
  public var texted: Int
  /// Passages of which every text was, as the network reported, not delivered, and that nobody set
  /// aside: nothing more is sent for them until somebody asks.
  public var undelivered: Int
  /// When the last text of the one among them that has waited the longest went, by the node's clock.
  public var undeliveredSince: BootInstant?
  /// Passages of which nobody knows whether their text left, and that are neither sent again nor set
  /// aside: nothing more is sent for them until a report tells, or somebody asks.
  public var unknownTexts: Int
  /// When the last text of the one among them that has waited the longest went, by the node's clock.
  public var unknownSince: BootInstant?
  /// Passages that are on hold.
  public var parked: Int
  /// Passages of which nobody knows when they were, since the clock had not been set; they are not
  /// texted.
  public var undated: Int
  /// When the first of them was recorded, by the node's clock.
  public var undatedSince: BootInstant?
  /// Passages of the last day that were recorded without the photograph that was taken of them.
  public var photosLeftOut = 0
  /// When the first of them was recorded, by the node's clock.
  public var photosLeftOutSince: BootInstant?
  /// Why the last of them has none.
  public var photoLeftOutReason: String?
  /// How long the oldest passage that is pending has been so.
  public var oldestPendingAge: Duration?
  /// When the oldest passage that is pending was recorded.
  public var oldestPendingAt: WallTime?
  /// When the last text was accepted.
  public var lastTextAt: WallTime?
  /// Messages of the last 24 hours of the node's clock that went on air or may have. The budget
  /// counts refused ones too.
  public var textsLastDay: Int
  /// The size of the database.
  public var databaseBytes: Int64
  /// Bytes of the database that hold nothing and are used again.
  public var unusedBytes: Int64 = 0
  /// What is free on its file system.
  public var freeBytes: Int64?
  /// Whether its file system takes nothing at all.
  public var isReadOnly: Bool

  /// The store in numbers.
  public init(
    pending: Int, inFlight: Int, synced: Int, failed: Int, waitingForText: Int, texted: Int,
    undelivered: Int, undeliveredSince: BootInstant? = nil, unknownTexts: Int,
    unknownSince: BootInstant? = nil, parked: Int, undated: Int, undatedSince: BootInstant? = nil,
    oldestPendingAge: Duration? = nil, oldestPendingAt: WallTime? = nil,
    lastTextAt: WallTime? = nil, textsLastDay: Int, databaseBytes: Int64, freeBytes: Int64? = nil,
    isReadOnly: Bool, firstTextDue: BootInstant? = nil, textsSending: Int = 0,
    sendingSince: WallTime? = nil
  ) {
    self.firstTextDue = firstTextDue
    self.textsSending = textsSending
    self.sendingSince = sendingSince
    self.pending = pending
    self.inFlight = inFlight
    self.synced = synced
    self.failed = failed
    self.waitingForText = waitingForText
    self.texted = texted
    self.undelivered = undelivered
    self.undeliveredSince = undeliveredSince
    self.unknownTexts = unknownTexts
    self.unknownSince = unknownSince
    self.parked = parked
    self.undated = undated
    self.undatedSince = undatedSince
    self.oldestPendingAge = oldestPendingAge
    self.oldestPendingAt = oldestPendingAt
    self.lastTextAt = lastTextAt
    self.textsLastDay = textsLastDay
    self.databaseBytes = databaseBytes
    self.freeBytes = freeBytes
    self.isReadOnly = isReadOnly
  }
}

/// What the server will never take as it is, of one kind.
public struct RefusedUploads: Hashable, Sendable {
  /// How many.
  public var count: Int
  /// Since when the one that has waited for the longest has not been taken, by the node's clock; nil where an
  /// older version gave it up.
  public var since: BootInstant?
  /// Why the one that was tried last was refused, in the server's words.
  public var error: String

  /// So many, and why.
  public init(count: Int, since: BootInstant? = nil, error: String) {
    self.count = count
    self.since = since
    self.error = error
  }
}

/// Why the server did not take something.
public struct UploadTrouble: Hashable, Sendable {
  /// Why, in words.
  public var words: String
  /// When it was tried.
  public var at: WallTime

  /// What happened at a moment.
  public init(_ words: String, at: WallTime) {
    self.words = words
    self.at = at
  }
}

extension StoreOverview {
  /// Passages that the server does not have and is to get: none that somebody handed on or withdrew here.
  public var passagesOpen: Int {
    max(0, pending + inFlight + failed - handedOn - passagesWithdrawn)
  }

  /// All that the server does not have and is to get, refused or not.
  public var uploadsOpen: Int { passagesOpen + photosOpen + correctionsOpen }

  /// What the server refused for good.
  public var uploadsRefused: Int { refused.values.reduce(0) { $0 + $1.count } }
}
