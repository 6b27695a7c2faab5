import Events
import NodeCore
import Storage
import Time

extension NodeRound {
  /// Removes passages that the server has had for as long as the settings keep them, a few at a time. Their
  /// photographs belong to no passage then, and are swept with those.
  mutating func prune() throws(StorageError) {
    guard let keep = settings.keep, moment.boot > .zero + keep else { return }
    let pruned = try transaction.prune(
      syncedBefore: moment.boot - keep, limit: Limits.prunedAtOnce, at: moment)
    guard pruned.passages > 0 else { return }
    let count = "\(pruned.passages) passage\(pruned.passages == 1 ? "" : "s")"
    try log(
      Event(
        "passages_pruned", .info, at: moment.wall,
        words: "\(count) removed that the server has had for longer than storage.keep"))
  }
}
