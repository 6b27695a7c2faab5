import GRDB
import NodeCore
import Time

/// A status report with where and when it came, and whether it can be about a text by its times.
///
/// Its reference alone does not tell: it is one octet and comes round, a modem that restarts may begin
/// again, and a report of long ago may have lain in a SIM or at the service centre. Three things show
/// that it is about an earlier text, each from a clock of its own:
///
/// - It came before the text was begun, by the node's clock.
/// - The centre had taken its text before this one was begun, by the centre's own clock, which the
///   reports before it have shown. That clock runs on at least as far as the node's, which stands
///   still without power.
/// - The same by the wall clock of this machine. As nobody knows whether that is right, and centres
///   are met that write their local time with a wrong zone, only more than half a day counts; and what
///   the last reports all show is how far the two clocks are apart.
struct ReceivedReport {
  let report: StatusReport
  let modem: String?
  /// When it came.
  let received: Moment

  init(_ report: StatusReport, from modem: String?, at received: Moment) {
    self.report = report
    self.modem = modem
    self.received = received
  }

  /// When a text was begun, as its row has it.
  struct Begun {
    var time: BootInstant
    var wall: WallTime

    init(row: Row, time: Int, wall: Int) {
      self.time = BootInstant(nanoseconds: row[time])
      self.wall = WallTime(milliseconds: row[wall])
    }
  }

  /// Whether the report is about a text of before the one that was begun then.
  func isOlder(than begun: Begun, _ database: Database) throws -> Bool {
    if received.boot < begun.time { return true }
    guard let taken = report.takenAt else { return false }
    let others = try reportsBefore(database)
    // The best but one: a single time that is wrong must not stand against all that come after it.
    let clocks = others.filter { $0.received.boot <= begun.time }
      .map { ahead($0.discharged, of: $0.received.boot) }.sorted(by: >)
    if clocks.count >= 2, ahead(taken, of: begun.time) < clocks[1] - NodeCore.Limits.centreDoubt {
      return true
    }
    // A wall clock that was set back since was ahead when the text was begun.
    let wall = min(begun.wall, received.wall)
    return taken < wall - NodeCore.Limits.wallDoubt - distance(others)
  }

  /// What another report says of the clock of the service centre.
  private struct Other {
    var received: Moment
    var discharged: WallTime
  }

  /// How far this machine's wall clock is ahead of the centre's, as far as all of the last reports
  /// show; nothing while there are too few of them.
  private func distance(_ others: [Other]) -> Duration {
    guard others.count >= 2, let mine = report.dischargedAt else { return .zero }
    let all = others.map { $0.received.wall - $0.discharged } + [received.wall - mine]
    return max(.zero, all.min() ?? .zero)
  }

  /// The last reports of the same card, without this one.
  private func reportsBefore(_ database: Database) throws -> [Other] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT received_t, received_ms, discharged_ms FROM inbox
          WHERE id > (SELECT max(id) FROM inbox) - ?2 AND kind = 'status_report'
            AND discharged_ms IS NOT NULL AND (?1 IS NULL OR modem IS NULL OR modem = ?1)
            AND NOT (received_t = ?3 AND reference = ?4)
          ORDER BY id DESC LIMIT ?5
          """),
      arguments: [
        modem, NodeCore.Limits.centreReach, received.boot.nanoseconds, Int64(report.reference),
        NodeCore.Limits.centreReports,
      ]
    ).map { row in
      Other(
        received: Moment(
          boot: BootInstant(nanoseconds: row[0]), wall: WallTime(milliseconds: row[1])),
        discharged: WallTime(milliseconds: row[2]))
    }
  }
}

/// How far a time of a wall clock is ahead of one of the node's clock, in milliseconds: both may be of
/// any year.
private func ahead(_ time: WallTime, of moment: BootInstant) -> Duration {
  time - WallTime(milliseconds: moment.nanoseconds / 1_000_000)
}
