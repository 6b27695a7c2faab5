import Synchronization

/// A reference that is filled in later and held weakly: for two parts of a service that call each
/// other.
public final class LateBound<Object: AnyObject & Sendable>: Sendable {
  private struct Weak: Sendable {
    weak var object: Object?
  }

  private let held = Mutex(Weak())

  /// Nothing yet.
  public init() {}

  /// The object, once there is one and as long as it lives.
  public var object: Object? {
    get { held.withLock { $0.object } }
    set { held.withLock { $0.object = newValue } }
  }
}
