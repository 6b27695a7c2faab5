import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Time

extension NodeRole {
  /// That this machine's clock is behind what its store has seen, or far from the server's; nil when nothing is
  /// known against it.
  var clockProblem: Problem? {
    if let behind = service.report?.clockBehind {
      return Problem(
        "clock_wrong", .critical,
        "this machine's clock is at least \(ClockComparison.span(behind)) behind what was recorded"
          + " before; passages are kept without a time until it is right",
        remedy: "set it (timedatectl)")
    }
    guard let known = service.report?.serverTime else { return nil }
    var knowledge = TimeKnowledge()
    knowledge.take(known)
    let now = store.clock.time(at: clocks.boot())
    guard let ahead = knowledge.skewSeconds(showing: clocks.wall(), at: now) else { return nil }
    return Problem(
      "clock_skewed", .critical,
      "this machine's clock is \(ClockComparison.span(.seconds(abs(ahead))))"
        + " \(ahead > 0 ? "ahead of" : "behind") the server's", remedy: "set it (timedatectl)")
  }
}
