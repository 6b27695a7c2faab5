public import EventLoop

/// Why a simulated server cannot run.
public enum ServerSimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system refused this operation of a socket.
  case socket(operation: String, errno: Int32)
  /// The system refused this operation on the journal.
  case journal(path: String, operation: String, errno: Int32)
  /// The journal holds something else at that byte.
  case notAJournal(path: String, byte: Int)
  /// The system gives no thread, or no descriptor.
  case link(LinkError)

  /// What is wrong, with which thing, and what to do.
  public var description: String {
    switch self {
    case .socket(let operation, let number):
      "the simulated server cannot \(operation): \(systemMessage(number))"
    case .journal(let path, let operation, let number):
      "\(path): cannot \(operation): \(systemMessage(number)); the simulated server needs a directory"
        + " that it may write into"
    case .notAJournal(let path, let byte):
      "\(path): is no journal of a simulated server from byte \(byte) on; name another file"
    case .link(let error): error.description
    }
  }
}
