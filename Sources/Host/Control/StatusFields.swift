public import Control
public import JSON
public import NodeCore
import NodeSQLite
import NodeService
import Time

/// The parts of a status as JSON; the same in the service and in the command.
public enum StatusFields {
  /// The budgets: of all modems together, and of each.
  static func budget(_ report: NodeReport) -> [String: JSONValue] {
    var fields: [String: JSONValue] = ["worst_day": .integer(Int64(report.node.worstDay))]
    for window in BudgetWindow.allCases {
      let use = report.node.budget(window)
      fields["\(window.rawValue)_used"] = .integer(Int64(use.used))
      fields["per_\(window.rawValue)"] = .integer(Int64(use.limit))
    }
    fields["opens_in_seconds"] = report.node.budgetOpens.flatMap { opens in
      opens.nanoseconds == .max ? nil : .integer((opens - report.time).wholeSeconds)
    }
    fields["modems"] = .list(
      report.node.modems.map { modem in
        var object: [String: JSONValue] = ["name": .text(modem.name)]
        for use in modem.budget {
          object["\(use.window.rawValue)_remaining"] = .integer(Int64(use.remaining))
        }
        return .object(object)
      })
    return fields
  }

  /// What is known of a service that did not answer: one that is busy or mute runs all the same, and of
  /// one whose socket may not be used nobody can tell.
  public static func service(_ error: ControlError) -> [String: JSONValue] {
    let isRunning: JSONValue =
      switch error {
      case .notRunning: false
      case .busy, .timedOut, .noAnswer: true
      default: nil
      }
    return ["running": isRunning, "answers": false, "reason": .text(error.description)]
  }

  /// What somebody has to know of the queue.
  public static func queueAlarms(_ status: [String: JSONValue]) -> [String] {
    let lost = [
      ("undelivered", "text was, as the network reports, not delivered"),
      ("unknown", "text may have left or not"),
    ]
    let texts = lost.compactMap { name, words -> String? in
      guard let count = status["queue"]?["text_\(name)"]?.integer, count > 0 else { return nil }
      return
        "\(count) passage\(count == 1 ? "" : "s") whose \(words): nothing more is sent by itself;"
        + " see `checkpost queue list --status \(name)`, and queue retry or queue park each"
    }
    return texts + [undatedAlarm(status), roomAlarm(status)].compactMap { $0 }
  }

  /// What to say of passages that were recorded while the clock had not been set; nil without any.
  private static func undatedAlarm(_ status: [String: JSONValue]) -> String? {
    guard let count = status["queue"]?["undated"]?.integer, count > 0 else { return nil }
    return
      "\(count) passage\(count == 1 ? "" : "s") without a time, recorded while the clock had not been"
      + " set: kept, and not texted; set the clock (timedatectl), and queue park those that are known"
  }

  /// What to say when the node's file system takes no other passage; nil when it does.
  private static func roomAlarm(_ status: [String: JSONValue]) -> String? {
    if status["queue"]?["read_only"]?.flag == true {
      return
        "the disk of the node's database is read-only, so no passage is recorded; look at the kernel's"
        + " log, and mount it read-write again"
    }
    guard let free = status["queue"]?["free_bytes"]?.integer,
      free < NodeSQLite.Limits.reserveBytes
    else { return nil }
    return
      "\(size(free)) are free where the node's database lies, so no passage is recorded; make room"
      + " on that disk"
  }

  /// A size for people.
  public static func size(_ bytes: Int64) -> String {
    switch bytes {
    case ..<(1 << 20): "\(bytes >> 10) KiB"
    case ..<(1 << 30): "\(bytes >> 20) MiB"
    default: "\(bytes >> 30) GiB"
    }
  }

  /// The queue in numbers.
  public static func queue(_ overview: StoreOverview) -> [String: JSONValue] {
    var fields: [String: JSONValue] = [
      "pending": .integer(Int64(overview.pending)),
      "in_flight": .integer(Int64(overview.inFlight)),
      "synced": .integer(Int64(overview.synced)),
      "failed": .integer(Int64(overview.failed)),
      "waiting_for_text": .integer(Int64(overview.waitingForText)),
      "texted": .integer(Int64(overview.texted)),
      "text_undelivered": .integer(Int64(overview.undelivered)),
      "text_unknown": .integer(Int64(overview.unknownTexts)),
      "parked": .integer(Int64(overview.parked)),
      "undated": .integer(Int64(overview.undated)),
      "texts_last_day": .integer(Int64(overview.textsLastDay)),
      "database_bytes": .integer(overview.databaseBytes),
    ]
    fields["oldest_pending_seconds"] = overview.oldestPendingAge.map {
      .integer($0.wholeSeconds)
    }
    fields["last_text_at"] = overview.lastTextAt.map { .text($0.rfc3339) }
    fields["free_bytes"] = overview.freeBytes.map { .integer($0) }
    fields["read_only"] = .flag(overview.isReadOnly)
    return fields
  }
}
