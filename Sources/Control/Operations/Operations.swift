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

  /// Try again what waits.
  public struct RetryNow: ControlOperation {
    /// Nothing is told.
    public typealias Answer = NothingToTell

    /// Its name in a request.
    public static let name = "retry_now"

    /// Nothing more to say.
    public init() {}
  }
}
