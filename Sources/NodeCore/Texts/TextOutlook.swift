public import Time

/// What keeps the next passage from leaving as a text.
public enum TextObstacle: Hashable, Sendable {
  /// There is connectivity, so passages go to the server.
  case online
  /// The server was asked whether it is there and has not answered yet.
  case serverUnknown
  /// The server is there and takes nothing; texts leave only if that lasts.
  case serverDown(reason: String)
  /// Connectivity has not been absent for long enough.
  case offlineLately
  /// It is quiet at this hour, and the passage is not urgent.
  case quietHours
  /// No number to text to is configured.
  case noGateway
  /// None of the modems can send; each reason names its modem where there are several.
  case modemUnable(reason: String)
  /// All modems that can send are at it.
  case sending
  /// The modem that is free first is left alone after an outcome.
  case modemPaused(reason: String, needsOperator: Bool)
  /// What the modem that is free first may send is used up.
  case budget(BudgetUse)
  /// Every number that could be texted to is left alone after a refusal.
  case gatewayRests(reason: String)
  /// The store takes nothing.
  case storage(reason: String)
  /// The service is ending.
  case stopping
  /// The passage has not waited long enough yet, or has to wait after its last text.
  case notDue
  /// The server takes others and not this one, which has not waited long enough for that.
  case notTaken

  /// Its name in snake_case, which never changes.
  public var name: String {
    switch self {
    case .online: "online"
    case .serverUnknown: "server_unknown"
    case .serverDown: "server_down"
    case .offlineLately: "offline_lately"
    case .quietHours: "quiet_hours"
    case .noGateway: "no_gateway"
    case .modemUnable: "modem_unable"
    case .sending: "sending"
    case .modemPaused: "modem_paused"
    case .budget: "budget"
    case .gatewayRests: "gateway_rests"
    case .storage: "storage"
    case .stopping: "stopping"
    case .notDue: "not_due"
    case .notTaken: "not_taken"
    }
  }

  /// Why no text leaves, for people.
  public var words: String {
    switch self {
    case .online: "the server answers, so passages go to it"
    case .serverUnknown: "the server is being asked whether it is there"
    case .serverDown(let reason): "the server is there and takes nothing: \(reason)"
    case .offlineLately: "connectivity has not been absent for long"
    case .quietHours: "only urgent passages are texted at this hour (node.sms.quiet_hours)"
    case .noGateway: "no number to text to is configured (node.gateway)"
    case .modemUnable(let reason): reason
    case .sending: "another text is being sent"
    case .modemPaused(let reason, let needsOperator):
      needsOperator ? "the modem stopped after \(reason)" : "the modem pauses after \(reason)"
    case .budget(let use): "\(use.window.rawValue) budget used (\(use.used) of \(use.limit))"
    case .gatewayRests(let reason): "the gateway number rests after \(reason)"
    case .storage(let reason): "nothing can be written: \(reason)"
    case .stopping: "the service is ending"
    case .notDue: "not due yet"
    case .notTaken: "the server did not take it; it goes as a text if that lasts"
    }
  }
}

/// Whether a text may leave now, and if not, why, and from when on.
public struct TextOutlook: Hashable, Sendable {
  /// What keeps it; nil when a passage that is due goes at once.
  public var obstacle: TextObstacle?
  /// When that is over by the passing of time alone; nil when it takes something else.
  public var until: BootInstant?

  /// An outlook.
  public init(_ obstacle: TextObstacle? = nil, until: BootInstant? = nil) {
    self.obstacle = obstacle
    self.until = until
  }

  /// The outlook of a passage that is due at a moment: whatever ends later.
  public func forPassage(due: BootInstant, at now: BootInstant) -> TextOutlook {
    guard due > now else { return self }
    switch (obstacle, until) {
    case (nil, _): return TextOutlook(.notDue, until: due)
    // A text that is being sent now is over by then.
    case (.sending, nil), (.serverUnknown, nil): return TextOutlook(.notDue, until: due)
    case (_, nil): return self
    case (_, let until?): return until >= due ? self : TextOutlook(.notDue, until: due)
    }
  }
}

