public import Storage

/// What came of marking passages as handed on.
public struct HandingOn: Hashable, Sendable {
  /// Passages that are marked now.
  public var marked = 0
  /// Passages that were done already: the server has them, or they were marked before.
  public var done = 0
  /// Passages that are being sent at this moment, and are not marked.
  public var busy = 0

  /// Nothing was marked.
  public init() {}
}

extension NodeStore {
  /// Marks passages as handed on: somebody has brought them where they belong by another way, so that
  /// they are done: no text goes for them, and no upload. ``retry(_:at:)`` takes it back.
  public func handOn(
    _ queueIDs: some Sequence<Int64>, at moment: Moment
  ) throws(StorageError) -> HandingOn {
    try transaction { transaction throws(StorageError) in
      var result = HandingOn()
      for id in queueIDs {
        guard let standing = try transaction.standing(of: id) else { continue }
        if standing.status == .synced || standing.isHandedOn {
          result.done += 1
        } else if standing.status == .inFlight || standing.hasOpenText {
          result.busy += 1
        } else {
          try transaction.change(id, .handedOn(at: moment.wall))
          result.marked += 1
        }
      }
      return result
    }
  }
}
