public import Time

/// A vehicle that entered and has been inside for longer than the slowest travel takes: it is told while
/// the vehicle may still be there. One for each entry.
public struct OverdueAlert: Hashable, Sendable {
  /// Why nobody waits any longer.
  public enum Ending: Hashable, Sendable {
    /// It left; the row of its exit, which may have come late or by text.
    case left(exit: Int64)
    /// It was seen again where it had entered, so it left unseen.
    case seenAgain
    /// The entry was none: it was corrected, or is not due.
    case withdrawn
    /// It was waited for as long as an exit can take.
    case expired
  }

  /// The entry.
  public internal(set) var entry: WaitingEntry
  /// When it was told, last of all.
  public internal(set) var raisedAt: WallTime
  /// Whether the opposite post has not reported past the time at which it was due: the vehicle may have left
  /// long ago.
  public internal(set) var isUnheard: Bool
  /// Why it is over; nil while it stands.
  public internal(set) var ending: Ending?
  /// When it was over.
  public internal(set) var endedAt: WallTime?

  /// An alert as a store has it.
  public init(
    entry: WaitingEntry, raisedAt: WallTime, isUnheard: Bool, ending: Ending? = nil,
    endedAt: WallTime? = nil
  ) {
    self.entry = entry
    self.raisedAt = raisedAt
    self.isUnheard = isUnheard
    self.ending = ending
    self.endedAt = endedAt
  }
}

/// What has to be written so that the alerts are those of the entries that wait.
///
/// The clock's duty hands in the entries that are due and the alerts that stand, with the entries of these
/// as they wait now. After a judgement, it is the entries that it says wait, and the alerts of all its
/// records.
public struct OverdueChanges: Hashable, Sendable {
  /// Alerts as they are now, of which something changed; in place of those of the same entry.
  public private(set) var alerts: [OverdueAlert] = []
  /// Of these, those that are to be told: new ones, and ones that stand again.
  public private(set) var raised: [Int64] = []
  /// Of these, those that are over since.
  public private(set) var ended: [Int64] = []
  /// When the next thing is to be done of what was handed in; nil when there is nothing.
  public private(set) var next: WallTime?

  /// Compares the alerts with the entries that wait.
  ///
  /// - Parameters:
  ///   - standing: The alerts that there are of these entries, the ended ones too.
  ///   - waiting: The entries that wait.
  ///   - judgement: What was judged, which says why an entry waits no more; nil when it is the clock.
  ///   - reports: What the posts reported.
  ///   - now: The wall clock.
  public init(
    standing: [OverdueAlert], waiting: [WaitingEntry], judgement: TravelJudgement? = nil,
    reports: PostReports, at now: WallTime
  ) {
    var entries: [Int64: WaitingEntry] = [:]
    for entry in waiting { entries[entry.row] = entry }
    var known: [Int64: OverdueAlert] = [:]
    for alert in standing { known[alert.entry.row] = alert }
    for row in Set(entries.keys).union(known.keys).sorted() {
      if let entry = entries[row] {
        wait(for: entry, known: known[row], reports, now)
      } else if let alert = known[row], alert.ending == nil {
        end(alert, OverdueChanges.ending(of: row, in: judgement), now)
      }
    }
  }

  private mutating func wait(
    for entry: WaitingEntry, known: OverdueAlert?, _ reports: PostReports, _ now: WallTime
  ) {
    let second = now.epochSeconds
    guard second < entry.expiresAt else {
      if let known, known.ending == nil { end(known, .expired, now) }
      return
    }
    guard second >= entry.dueAt else {
      look(at: entry.dueAt)
      if let known, known.ending == nil { end(known, .withdrawn, now) }
      return
    }
    look(at: entry.expiresAt)
    let through = reports.through(entry.opposite)
    var alert = OverdueAlert(
      entry: entry, raisedAt: now, isUnheard: through.map { $0 <= entry.dueAt } ?? true)
    if let known, known.ending == nil {
      alert.raisedAt = known.raisedAt
      if alert != known { alerts.append(alert) }
    } else {
      alerts.append(alert)
      raised.append(entry.row)
    }
  }

  private mutating func end(
    _ alert: OverdueAlert, _ ending: OverdueAlert.Ending, _ now: WallTime
  ) {
    var alert = alert
    alert.ending = ending
    alert.endedAt = now
    alerts.append(alert)
    ended.append(alert.entry.row)
  }

  private mutating func look(at second: Int64) {
    let time = WallTime(epochSeconds: second)
    next = next.map { min($0, time) } ?? time
  }

  private static func ending(
    of row: Int64, in judgement: TravelJudgement?
  ) -> OverdueAlert.Ending {
    guard let judgement else { return .withdrawn }
    if let travel = judgement.travels.first(where: { $0.entry.row == row }) {
      return .left(exit: travel.exit.row)
    }
    return judgement.passages.contains { $0.row == row } ? .seenAgain : .withdrawn
  }
}