extension NodeSnapshot {
  /// What the text that leaves next waits for: all of them for the line, or the one of a passage that the server does
  /// not take, though it takes others.
  ///
  /// - Parameter due: When the first passage has waited long enough for its text.
  public func nextText(due: BootInstant, at now: BootInstant) -> TextOutlook {
    let all = outlook.forPassage(due: due, at: now)
    switch all.obstacle {
    case .online, .serverDown, .offlineLately: break
    default: return all
    }
    guard let untakenDue, untakenDue > now, all.until.map({ untakenDue < $0 }) ?? true else {
      return all
    }
    return TextOutlook(.notTaken, until: untakenDue)
  }
}

extension TextDelivery {
  /// Why no passage is texted just now. The order is that in which ``text(at:_:)`` asks.
  ///
  /// - Parameters:
  ///   - connectivity: whether passages can go to the server.
  ///   - storageReason: why the store takes nothing, if it does not.
  func outlook(
    _ connectivity: ConnectivityState, storageReason: String?, at now: BootInstant
  ) -> TextOutlook {
    if isStopping { return TextOutlook(.stopping) }
    if let heldUntil, heldUntil > now {
      return TextOutlook(.storage(reason: storageReason ?? "it failed"), until: heldUntil)
    }
    if rules.gateways.isEmpty { return TextOutlook(.noGateway) }
    switch connectivity {
    case .online: return TextOutlook(.online)
    case .unknown: return TextOutlook(.serverUnknown)
    case .impaired, .offline: break
    }
    if case .opens(let at) = gate, at > now {
      guard case .impaired(let impairment) = connectivity else {
        return TextOutlook(.offlineLately, until: at)
      }
      return TextOutlook(.serverDown(reason: impairment.words), until: at)
    }
    let quiet = quietUntil.flatMap { $0 > now ? $0 : nil }
    let modem = modemOutlook(at: now)
    if modem.obstacle != nil, modem.until == nil { return modem }
    let gateway = gatewayOutlook(at: now)
    let outlook = gateway.until ?? .zero > modem.until ?? .zero ? gateway : modem
    if let quiet, quiet > outlook.until ?? .zero { return TextOutlook(.quietHours, until: quiet) }
    return outlook
  }

  /// What keeps the modem that is free first.
  private func modemOutlook(at now: BootInstant) -> TextOutlook {
    var best: TextOutlook?
    for modem in modems where modem.canSend && modem.flight == nil {
      let next = modem.outlook(at: now)
      guard next.obstacle != nil else { return next }
      if let known = best?.until, let until = next.until, known <= until { continue }
      if best?.until != nil, next.until == nil { continue }
      best = next
    }
    // What is on its way ends within minutes, a pause or a budget mostly later.
    if isSending { return TextOutlook(.sending) }
    return best ?? TextOutlook(.modemUnable(reason: unableWords))
  }

  private var unableWords: String {
    modems.indices.map { index in
      let reason = modems[index].reason ?? "it is not ready yet"
      let name = modems.count > 1 ? "modem \(name(of: ModemID(index)))" : "the modem"
      return "\(name) cannot send: \(reason)"
    }.joined(separator: "; ")
  }

  private func gatewayOutlook(at now: BootInstant) -> TextOutlook {
    guard let free = gatewayFree(at: now), free > now else { return TextOutlook() }
    let reasons = rules.gateways.compactMap { number in
      gateways[number].flatMap { $0.restUntil == free ? $0.reason : nil }
    }
    return TextOutlook(.gatewayRests(reason: reasons.first ?? "a refusal"), until: free)
  }
}

extension TextModem {
  /// What keeps this modem, which can send and is not at it: a pause or its budget, whichever is longer.
  fileprivate func outlook(at now: BootInstant) -> TextOutlook {
    var pause = TextOutlook()
    if let holdUntil, holdUntil > now {
      let reason = holdReason ?? "a text that failed"
      pause = TextOutlook(
        .modemPaused(reason: reason, needsOperator: needsOperator), until: holdUntil)
    }
    guard let (window, until) = budget.exhausted(at: now) else { return pause }
    let use = TextObstacle.budget(budget.use(of: window, at: now))
    // A budget of nothing never opens.
    guard until.nanoseconds != .max else { return TextOutlook(use) }
    return until >= pause.until ?? .zero ? TextOutlook(use, until: until) : pause
  }
}
