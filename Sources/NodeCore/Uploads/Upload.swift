public import Passages
public import Time

/// The number of something that is to be uploaded, which nothing else of this node has or had.
public typealias UploadID = Int64

/// What is brought to the server for a passage. Each has a row, a state and attempts of its own.
public enum UploadKind: String, CaseIterable, Hashable, Sendable {
  /// The passage itself.
  case passage
  /// Its photograph; only after the passage is there.
  case photo
  /// A plate that was recorded wrongly; only after the passage is there.
  case correction
}

/// Something that is due to be uploaded, with all that it takes to do it.
public struct DueUpload: Hashable, Sendable {
  /// Its number.
  public var id: UploadID
  /// The place of its passage in the queue; lower is older.
  public var queueID: Int64
  /// What it is.
  public var kind: UploadKind
  /// Its passage, as it was recorded.
  public var passage: Passage
  /// Attempts since it was recorded or last requeued.
  public var attempts: Int
  /// How often it went from failed back to pending.
  public var requeues: Int
  /// The server's name of its passage; nil while the server does not have that.
  public var serverID: String?
  /// The photograph, for ``UploadKind/photo``.
  public var photo: StoredPhoto?
  /// Whether the server has the photograph's bytes already: nothing is left but to name it.
  public var isStored = false
  /// The correction, for ``UploadKind/correction``.
  public var correction: PlateCorrection?
  /// Whether it was given up before: it goes alone, and behind those that were not.
  public var isBehind = false
  /// Why it was given up for good before, where it is tried again all the same.
  public var refusal: UploadRefusal?
  /// How many seconds the clock of its time may have been wrong; nil where somebody vouches for it, or where the
  /// time was handed in.
  public var clockDoubt: Int64?
  /// Of a change that withdraws the passage: why.
  public var withdrawal: String?

  /// Something that is due.
  public init(
    id: UploadID, queueID: Int64, kind: UploadKind, passage: Passage, attempts: Int = 0,
    requeues: Int = 0, serverID: String? = nil, photo: StoredPhoto? = nil,
    correction: PlateCorrection? = nil
  ) {
    self.id = id
    self.queueID = queueID
    self.kind = kind
    self.passage = passage
    self.attempts = attempts
    self.requeues = requeues
    self.serverID = serverID
    self.photo = photo
    self.correction = correction
  }
}

/// A photograph that the node keeps until the server has it.
public struct StoredPhoto: Hashable, Sendable {
  /// Where it lies, below the directory of photographs.
  public var path: String
  /// How many bytes it has.
  public var count: Int
  /// Its media type: `image/jpeg` or `image/png`.
  public var contentType: String

  /// A photograph.
  public init(path: String, count: Int, contentType: String) {
    self.path = path
    self.count = count
    self.contentType = contentType
  }

  /// The end of its name on the server: `jpg` or `png`.
  public var suffix: String { contentType == "image/png" ? "png" : "jpg" }
}

/// What is asked of the store: what is due to be uploaded.
public struct UploadQuery: Hashable, Sendable {
  /// What kind.
  public var kind: UploadKind
  /// How many at most.
  public var limit: Int

  /// A question.
  public init(_ kind: UploadKind, limit: Int) {
    self.kind = kind
    self.limit = limit
  }
}

/// The store's answer to what is due to be uploaded.
public struct UploadAnswer: Hashable, Sendable {
  /// Those that are due, the most urgent first, and of these the oldest by their place in the queue.
  public var uploads: [DueUpload]
  /// When none is due, the moment at which the first one of that kind will be; nil when none ever will.
  public var nextDue: BootInstant?
  /// Passages that are pending: the backlog.
  public var backlog: Int
  /// When the first of what was given up, of whatever kind, is to be tried again; nil when nothing is.
  public var nextAgain: BootInstant?

  /// An answer.
  public init(uploads: [DueUpload], nextDue: BootInstant?, backlog: Int) {
    self.uploads = uploads
    self.nextDue = nextDue
    self.backlog = backlog
  }
}

/// A change of where something stands on its way to the server.
public enum UploadChange: Hashable, Sendable {
  /// They are being sent: pending → in flight.
  case claimed([UploadID])
  /// The server has it: in flight → synced. A passage is no longer due for a text then, and what waits
  /// for it (photograph, correction) is due.
  case synced(UploadID, serverID: String?)
  /// The server keeps the bytes of a photograph, which stays in flight until it is named there. From then
  /// on they are not sent again, whatever becomes of the name.
  case stored(UploadID)
  /// It was not taken this time: in flight → pending, with one attempt more; due again at once, or at the
  /// moment given. Not its own (`isOwn`) is what the line did to it.
  case missed(UploadID, error: String, next: BootInstant?, isOwn: Bool = true)
  /// It was not really tried, or what failed was not about it: in flight → pending, with the attempts that
  /// it had.
  case returned(UploadID, error: String?, next: BootInstant?)
  /// It is given up: in flight → failed, with one attempt more. What the server will not take
  /// (`isPermanent`, for which `refusal` tells the reason) is stuck until an operator asks for it, and its
  /// passage is not texted unless `mayBeTexted`. Of what has a next moment (`again`) see
  /// ``requeuedDue(refusedAgain:)``.
  case failed(
    UploadID, error: String, isPermanent: Bool, mayBeTexted: Bool, refusal: UploadRefusal? = nil,
    again: BootInstant? = nil)
  /// What failed for now and whose moment has come is pending again, behind all others and without attempts;
  /// of what was refused by policy and whose moment has come one alone, the oldest, and the moment of the
  /// others is `refusedAgain`.
  case requeuedDue(refusedAgain: BootInstant)
  /// The same of all that failed for now, whatever its moment.
  case requeuedFailed
  /// The oldest passage that was given up for one of these reasons is pending again, behind all others:
  /// whether the server takes it tells whether it takes any.
  case requeuedOne([UploadRefusal])
  /// All that was refused for this reason is pending again.
  case requeuedRefused(UploadRefusal)
  /// Somebody asks for everything: all that was given up, whatever the reason, is pending again without
  /// attempts, and what waits for a later moment is due.
  case requeuedAll
  /// A text is due again for a passage that was refused for good, since the server refuses all.
  case textedAfterAll(UploadID)
  /// The server has something else under the same identity; both are kept.
  case conflict(UploadID, StoredOnServer, ConflictResolution)
}

/// What became of two different contents under one identity.
public enum ConflictResolution: String, CaseIterable, Hashable, Sendable {
  /// What the server has counts.
  case serverWins = "server_wins"
  /// What was recorded here counts, and the server is told.
  case clientWins = "client_wins"
  /// The one that was recorded or corrected later counts.
  case lastWriteWins = "last_write_wins"
  /// What one of them lacks is filled in from the other; what contradicts stays as on the server.
  case merge
  /// A person decides.
  case manual
}

/// Why the server will not take something, as far as it takes to decide what helps.
public enum UploadRefusal: String, CaseIterable, Hashable, Sendable {
  /// What it says: a value, its size, another row in its way. Only a person can change that.
  case value
  /// The server's rules for this user (403, 42501). They may be mended there, so that one of those that were
  /// refused is tried again daily and after each sign-in.
  case policy
  /// It was tried as often as the settings say, with `sync.retry` set to `core`.
  case attempts
}
