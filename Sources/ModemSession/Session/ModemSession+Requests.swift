import Time

/// What is asked of the session.
extension ModemSession {
  mutating func take(_ request: ModemRequest, at now: BootInstant) {
    switch request {
    case .send(let text): accept(text)
    case .confirmStored(let token): storage.confirm(token)
    case .command(let id, let text, let timeout):
      accept(OperatorCommand(id: id, text: text, timeout: timeout))
    case .ussd(let id, let code): acceptUSSD(id, code)
    case .reset(let id, let step):
      let step = step ?? bestReset
      let refusal = reset(step, at: now)
      tell(
        .commandFinished(
          id: id, lines: refusal == nil ? [step.name] : [], final: refusal ?? "OK"))
    case .trace: break  // the shell's own
    case .sweep: storage.makeAllDue()
    case .stop:
      isStopping = true
      stopBy = stopBy ?? now + Limits.stopWithin
      if phase == .opening { phase = .closed(openAt: now) }
    }
  }
}
