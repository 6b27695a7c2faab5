import Control
import JSON

/// The service that may run beside a command.
enum RunningService {
  /// What there may be to look at.
  enum News: String {
    /// The node's queue has changed.
    case queue = "wake"
    /// What the central works by has changed.
    case central = "central_wake"
  }

  /// Whether there is one, be it busy.
  static func isThere(socket: String) -> Bool {
    do throws(ControlError) {
      _ = try ControlClient(path: socket)
      return true
    } catch .busy {
      return true
    } catch {
      return false
    }
  }

  /// Tells the running service that there is something new. Without one nothing is lost: it looks
  /// for itself when it starts, and now and then.
  ///
  /// - Returns: What the service knows against this machine's clock, in words; nil when nothing.
  @discardableResult
  static func tell(_ news: News, socket: String) -> String? {
    guard let client = try? ControlClient(path: socket),
      case .done(let fields)? = try? client.ask(
        ControlRequest(news.rawValue), timeout: .seconds(1))
    else { return nil }
    return fields["clock"]?.text
  }
}
