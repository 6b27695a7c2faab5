import Control
import NodeCore
import Time

extension SyncReport {
  /// What a node tells of its way to the server.
  init(_ node: NodeSnapshot, at moment: Moment) {
    self.init(state: node.sync.name)
    reason = node.sync.reason
    switch node.sync {
    case .syncing(let done, let total):
      (self.done, self.total) = (done, total)
    case .retrying(_, let until):
      self.until = until.map { moment.wall(at: $0).rfc3339 }
    case .off, .idle, .error: break
    }
    level = node.level.rawValue
    lastSyncedAt = node.memory.lastSyncedAt?.rfc3339
    lastPulledAt = node.memory.lastPulledAt?.rfc3339
    checkpost = node.memory.directory?.profile.post?.code
    opposite = node.memory.directory?.opposite?.code
  }
}
