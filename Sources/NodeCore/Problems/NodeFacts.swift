public import Storage
public import Time

/// What is known of a node when somebody asks whether all is well.
public struct NodeFacts: Sendable {
  /// Why the store takes nothing just now.
  public struct StoreFailure: Sendable {
    /// What it failed with.
    public var error: StorageError
    /// Where all that it held was saved when its file was not there any more.
    public var savedCopy: String?
    /// Since when, by the node's clock.
    public var since: BootInstant

    /// A failure that lasts.
    public init(_ error: StorageError, savedCopy: String? = nil, since: BootInstant) {
      self.error = error
      self.savedCopy = savedCopy
      self.since = since
    }
  }

  /// The store in numbers, as far as it can be read.
  public var overview: StoreOverview?
  /// Why it cannot be read.
  public var unreadable: StorageError?
  /// Why nothing can be written.
  public var failure: StoreFailure?
  /// What the node decides by; nil while it does not run.
  public var node: NodeSnapshot?
  /// What the configuration says of when a passage is done; nil where nobody asked it.
  public var states: PassageStates?
  /// Events that wait for the store to keep them.
  public var unstored = 0
  /// Bytes that photographs take.
  public var photoBytes: Int64 = 0
  /// Bytes that the store and the photographs may take together; nil for as much as there is.
  public var capacityBytes: Int64?
  /// Whether space is held back for a disk that is full; nil where none is to be.
  public var hasBallast: Bool?
  /// Space that must stay free where the store lies.
  public var reserveBytes: Int64

  /// What is known of a node that does not run.
  public init(overview: StoreOverview? = nil, reserveBytes: Int64) {
    self.overview = overview
    self.reserveBytes = reserveBytes
  }
}
