import EventLoop
import Glibc
import Text

/// The program that started the service and looks after it, where it wants to be told how that stands:
/// systemd, by its notify protocol.
struct ServiceManager {
  /// What it is told.
  enum Message: Hashable {
    /// The service still starts, and shall be given so long from now on.
    case starting(status: String, within: Duration)
    /// The service does its work.
    case ready(status: String)
    /// The service does its work still.
    case standing(status: String?, isAlive: Bool)
    /// The configuration is being read again; by the manager's clock, in microseconds.
    case reloading(since: Int64)
    /// The service is ending.
    case stopping
  }

  /// Time between two words to a manager that only shows them.
  static let showEvery: Duration = .seconds(60)

  /// How often it is told how the service stands; nil where there is nobody to tell.
  let interval: Duration?
  private let socket: DatagramSocket?

  /// The manager that left its address in `environment`; nobody where there is none.
  ///
  /// - Parameter process: This process; a watchdog may be meant for another one.
  init(_ environment: [String: String], process: Int32 = getpid()) {
    guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"),
      let socket = try? DatagramSocket(to: path)
    else {
      self.socket = nil
      interval = nil
      return
    }
    self.socket = socket
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
    let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    // Twice within the time it waits, as it asks for.
    interval =
      isMeant
      ? limit.map { .microseconds($0 / 2) } ?? ServiceManager.showEvery
      : ServiceManager.showEvery
  }

  /// Takes its address away from the programs that the service starts: they speak for themselves. To be
  /// called before the process has another thread.
  static func hideFromChildren() {
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
  }

  /// Tells it something; whoever does not listen is not told.
  func tell(_ message: Message) {
    socket?.send(message.text)
  }
}

extension ServiceManager.Message {
  /// The message as it goes.
  var text: String {
    switch self {
    case .starting(let status, let limit):
      let microseconds = limit.components.seconds * 1_000_000
      return ServiceManager.Message.line(of: status) + "\nEXTEND_TIMEOUT_USEC=\(microseconds)"
    case .ready(let status): return "READY=1\n" + ServiceManager.Message.line(of: status)
    case .standing(let status, let isAlive):
      return [status.map(ServiceManager.Message.line), isAlive ? "WATCHDOG=1" : nil]
        .compactMap { $0 }.joined(separator: "\n")
    case .reloading(let since): return "RELOADING=1\nMONOTONIC_USEC=\(since)"
    case .stopping: return "STOPPING=1"
    }
  }

  /// One line, whatever a modem or a network wrote: another would be another assignment.
  private static func line(of status: String) -> String {
    "STATUS=\(ForeignText.shown(status))"
  }
}
