import Events
import NodeCore
import Storage
import Time

extension NodeRound {
  /// Removes passages that the server has, the oldest first and a few at a time: those that it has had for
  /// as long as the settings keep them. Where room is short, photographs that it has go first, and then as many
  /// passages as there are. The files of the photographs go with them.
  ///
  /// - Returns: Whether there may be more to remove.
  mutating func prune() throws(StorageError) -> Bool {
    if let keep = settings.keep, moment.boot > .zero + keep {
      let pruned = try transaction.prune(
        syncedBefore: moment.boot - keep, limit: Limits.prunedAtOnce, at: moment)
      tell(pruned, "that is longer ago than storage.keep", "keep")
    }
    guard settings.capacity != nil else { return false }
    let room = StorageRoom(
      usedBytes: try transaction.usedBytes(), freeBytes: freeBytes(),
      capacityBytes: settings.capacity)
    guard room.isShort else { return false }
    let given =
      room.isShortBySettings
      ? try makeRoom(passages: true, "storage.capacity is used up", "capacity")
      : try makeRoom(passages: false, "room is short on the disk", "disk")
    return !given.isEmpty
  }

  /// Gives up what can be spared, and has the files go of the photographs among it.
  mutating func makeRoom(
    passages: Bool, _ why: String, _ reason: String
  ) throws(StorageError) -> Pruned {
    let given = try transaction.makeRoom(
      passages: passages, limit: NodeCore.Limits.givenUpAtOnce, at: moment)
    tell(given, why, reason)
    return given
  }

  private mutating func tell(_ pruned: Pruned, _ why: String, _ reason: String) {
    if !pruned.photos.isEmpty { outputs.append(.removePhotos(pruned.photos)) }
    func told(_ name: String, _ count: Int, _ what: String) -> NodeOutput {
      .log(
        Event(
          name, .info, at: moment.wall,
          words:
            "\(count) \(what)\(count == 1 ? "" : "s") removed that the server has"
            + (what == "passage" ? ", or that were withdrawn" : "") + ", since \(why)",
          fields: [
            EventField(what == "passage" ? "passages" : "photos", .integer(Int64(count))),
            EventField("reason", .text(reason)),
          ]))
    }
    if pruned.passages > 0 {
      outputs.append(told("passages_pruned", pruned.passages, "passage"))
    } else if !pruned.photos.isEmpty {
      outputs.append(told("photos_pruned", pruned.photos.count, "photograph"))
    }
  }
}
