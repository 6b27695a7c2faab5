/// What commands may ask of the running service.
public enum Operations {
  /// The queue has changed: look at it.
  public struct Wake: ControlOperation {
    /// What there is to tell whoever recorded passages.
    public struct Answer: Codable, Hashable, Sendable {
      /// What is known against this machine's clock.
      public var clock: String?

      /// An answer.
      public init(clock: String? = nil) {
        self.clock = clock
      }
    }

    /// Its name in a request.
    public static let name = "wake"

    /// Nothing more to say.
    public init() {}
  }

  /// What central works by has changed: look at it.
  public struct CentralWake: ControlOperation {
    /// Nothing is told.
    public typealias Answer = NothingToTell

    /// Its name in a request.
    public static let name = "central_wake"

    /// Nothing more to say.
    public init() {}
  }

  /// How does it stand?
  public struct Status: ControlOperation {
    /// The whole of it.
    public typealias Answer = ServiceStatus

    /// Its name in a request.
    public static let name = "status"

    /// Nothing more to say.
    public init() {}
  }

  /// Sync now, whatever is being waited for.
  public struct SyncNow: ControlOperation {
    /// How the way to the server stood until then.
    public typealias Answer = SyncReport

    /// Its name in a request.
    public static let name = "sync_now"

    /// Nothing more to say.
    public init() {}
  }

  /// Try again what waits.
  public struct RetryNow: ControlOperation {
    /// Nothing is told.
    public typealias Answer = NothingToTell

    /// Its name in a request.
    public static let name = "retry_now"

    /// Nothing more to say.
    public init() {}
  }

  /// What happens from now on, one line an event with the keys of the log's file, until whoever asks
  /// leaves. Whoever reads too slowly is told so (`too_slow`), and nothing more.
  public struct Events: ControlOperation {
    /// That it begins; the events follow.
    public typealias Answer = NothingToTell

    /// Its name in a request.
    public static let name = "events"
    /// What is wrong with a filter that cannot be read.
    public static let isMissing =
      "level is a name, and names, plates and client_ids are lists of names"
    /// Only what matters so much: `debug` to `error`.
    public var level: String?
    /// Only events of these names.
    public var names: [String]?
    /// Only those about these plates, as the log shows them.
    public var plates: [String]?
    /// Only those about these passages, as the log shows their identities.
    public var clientIDs: [String]?

    private enum CodingKeys: String, CodingKey {
      case level, names, plates
      case clientIDs = "client_ids"
    }

    /// Every event.
    public init(level: String? = nil, names: [String]? = nil) {
      self.level = level
      self.names = names
    }
  }
}
