public import Storage

/// Why a running node did not do what it was asked for.
public enum NodeServiceError: Error, Hashable, Sendable {
  /// The store failed.
  case storage(StorageError)
  /// Too much waits for the node already; nothing was taken.
  case busy
  /// The node's service has ended; nothing was taken.
  case ended
  /// More was asked for at once than one request may hold.
  case tooMany(limit: Int)

  /// What is wrong and what to do.
  public var message: String {
    switch self {
    case .storage(let error): error.message
    case .busy: "Too much waits for the node already. Try again in a moment."
    case .ended: "The node's service has ended. Start it, then try again."
    case .tooMany(let limit): "More than \(limit) passages in one request. Send fewer at once."
    }
  }
}

extension NodeServiceError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }
}
