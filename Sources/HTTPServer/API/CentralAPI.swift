public import Accounts
public import RestAPI
public import Time

/// What the API of the central needs: tables, who may ask for them, photographs, and what it asks of the
/// judgement.
public struct CentralAPI: Sendable {
  /// The rows.
  public var store: any RestStore & Sendable
  /// Says who asks.
  public var authenticator: any Authenticator
  /// Where photographs lie; nil takes none.
  public var photos: ObjectDirectory?
  /// Signs addresses that show photographs for a while; nil where there are none.
  public var links: (any LinkSigner)?
  /// The version of the program, as descriptions tell it.
  public var version = "0"
  /// Looks for vehicles that ought to have left, and tells how many are new of them; nil when it cannot be
  /// done now. It blocks.
  public var lookForOverdue: @Sendable (WallTime) -> Int?
  /// Called after passages were written, from any thread.
  public var whenWritten: @Sendable () -> Void

  /// An API.
  public init(
    store: any RestStore & Sendable, authenticator: any Authenticator,
    photos: ObjectDirectory? = nil,
    lookForOverdue: @escaping @Sendable (WallTime) -> Int? = { _ in 0 },
    whenWritten: @escaping @Sendable () -> Void = {}
  ) {
    self.store = store
    self.authenticator = authenticator
    self.photos = photos
    self.lookForOverdue = lookForOverdue
    self.whenWritten = whenWritten
  }
}
