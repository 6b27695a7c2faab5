// What the service's group sees of the queue and changes in it, without a right to the database.

/// An operation on the passages of the node's queue.
///
/// Passages are named by their number in the queue, their identity, or the beginning of that.
public protocol QueueOperation: ControlOperation {
  /// The node's database that is meant, by `RecordMessage.name(ofFileAt:)` or `RecordMessage.identity`; nil for
  /// that of the service.
  var database: String? { get set }
}

/// A change of passages. All names are looked up before the first is changed; one that is named twice is
/// changed once. What cannot be done to one of them is told of that one.
public protocol QueueChangeOperation: QueueOperation where Answer == Operations.QueueChanges {
  /// The passages.
  var passages: [String] { get set }
}

extension Operations {
  /// Passages of one request at most.
  public static let queueLimit = 200

  /// What came of a change.
  public struct QueueChanges: Codable, Hashable, Sendable {
    /// What came of each passage, in the order in which they were named.
    public var changes: [PassageChangeReport]

    /// What came of a change.
    public init(changes: [PassageChangeReport]) {
      self.changes = changes
    }
  }

  /// Which passages are there? The newest that are meant, the newest last.
  public struct QueueList: QueueOperation {
    /// Some of them.
    public struct Answer: Codable, Hashable, Sendable {
      /// The passages.
      public var passages: [PassageReport]
      /// Whether older ones may be meant too: ask for those before the first of these.
      public var hasMore: Bool

      private enum CodingKeys: String, CodingKey {
        case hasMore = "has_more"
        case passages
      }

      /// Some passages.
      public init(passages: [PassageReport], hasMore: Bool) {
        self.passages = passages
        self.hasMore = hasMore
      }
    }

    /// Its name in a request.
    public static let name = "queue_list"
    /// What is wrong with a request that cannot be read.
    public static let isMissing = "status and plate are names, limit and before numbers"
    /// Only those that stand so, by the names of `queue list --status`.
    public var status: String?
    /// Only those of one plate.
    public var plate: String?
    /// So many at most; ``Operations/queueLimit`` where nothing is said, and in any case.
    public var limit: Int?
    /// Only those with a lower number in the queue.
    public var before: Int64?
    /// The database that is meant.
    public var database: String?

    /// The newest passages.
    public init(
      status: String? = nil, plate: String? = nil, limit: Int? = nil, before: Int64? = nil
    ) {
      self.status = status
      self.plate = plate
      self.limit = limit
      self.before = before
    }
  }

  /// How does one passage stand, with everything that goes out for it?
  public struct QueueShow: QueueOperation {
    /// The passage.
    public typealias Answer = PassageReport

    /// Its name in a request.
    public static let name = "queue_show"
    /// What is wrong when there is none.
    public static let isMissing = "a passage is missing"
    /// The passage.
    public var passage: String
    /// The database that is meant.
    public var database: String?

    /// One passage.
    public init(_ passage: String) {
      self.passage = passage
    }
  }

  /// Set the plate or the kind of vehicle right.
  public struct QueueCorrect: QueueChangeOperation {
    /// Its name in a request.
    public static let name = "queue_correct"
    /// What is wrong with a request that cannot be read.
    public static let isMissing = "passages is a list, plate and type are names"
    /// The passages; as a rule one.
    public var passages: [String]
    /// The right plate.
    public var plate: String?
    /// The right kind of vehicle, as `record --type` takes it.
    public var type: String?
    /// The database that is meant.
    public var database: String?

    /// A correction of one passage.
    public init(_ passage: String, plate: String? = nil, type: String? = nil) {
      passages = [passage]
      self.plate = plate
      self.type = type
    }
  }

  /// Put passages on hold: neither uploaded nor texted until they are tried again.
  public struct QueuePark: QueueChangeOperation {
    /// Its name in a request.
    public static let name = "queue_park"
    /// What is wrong with a request that cannot be read.
    public static let isMissing = "passages is a list, reason are words"
    /// The passages.
    public var passages: [String]
    /// Why; kept with them.
    public var reason: String?
    /// The database that is meant.
    public var database: String?

    /// Some passages.
    public init(_ passages: [String], reason: String? = nil) {
      self.passages = passages
      self.reason = reason
    }
  }

  /// Say when a passage was that has no time of its own.
  public struct QueueDate: QueueChangeOperation {
    /// Its name in a request.
    public static let name = "queue_date"
    /// What is wrong with a request that cannot be read.
    public static let isMissing = "passages is a list, and at a time as RFC 3339 has it"
    /// The passages; as a rule one.
    public var passages: [String]
    /// When it was, as RFC 3339 has it.
    public var at: String
    /// The database that is meant.
    public var database: String?

    /// The time of one passage.
    public init(_ passage: String, at time: String) {
      passages = [passage]
      at = time
    }
  }

  /// Try again what was given up or is on hold.
  public struct QueueRetry: QueueChangeOperation {
    /// Its name in a request.
    public static let name = "queue_retry"
    /// What is wrong with a request that cannot be read.
    public static let isMissing = "passages and parts are lists of names"
    /// The passages.
    public var passages: [String]
    /// What of them: `passage`, `photo`, `correction`, `texts`; nil for all of that.
    public var parts: [String]?
    /// The database that is meant.
    public var database: String?

    /// Some passages.
    public init(_ passages: [String], parts: [String]? = nil) {
      self.passages = passages
      self.parts = parts
    }
  }

  /// Withdraw passages that never were.
  public struct QueueWithdraw: QueueChangeOperation {
    /// Its name in a request.
    public static let name = "queue_withdraw"
    /// What is wrong with a request that cannot be read.
    public static let isMissing = "passages is a list, and reason says why"
    /// The passages.
    public var passages: [String]
    /// Why; kept with them, and told to the server.
    public var reason: String
    /// The database that is meant.
    public var database: String?

    /// Some passages.
    public init(_ passages: [String], reason: String) {
      self.passages = passages
      self.reason = reason
    }
  }
}
