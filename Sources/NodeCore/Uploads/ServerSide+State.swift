import Time

extension ServerSide {
  /// What the way to the server is doing.
  ///
  /// - Parameter absence: why the server is not there, if it is not.
  func state(absence: String?, at now: BootInstant) -> SyncState {
    guard rules.hasServer else { return .off }
    if let alarm = signIn.alarm { return .error(reason: alarm) }
    if reach != .none, let fault = directory.fault, fault != .unknown {
      return .error(reason: fault.words)
    }
    if uploads.attempt != nil, let progress = uploads.progress {
      return .syncing(done: progress.done, total: max(progress.total, progress.done))
    }
    if let reason = uploads.holdReason, let until = uploads.holdUntil, until > now {
      return .retrying(reason: reason, until: until)
    }
    if let absence, uploads.backlog > 0 { return .retrying(reason: absence, until: nil) }
    if let progress = uploads.progress {
      return .syncing(done: progress.done, total: max(progress.total, progress.done))
    }
    return .idle
  }
}
