public import CentralCore
public import Events
import Passages
public import Time

extension JudgedChanges {
  /// What changed, for the log. The words name no plate.
  public func events(at wall: WallTime) -> [Event] {
    // What was found follows from what came.
    var events = handedIn.map { Event($0, at: wall) }
    events += violations.map { Event($0, at: wall) }
    events += settled.compactMap { Event(final: $0, at: wall) }
    events += raised.map { Event(raised: $0, at: wall) }
    events += ended.map { Event(ended: $0, at: wall) }
    return events
  }

  /// The same, of each name so many at most; of the others it is told how many there were. One request can change
  /// thousands, and all that counts of them stands in the store.
  ///
  /// - Parameter most: Events of one name that are written singly.
  public func events(at wall: WallTime, most: Int) -> [Event] {
    var counts: [String: Int] = [:]
    var events = events(at: wall).filter { event in
      counts[event.name, default: 0] += 1
      return counts[event.name, default: 0] <= most
    }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) where count > most {
      events.append(Event(leftOut: count - most, of: name, at: wall))
    }
    return events
  }
}

extension Event {
  fileprivate init(_ change: JudgedChanges.Violation, at wall: WallTime) {
    let (violation, revision) = (change.violation, change.revision)
    let finding = violation.finding
    let words: String
    let name: String
    switch revision.change {
    case .made, .renewed: (name, words) = ("violation_found", finding.words)
    case .changed:
      (name, words) = ("violation_changed", "what was found is another by now: \(finding.words)")
    case .retracted:
      (name, words) = (
        "violation_retracted", "\(finding.kind.rawValue) was none: \(revision.cause.words)"
      )
    }
    self.init(
      name, revision.change == .retracted ? .notice : .warning, at: wall,
      subject: finding.segment, words: words,
      fields: finding.fields + [
        EventField("change", .text(revision.change.rawValue)),
        EventField("cause", .text(revision.cause.rawValue)),
        EventField("revision", .integer(revision.number)),
        EventField("finality", .text(violation.finality.rawValue)),
      ])
  }

  /// A violation that became final; nil of one that is provisional again, of which it was told why.
  fileprivate init?(final violation: StandingViolation, at wall: WallTime) {
    guard violation.finality != .provisional else { return nil }
    let finding = violation.finding
    let words =
      violation.finality == .reported
      ? "\(finding.kind.rawValue) is final: the posts have reported past it"
      : "\(finding.kind.rawValue) is taken as final: a post has not reported for long"
    self.init(
      "violation_final", .notice, at: wall, subject: finding.segment, words: words,
      fields: finding.fields + [EventField("finality", .text(violation.finality.rawValue))])
  }

  fileprivate init(raised alert: OverdueAlert, at wall: WallTime) {
    let entry = alert.entry
    let unheard =
      alert.isUnheard ? "; \(entry.opposite.code) has not reported since, so it may have left" : ""
    self.init(
      "overdue_alert", .warning, at: wall, subject: entry.place.post.code,
      words: "a vehicle that entered has not left at \(entry.opposite.code) in time\(unheard)",
      fields: alert.fields + [EventField("unheard", .text(alert.isUnheard ? "yes" : "no"))])
  }

  fileprivate init(ended alert: OverdueAlert, at wall: WallTime) {
    let (ending, words): (String, String) =
      switch alert.ending {
      case .left: ("left", "a vehicle that was waited for has left")
      case .seenAgain: ("seen_again", "a vehicle that was waited for was seen where it entered")
      case .expired: ("expired", "a vehicle is waited for no longer; nobody saw it leave")
      case .withdrawn, nil: ("withdrawn", "a vehicle that was waited for had not entered so")
      }
    self.init(
      "overdue_resolved", .notice, at: wall, subject: alert.entry.place.post.code, words: words,
      fields: alert.fields + [EventField("ending", .text(ending))])
  }

  fileprivate init(leftOut count: Int, of name: String, at wall: WallTime) {
    self.init(
      "changes_left_out", .notice, at: wall,
      words:
        "one request changed much at once: \(count) more events \(name) are not written singly",
      fields: [
        EventField("left_out", .integer(Int64(count))), EventField("left_out_event", .text(name)),
      ])
  }

  /// All that there was to judge again was judged.
  public init(judgedAgain vehicles: Int, changes: Int, at wall: WallTime) {
    self.init(
      "judged_again", .notice, at: wall,
      words: "what is there was judged again by the directory and the numbers as they are now;"
        + " vehicles \(vehicles), violations that changed \(changes)",
      fields: [
        EventField("vehicles", .integer(Int64(vehicles))),
        EventField("changed", .integer(Int64(changes))),
      ])
  }
}

extension Event {
  /// What was older than it is kept was dropped.
  public init(dropped: Dropped, at wall: WallTime) {
    self.init(
      "old_dropped", .notice, at: wall,
      words: "what is older than it is to be kept was dropped: passages \(dropped.passages),"
        + " violations \(dropped.violations), messages \(dropped.messages), photographs"
        + " \(dropped.photographs)",
      fields: [
        EventField("passages", .integer(Int64(dropped.passages))),
        EventField("reports", .integer(Int64(dropped.reports))),
        EventField("violations", .integer(Int64(dropped.violations))),
        EventField("messages", .integer(Int64(dropped.messages))),
        EventField("photographs", .integer(Int64(dropped.photographs))),
      ])
  }
}

extension OverdueAlert {
  fileprivate var fields: [EventField] {
    [
      EventField("alert", .integer(entry.row)), EventField("plate", .plate(entry.place.plate)),
      EventField("entered_at", .text(WallTime(epochSeconds: entry.place.second).rfc3339)),
      EventField("due_at", .text(WallTime(epochSeconds: entry.dueAt).rfc3339)),
    ]
  }
}

extension ViolationFinding {
  fileprivate var words: String {
    let rule = kind == .speeding ? "at least" : "at most"
    let doubts = doubts.map { "; \($0.words)" }.joined()
    return "\(kind.rawValue) from \(entry.post.code) to \(exit.post.code): \(seconds) s where"
      + " \(rule) \(limitSeconds) s are lawful\(doubts)"
  }

  fileprivate var fields: [EventField] {
    var fields = [
      EventField("violation", .integer(entry.row)), EventField("kind", .text(kind.rawValue)),
      EventField("plate", .plate(plate)), EventField("entry_post", .text(entry.post.code)),
      EventField("exit_post", .text(exit.post.code)), EventField("seconds", .integer(seconds)),
      EventField("limit_seconds", .integer(limitSeconds)),
    ]
    if !doubts.isEmpty {
      fields.append(
        EventField("doubts", .text(doubts.map(\.rawValue).joined(separator: " "))))
    }
    return fields
  }
}

extension ViolationRevision.Cause {
  fileprivate var words: String {
    switch self {
    case .arrival: "a passage came that explains it"
    case .correction: "a passage was corrected"
    case .directory: "a post, a segment or a ranger was changed"
    case .rules: "the numbers by which is judged were changed"
    }
  }
}
