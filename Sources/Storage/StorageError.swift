/// Why a store could not do what was asked: what can be done about it, and the driver's words.
///
/// Whoever decides what comes next looks at ``kind`` alone. A driver sorts the codes of its library into
/// the kinds once, and says in ``problem`` and ``remedy`` what people are to read.
public struct StorageError: Error, Hashable, Sendable {
  /// What can be done about a failure, whatever kind of store it is.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Somebody else held a lock for too long.
    case busy
    /// There is no space left, or none that may be used.
    case full
    /// The store takes no changes for now: a file system made read-only after errors of its disk.
    case readOnly
    /// The store that was opened is out of reach: its files were taken away, or its server is.
    case lost
    /// Another service owns the store.
    case inUse
    /// This user may not use the store, or not change it.
    case denied
    /// There is no store where the settings say.
    case missing
    /// What is stored is damaged.
    case damaged
    /// What is there belongs to something else.
    case notOurs
    /// Another version of this program wrote it.
    case otherVersion
    /// It would not keep what it confirms.
    case notDurable
    /// A rule of the store refused the change: a fault of this program, never of the store.
    case refused
    /// The device below failed, or something that has no kind of its own.
    case failed

    /// Whether the same call may succeed later with the same store as it is.
    public var isTransient: Bool {
      switch self {
      case .busy, .full, .readOnly, .lost: true
      case .inUse, .denied, .missing, .damaged, .notOurs, .otherVersion, .notDurable, .refused,
        .failed:
        false
      }
    }
  }

  /// What can be done about it.
  public var kind: Kind
  /// Which store it is, as the driver calls it: a file, a server.
  public var place: String
  /// What is wrong, in a sentence that names the store, without its full stop.
  public var problem: String
  /// What helps, likewise.
  public var remedy: String
  /// What the library below said, where it said something.
  public var detail: String?

  /// A failure with its kind and the words for people.
  public init(
    _ kind: Kind, of place: String, problem: String, remedy: String, detail: String? = nil
  ) {
    self.kind = kind
    self.place = place
    self.problem = problem
    self.remedy = remedy
    self.detail = detail
  }

  /// Whether the same call may succeed later with the same store as it is.
  public var isTransient: Bool { kind.isTransient }

  /// The error in one sentence, followed by the act that helps.
  public var message: String { "\(problem). \(remedy)." }
}

extension StorageError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }
}
