import Control
import Host
import NodeCore
import NodeSQLite
import PassageFiles
import Passages
import Settings
import Time

/// What is known around a passage that was just recorded: what happens to it next, and what a person would
/// want to hear of it. It is asked of the service, or read from the database where none runs.
struct RecordLook {
  /// What the service tells of the passage; nil where none runs.
  var report: RecentPassage?
  /// What is strange about it.
  var warnings: [EntryWarning] = []

  /// Passages that are looked at whether the same vehicle is among them.
  private static let recent = 30

  /// Looks around a passage.
  ///
  /// - Parameter store: The database where it was recorded without a service.
  init(
    at recorded: PassageRecording.Recorded, socket: String, store: SQLiteNodeStore?, now: WallTime
  ) {
    let passage = recorded.request.passage
    var answer: Operations.Passages.Answer?
    if recorded.keptIn == nil {
      answer = try? ControlClient(path: socket).ask(
        Operations.Passages(last: RecordLook.recent), timeout: .seconds(2))
      if answer == nil, let store {
        var query = QueueQuery()
        query.beforeID = .max
        query.limit = RecordLook.recent
        answer = (try? store.list(query)).map { items in
          Operations.Passages.Answer(passages: items.map { RecentPassage($0) })
        }
      } else {
        report = answer?.passages.first { $0.queueID == recorded.outcome.queueID }
      }
    }
    guard case .recorded(_, let number) = recorded.outcome else { return }
    warnings = EntryWarning.of(passage, now: now, posts: answer?.posts)
    let others = (answer?.passages ?? []).filter { $0.next != "withdrawn" }.compactMap { other in
      WallTime(rfc3339: other.recordedAt).map {
        (queueID: other.queueID, plate: other.plate, checkpost: other.checkpost, at: $0)
      }
    }
    if !passage.isUndated,
      let same = EntryWarning.sameVehicle(as: passage, numbered: number, among: others)
    {
      warnings.append(same)
    }
  }
}
