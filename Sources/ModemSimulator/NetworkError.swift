public import EventLoop
import Glibc

/// Why simulated modems cannot be on a network that several processes share.
public enum NetworkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another modem on it has that number.
  case numberTaken(path: String, number: String)
  /// The path is something else than a socket.
  case notASocket(path: String)
  /// The system allows no socket under so long a path.
  case pathTooLong(path: String)
  /// The directory of the path is missing.
  case missingDirectory(path: String)
  /// This user may not use it.
  case permission(path: String)
  /// Somebody has the path and does not answer as a network does.
  case noAnswer(path: String)
  /// Anything else the system answered.
  case system(path: String, operation: String, errno: Int32)

  /// What is wrong, with which network, and what to do, in one line.
  public var description: String {
    switch self {
    case .numberTaken(let path, let number):
      "\(path): a modem with the number \(number) is on this network already; give this one another"
        + " --number"
    case .notASocket(let path):
      "\(path): is no socket, and stays as it is; name a path that is free"
    case .pathTooLong(let path):
      "\(path): is too long for a socket; name one of at most 107 bytes"
    case .missingDirectory(let path):
      "\(path): its directory does not exist; make it, or name another"
    case .permission(let path):
      "\(path): permission denied; name a path that this user may write to"
    case .noAnswer(let path):
      "\(path): the program behind this socket does not answer as a simulated network of this version; name"
        + " another path"
    case .system(let path, let operation, let number):
      "\(path): \(operation) failed: \(systemMessage(number))"
    }
  }
}

extension NetworkError {
  /// What a failure of a socket means for the network at `path`.
  init(_ failure: UnixSocket.Failure, at path: String) {
    self =
      switch failure {
      case .pathTooLong: .pathTooLong(path: path)
      case .notASocket: .notASocket(path: path)
      case .system(_, EACCES), .system(_, EPERM), .system(_, EROFS): .permission(path: path)
      case .system(_, ENOENT), .system(_, ENOTDIR): .missingDirectory(path: path)
      case .system(let operation, let number):
        .system(path: path, operation: operation, errno: number)
      }
  }
}

/// Why a simulator cannot begin.
public enum SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A port or a link cannot be made.
  case link(LinkError)
  /// A simulator that runs has the link already.
  case linkTaken(path: String)
  /// The modems cannot be on the network.
  case network(NetworkError)

  /// What is wrong and what to do, in one line.
  public var description: String {
    switch self {
    case .link(let error): error.description
    case .linkTaken(let path):
      "\(path): a simulator that runs has this link; stop it, or give this one a --link of its own"
    case .network(let error): error.description
    }
  }
}
