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
  private var standing = ToldProblems()

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

  /// How often it is looked how the service stands: also where no manager wants to know, for the log.
  var interval: Duration { manager.interval ?? ServiceManager.showEvery }

  /// Tells that the service does its work.
  mutating func ready() {
    guard manager.interval != nil else { return }
    let status = status()
    log(status.problems ?? [])
    told = status.headline
    manager.tell(.ready(status: status.headline))
  }

  /// Looks how it stands, and tells it.
  mutating func tick() {
    let status = status()
    log(status.problems ?? [])
    guard let interval = manager.interval else { return }
    let headline = status.headline
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

  /// Writes down which problems began and which are over, but for those of which another event tells.
  private mutating func log(_ problems: [Problem]) {
    for event in standing.news(problems, at: clocks.wall()) { log.record(event) }
  }
}

/// Problems as the log was told of them: a line when one begins and one when it is over.
struct ToldProblems {
  private struct Key: Hashable {
    var name: String
    var subject: String?
  }

  private var told: [Key: Problem] = [:]

  /// What is to be told now.
  mutating func news(_ problems: [Problem], at now: WallTime) -> [Event] {
    var standing: [Key: Problem] = [:]
    var events: [Event] = []
    for problem in problems where ProblemCatalogue.entry(problem.name)?.event == nil {
      let key = Key(name: problem.name, subject: problem.subject)
      standing[key] = problem
      guard told[key] == nil else { continue }
      events.append(
        Event(
          "problem_began", problem.severity == .critical ? .error : .warning, at: now,
          words: problem.sentence, fields: ToldProblems.fields(problem), isForeign: true))
    }
    for (key, problem) in told where standing[key] == nil {
      events.append(
        Event(
          "problem_ended", .notice, at: now, words: "over: \(problem.what)",
          fields: ToldProblems.fields(problem), isForeign: true))
    }
    told = standing
    return events
  }

  private static func fields(_ problem: Problem) -> [EventField] {
    [EventField("problem", .text(problem.name))]
  }
}
