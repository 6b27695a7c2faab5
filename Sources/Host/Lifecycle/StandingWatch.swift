import Control
import EventLoop
import Events
import Log
import Text
import Time

/// Tells the service manager again and again how the service stands, and that it lives: as long as its
/// store answers and none of its loops hangs. A service that hangs is not told of, and is started anew.
struct StandingWatch {
  let manager: ServiceManager
  let clocks: any Clocks
  let log: ServiceLog
  /// How the service stands, which reads its stores.
  let status: () -> ServiceStatus
  /// The loops that hang for so long.
  let hanging: (Duration) -> [String]
  private var told: String?
  private var named: [String] = []

  /// A watch over a service that runs.
  init(
    manager: ServiceManager, clocks: any Clocks, log: ServiceLog,
    status: @escaping () -> ServiceStatus, hanging: @escaping (Duration) -> [String]
  ) {
    self.manager = manager
    self.clocks = clocks
    self.log = log
    self.status = status
    self.hanging = hanging
  }

  /// Tells that the service does its work.
  mutating func ready() {
    guard manager.interval != nil else { return }
    let headline = status().headline
    told = headline
    manager.tell(.ready(status: headline))
  }

  /// Looks how it stands, and tells it.
  mutating func tick() {
    guard let interval = manager.interval else { return }
    let headline = status().headline
    let names = hanging(interval)
    manager.tell(
      .standing(status: headline == told ? nil : headline, isAlive: names.isEmpty))
    told = headline
    if !names.isEmpty, names != named {
      log.record(
        Event(
          "loop_hangs", .error, at: clocks.wall(),
          words: "\(names.joined(separator: " and ")) did not come back for"
            + " \(DurationText.format(interval)): the service manager is not told that the service"
            + " lives, and starts it anew"))
    }
    named = names
  }
}
