import Events
import NodeCore
import Storage
import Time

extension NodeRound {
  /// Removes passages that the server has, the oldest first and a few at a time: those that it has had for
  /// as long as the settings keep them, and as many as there are while the storage is full. Their
  /// photographs belong to no passage then, and are swept with those.
  mutating func prune() throws(StorageError) {
    if let keep = settings.keep, moment.boot > .zero + keep {
      try prune(before: moment.boot - keep, " had for longer than storage.keep", "keep")
    }
    guard let capacity = settings.capacity, try transaction.usedBytes() >= capacity else { return }
    try prune(before: nil, ", since storage.capacity is used up", "capacity")
  }

  private mutating func prune(
    before time: BootInstant?, _ why: String, _ reason: String
  ) throws(StorageError) {
    let pruned = try transaction.prune(
      syncedBefore: time, limit: Limits.prunedAtOnce, at: moment)
    guard pruned.passages > 0 else { return }
    let count = "\(pruned.passages) passage\(pruned.passages == 1 ? "" : "s")"
    try log(
      Event(
        "passages_pruned", .info, at: moment.wall,
        words: "\(count) removed that the server has\(why)",
        fields: [
          EventField("passages", .integer(Int64(pruned.passages))),
          EventField("reason", .text(reason)),
        ]))
  }
}
