public import EventLoop
import Text

/// Why the control socket cannot be served or reached.
public enum ControlError: Error, Hashable, Sendable {
  /// Nobody serves the socket.
  case notRunning(path: String)
  /// The service runs, and more connections wait for it than it takes up just now.
  case busy(path: String)
  /// Another service serves it already.
  case alreadyServed(path: String)
  /// The path is not a socket.
  case notASocket(path: String)
  /// The directory of the socket does not exist.
  case missingDirectory(path: String)
  /// This user may not use it; the right that is missing, where it can be seen.
  case noPermission(path: String, MissingRight? = nil)
  /// The path is longer than the 107 bytes that a socket may have.
  case pathTooLong(path: String)
  /// The service did not answer in time.
  case timedOut(path: String, after: Duration)
  /// The service closed the connection without an answer, or gave none that can be understood.
  case noAnswer(path: String)
  /// The request is longer than the service takes.
  case requestTooLong(path: String)
  /// Anything else the system answered.
  case system(path: String, operation: String, reason: String)
}

extension ControlError: CustomStringConvertible {
  /// What is wrong and what to do, in one line.
  public var description: String { "\(problem); \(remedy)" }

  /// What is wrong, with which socket.
  public var problem: String { words.problem }

  /// What to do.
  public var remedy: String { words.remedy }

  private var words: (problem: String, remedy: String) {
    switch self {
    case .notRunning(let path):
      (
        "\(path): the service is not running",
        "start it with `checkpost run`, or correct control.socket"
      )
    case .busy(let path):
      (
        "\(path): the service is running and too busy to answer",
        "try again in a moment, or look at `checkpost log`"
      )
    case .alreadyServed(let path):
      (
        "\(path): another service is running already",
        "stop it, or give this one a control.socket of its own"
      )
    case .notASocket(let path):
      ("\(path): is not a socket", "correct control.socket, or move that file away")
    case .missingDirectory(let path):
      (
        "\(path): the directory of the socket does not exist",
        "make it, or correct control.socket"
      )
    case .noPermission(let path, let right):
      (
        "\(path): no permission to use the service's socket\(right.map { ", which \($0.owner)" } ?? "")",
        right?.remedy ?? "run as its user, or as one of its group"
      )
    case .pathTooLong(let path):
      ("\(path): is longer than the 107 bytes a socket may have", "shorten control.socket")
    case .timedOut(let path, let duration):
      (
        "\(path): the service gave no answer within \(DurationText.format(duration))",
        "try again, or look at `checkpost log`"
      )
    case .noAnswer(let path):
      (
        "\(path): the service closed the connection without an answer",
        "look at `checkpost log`"
      )
    case .requestTooLong(let path):
      (
        "\(path): the request is longer than \(Limits.controlRequestBytes) bytes",
        "send less at once"
      )
    case .system(let path, let operation, let reason):
      (
        "\(path): the service's socket cannot be used (\(operation): \(reason))",
        "correct control.socket, or mend its file system"
      )
    }
  }
}
