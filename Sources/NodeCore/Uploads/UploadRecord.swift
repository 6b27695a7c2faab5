public import Time

/// Something that goes to the server for a passage, and where it stands.
public struct UploadRecord: Hashable, Sendable {
  /// Its number.
  public var id: UploadID
  /// What it is.
  public var kind: UploadKind
  /// Where it stands.
  public var status: QueueStatus
  /// Attempts since it was recorded or last requeued.
  public var attempts = 0
  /// How often it went from failed back to pending.
  public var requeues = 0
  /// When its turn comes, by the node's clock; nil while it waits for something else, and at its end.
  public var next: BootInstant?
  /// When the server was first handed it and did not take it, by the node's clock; nil when it never was.
  public var missedSince: BootInstant?
  /// Why it is given up for good; nil where it is not.
  public var refusal: UploadRefusal?
  /// Why the last attempt failed, in words; nil when none has.
  public var lastError: String?
  /// Whether the server will never take it as it is.
  public var isPermanent = false
  /// When it was last tried, by the wall clock.
  public var lastAttemptAt: WallTime?
  /// When the server was first known to have it, by the wall clock.
  public var syncedAt: WallTime?
  /// The server's name of it.
  public var serverID: String?
  /// The photograph, for ``UploadKind/photo``.
  public var photo: StoredPhoto?
  /// The correction, for ``UploadKind/correction``.
  public var correction: PlateCorrection?
  /// Of a change that withdraws the passage: why.
  public var withdrawal: String?

  /// Something that has not been tried.
  public init(id: UploadID, kind: UploadKind, status: QueueStatus = .pending) {
    self.id = id
    self.kind = kind
    self.status = status
  }
}
