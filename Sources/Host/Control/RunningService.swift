public import Control

/// The service that may run beside a command.
public enum RunningService {
  /// Whether there is one, be it busy.
  public static func isThere(socket: String) -> Bool {
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
  /// - Returns: What it answers; nil when it does not.
  @discardableResult
  public static func tell<Operation: ControlOperation>(
    _ news: Operation, socket: String
  ) -> Operation.Answer? {
    try? ControlClient(path: socket).ask(news, timeout: .seconds(1))
  }
}
