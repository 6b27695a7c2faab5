/// What whoever uses the modem is told of it.
extension ModemSession {
  /// Tells the status when it changed.
  mutating func publish() {
    status.state = state
    status.canSend =
      phase == .idle && isRegistered && !isStopping && texts.count < Limits.waitingTexts
    status.registration = registrationWords
    status.supply = supply.verdict?.words
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
      card.lockReason.map { .simLocked($0) } ?? unfitReason.map { .failed($0) } ?? .probing
    case .restarting, .resetting: .resetting
    case .locked:
      unfitReason.map { .failed($0) } ?? .simLocked(status.lastError ?? "the SIM wants a code")
    case .idle: isRegistered ? .ready : .registering
    }
  }
}
