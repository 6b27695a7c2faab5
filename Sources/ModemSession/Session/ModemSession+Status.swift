/// What whoever uses the modem is told of it.
extension ModemSession {
  /// Tells the status when it changed.
  mutating func publish() {
    status.state = state
    status.canSend =
      phase == .idle && isRegistered && !isStopping && !sending.isFull
    status.registration = registration.words
    status.supply = supply.verdict?.words
    status.storages = storage.standing
    let home = storage.levels[storage.home]
    status.storageUsed = home?.used
    status.storageSize = home?.size
    status.storageLeftovers = home?.leftovers
    status.undeletable = status.storages.reduce(0) { $0 + $1.undeletable }
    guard status != published else { return }
    published = status
    effects.append(.event(.status(status)))
  }

  private var state: ModemState {
    switch phase {
    case .ended: .closed
    case .closed: status.lastError.map { .failed($0) } ?? .closed
    case .opening: .opening
    case .settling, .probing, .synchronising, .setup, .pausing, .claiming:
      sim.lockReason.map { .simLocked($0) } ?? setup.unfitReason.map { .failed($0) } ?? .probing
    case .restarting, .resetting: .resetting
    case .locked:
      setup.unfitReason.map { .failed($0) }
        ?? .simLocked(status.lastError ?? "the SIM wants a code")
    case .idle: isRegistered ? .ready : .registering
    }
  }
}
