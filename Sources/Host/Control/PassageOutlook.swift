public import Control
public import NodeCore
public import Time

/// When the next text of one passage goes, and why not sooner: what its row says and what the running
/// service says of texts at all, put together.
public struct PassageOutlook: Hashable, Sendable {
  /// What it waits for when nobody can tell.
  public static let unknown = "unknown"

  /// What it waits for, by the names of ``TextObstacle``, or `service_stopped`, or ``unknown``; nil when it
  /// goes next.
  public var waitsFor: String?
  /// The same for people.
  public var reason: String?
  /// When it may go; nil when that takes more than time.
  public var at: WallTime?

  /// What is known of a passage that waits for a text; nil for one that does not.
  ///
  /// - Parameters:
  ///   - texts: its texts, oldest first.
  ///   - status: how the service stands.
  ///   - moment: now, by the clocks of its store.
  public init?(
    _ item: QueueItem, _ texts: [TextRecord], _ status: ServiceStatus, at moment: Moment
  ) {
    guard let due = item.textDue, !item.hasOpenText else { return nil }
    if status.service?.isRunning == false {
      (waitsFor, reason) = ("service_stopped", "the service does not run")
      return
    }
    if status.service?.answers == false {
      let why = status.service?.reason ?? "it does not answer"
      (waitsFor, reason) = (PassageOutlook.unknown, "what the service does is not known: \(why)")
      return
    }
    let own = due > moment.boot ? moment.wall(at: due) : nil
    let common = status.queue
    let until = common?.nextTextAt.flatMap { WallTime(rfc3339: $0) }
    if let own, PassageOutlook.isOver(common?.nextTextWaitsFor, until, by: own) {
      at = own
      waitsFor = TextObstacle.notDue.name
      // It would be due at once if the last text had not failed.
      reason = texts.last.flatMap { $0.outcome == "accepted" ? nil : $0.error }
    } else if common?.nextTextWaitsFor != TextObstacle.notDue.name {
      (waitsFor, reason, at) = (common?.nextTextWaitsFor, common?.nextTextReason, until)
    }
  }

  /// Whether what keeps all texts is over when a passage is due by itself.
  private static func isOver(_ obstacle: String?, _ until: WallTime?, by due: WallTime) -> Bool {
    guard let obstacle else { return true }
    if let until { return until <= due || obstacle == TextObstacle.notDue.name }
    // What is being sent or asked now is over by then; nothing else is by itself.
    return [TextObstacle.sending.name, TextObstacle.serverUnknown.name].contains(obstacle)
  }
}
