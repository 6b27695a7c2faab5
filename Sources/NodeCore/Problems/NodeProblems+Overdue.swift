import Events
import Text
import Time

// What waits for longer than usual. A reason that is known is told by its own problem; what waits without
// one is a problem all the same, so that nothing depends on a list of reasons.
extension NodeProblems {
  /// Usual times, after which something is overdue.
  private enum Usual {
    static let passage: Duration = .seconds(1_800)
    static let correction: Duration = .seconds(1_800)
    /// They go when nothing else does, and not over each link.
    static let photo: Duration = .seconds(86_400)
    static let text: Duration = .seconds(1_800)
  }

  /// What is overdue and is kept by none of the problems that are known.
  func overdue(beside found: [Problem]) -> [Problem] {
    guard let overview = facts.overview else { return [] }
    let kept = found.reduce(into: Set<ProblemCatalogue.Kept>()) { kept, problem in
      kept.formUnion(ProblemCatalogue.entry(problem.name)?.keeps ?? [])
    }
    let hasServer = facts.node?.hasServer ?? facts.states?.hasServer ?? false
    var problems: [Problem] = []
    if hasServer, !isSyncing {
      problems += [
        upload(.passage, overview, kept, .passages, Usual.passage),
        upload(.correction, overview, kept, .corrections, Usual.correction),
        upload(.photo, overview, kept, .photographs, Usual.photo),
      ].compactMap { $0 }
    }
    if !kept.contains(.texts), let late = lateTexts(overview) { problems.append(late) }
    return problems
  }

  /// Whether a backlog goes just now: what waits for its turn in it is on its way.
  private var isSyncing: Bool {
    if case .syncing? = facts.node?.sync { true } else { false }
  }

  private func upload(
    _ kind: UploadKind, _ overview: StoreOverview, _ kept: Set<ProblemCatalogue.Kept>,
    _ keep: ProblemCatalogue.Kept, _ usual: Duration
  ) -> Problem? {
    guard !kept.contains(keep), let age = overview.oldestOpenAge[kind], age > usual else {
      return nil
    }
    let (things, open) =
      switch kind {
      case .passage: ("passage", overview.passagesOpen)
      case .photo: ("photograph", overview.photosOpen)
      case .correction: ("correction", overview.correctionsOpen)
      }
    let count = max(1, open - (overview.refused[kind]?.count ?? 0))
    return late(
      keep, "\(count) \(things)\(count == 1 ? " waits" : "s wait") for the server", count, age,
      reason: overview.lastUploadError?.words)
  }

  private func lateTexts(_ overview: StoreOverview) -> Problem? {
    guard let node = facts.node, let due = overview.firstTextDue, overview.waitingForText > 0,
      case .open = node.textGate, moment.boot - due > Usual.text
    else { return nil }
    switch node.outlook.obstacle {
    // Somebody wanted that, or it is over in a moment.
    case .quietHours, .online, .serverUnknown, .stopping: return nil
    default: break
    }
    let count = overview.waitingForText
    return late(
      .texts, "\(count) passage\(count == 1 ? " waits" : "s wait") to be texted", count,
      moment.boot - due, reason: node.outlook.obstacle?.words)
  }

  private func late(
    _ keep: ProblemCatalogue.Kept, _ what: String, _ count: Int, _ age: Duration, reason: String?
  ) -> Problem {
    let minutes = Duration.seconds(age.wholeSeconds / 60 * 60)
    return Problem(
      "delivery_overdue", .warning, of: keep.rawValue,
      "\(what), the oldest for \(DurationText.format(minutes))" + (reason.map { ": \($0)" } ?? ""),
      count: count,
      remedy: keep == .texts
        ? "see `checkpost log`; `checkpost modem info` shows the modem"
        : "see `checkpost log`; `checkpost sync now` tries again at once",
      since: moment.wall - age)
  }

  // MARK: What waits for a decision

  /// Passages whose text was refused for good.
  func refusedTexts(_ overview: StoreOverview) -> Problem? {
    let count = overview.refusedTexts
    guard count > 0 else { return nil }
    return Problem(
      "passages_on_hold", .critical,
      "\(count) passage\(count == 1 ? " is" : "s are") on hold, since the network refused the text",
      count: count,
      remedy: "see `checkpost queue list --status parked`, and queue retry or queue park each")
  }

  /// Passages that nothing more is done for, for a reason that no other problem tells.
  func stuck(_ overview: StoreOverview) -> Problem? {
    guard let states = facts.states else { return nil }
    let refused = overview.decided.reduce(0) { sum, entry in
      switch states.reason(of: entry.key) {
      case .refused, .conflict, .photoRefused, .correctionRefused, .withdrawalRefused:
        sum + entry.value
      default: sum
      }
    }
    let told =
      overview.undelivered + overview.unknownTexts + overview.parkedLive + overview.undated
      + refused
    let count = (states.counts(overview)[.stuck] ?? 0) - told
    guard count > 0 else { return nil }
    return Problem(
      "passages_stuck", .warning,
      "\(count) passage\(count == 1 ? " waits" : "s wait") for a decision: too old to be texted, or not to be"
        + " texted", count: count,
      remedy: "see `checkpost queue list --status stuck`, and queue retry or queue park each")
  }
}
