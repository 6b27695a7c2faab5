import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Time

extension NodeRole {
  /// That this machine's clock is far from the server's; nil when nothing is known against it.
  var clockProblem: Problem? {
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
