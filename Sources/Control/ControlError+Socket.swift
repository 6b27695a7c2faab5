import EventLoop
import Glibc

extension ControlError {
  /// What a failure of a socket means for the service's socket at `path`.
  init(_ failure: UnixSocket.Failure, at path: String) {
    self =
      switch failure {
      case .pathTooLong: .pathTooLong(path: path)
      case .notASocket: .notASocket(path: path)
      case .system("connect", ENOENT), .system("connect", ECONNREFUSED): .notRunning(path: path)
      case .system("connect", EAGAIN): .busy(path: path)
      case .system(_, EACCES), .system(_, EPERM):
        .noPermission(path: path, MissingRight(at: path))
      case .system(_, ENOENT), .system(_, ENOTDIR): .missingDirectory(path: path)
      case .system(let operation, let number):
        .system(path: path, operation: operation, reason: systemMessage(number))
      }
  }
}
