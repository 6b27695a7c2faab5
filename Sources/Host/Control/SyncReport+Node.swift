import Control
import NodeCore
import Time

extension SyncReport {
  /// What a node tells of its way to the server, and its store of what is not there.
  init(_ node: NodeSnapshot, _ overview: StoreOverview?, at moment: Moment) {
    let sync = node.sync(overview)
    self.init(state: sync.name)
    reason = sync.reason
    waiting = overview.map { $0.uploadsOpen - $0.uploadsRefused }
    refused = overview?.uploadsRefused
    lastError = overview?.lastUploadError?.words
    lastErrorAt = overview?.lastUploadError?.at.rfc3339
    switch sync {
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
    let opposites = (node.memory.directory?.opposites ?? []).map(\.code)
    opposite = opposites.isEmpty ? nil : opposites.joined(separator: ",")
  }
}
