/// Why a port could not be opened or went away, in words that say what helps.
public enum LinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no such file.
  case notFound(path: String)
  /// Another process holds the port; `holder` names it (`1234 ModemManager`) when it can be seen.
  case busy(path: String, holder: String?)
  /// This user may not open the port.
  case permission(path: String)
  /// The path is a directory.
  case isDirectory(path: String)
  /// The path is neither a serial port nor a pseudo-terminal.
  case notATerminal(path: String)
  /// The device went away: unplugged, reset, or the other side of the pseudo-terminal closed.
  case gone(path: String)
  /// There is no port for a modem that is not named by a path (`auto`, `12d1:1506`); the reason says
  /// what is there instead.
  case noPort(selector: String, reason: String)
  /// Anything else the system answered.
  case system(path: String, operation: String, errno: Int32)

  /// What is wrong, with which port, and what to do, in one line.
  public var description: String { remedy.map { "\(problem); \($0)" } ?? problem }

  /// What is wrong, with which port.
  public var problem: String { words.problem }

  /// What to do; nil where the reason says it.
  public var remedy: String? { words.remedy }

  private var words: (problem: String, remedy: String?) {
    switch self {
    case .notFound(let path):
      (
        "\(path): no such port",
        "is the modem plugged in? `checkpost modem list` shows the ports"
      )
    case .busy(let path, let holder?) where holder.hasSuffix(" checkpost"):
      (
        "\(path): held by process \(holder), a service of ours",
        "leave out --port to go through it, or stop it first"
      )
    case .busy(let path, let holder?):
      (
        "\(path): held by process \(holder)",
        "stop it, or let it leave this modem alone"
          + (holder.contains("ModemManager") ? " (udev/60-checkpost-modem.rules does that)" : "")
      )
    case .busy(let path, nil):
      ("\(path): held by another process", "`fuser -v \(path)` as root names it")
    case .permission(let path):
      (
        "\(path): permission denied",
        "add this user to the group that owns it (usually dialout)"
      )
    case .isDirectory(let path):
      ("\(path): is a directory, not a port", "name a port in it")
    case .notATerminal(let path):
      ("\(path): is not a serial port", "`checkpost modem list` shows the ports")
    case .gone(let path):
      (
        "\(path): the device went away",
        "plug it in again, unless it comes back by itself"
      )
    case .noPort(let selector, let reason):
      ("\(selector): no port to open: \(reason)", nil)
    case .system(let path, let operation, let number):
      ("\(path): \(operation) failed: \(systemMessage(number))", nil)
    }
  }

  /// A short stable name for logs and scripts.
  public var code: String {
    switch self {
    case .notFound: "port_not_found"
    case .busy: "port_busy"
    case .permission: "port_permission"
    case .isDirectory: "port_is_directory"
    case .notATerminal: "port_not_a_terminal"
    case .gone: "port_gone"
    case .noPort: "port_not_found"
    case .system: "port_error"
    }
  }
}
