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
  /// moment given.
  case missed(UploadID, error: String, next: BootInstant?)
  /// It was not really tried, or what failed was not about it: in flight → pending, with the attempts that
  /// it had.
  case returned(UploadID, error: String?, next: BootInstant?)
  /// It is given up: in flight → failed. What the server will never take (`isPermanent`) is requeued by an
  /// operator only, and its passage is not texted unless `mayBeTexted`.
  case failed(UploadID, error: String, isPermanent: Bool, mayBeTexted: Bool)
  /// All that failed, but not for good, is pending again, without attempts.
  case requeuedFailed
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
