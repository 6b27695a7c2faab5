import Time

/// Whether a server that answers questions can be handed passages: they need a session, and the server's
/// names for this place.
enum ServerStanding: Hashable, Sendable {
  /// Nothing of this keeps them, or nobody knows yet.
  case open
  /// It was wrong when the server was asked last, perhaps before this start or these settings, and may be
  /// right by now: no text is paid for before the server was asked again, and since when it was stays known.
  case doubtful
  /// They cannot go, for that reason.
  case hindered(Impairment)
}

extension ServerSide {
  /// Whether passages can go as far as session and place are concerned.
  func standing(at now: BootInstant) -> ServerStanding {
    if let hindrance = signIn.hindrance(at: now) { return .hindered(hindrance) }
    let isOut = signIn.isNeeded && !signIn.isReady(at: now)
    return isOut && directory.standing == .open ? .doubtful : directory.standing
  }
}

extension SignIn {
  /// Why there is no session; nil while there is one, and while nothing but time is missing.
  fileprivate func hindrance(at now: BootInstant) -> Impairment? {
    guard isNeeded, !isReady(at: now) else { return nil }
    if alarm != nil { return .credential }
    return trouble.map { .trouble($0) }
  }
}

extension DirectoryWatch {
  /// Whether passages can go as far as this is concerned. A server that fails when it is asked says nothing
  /// of the post: only one that tells can be wrong about it.
  fileprivate var standing: ServerStanding {
    guard let fault else { return .open }
    if isTold { return .hindered(.place(fault)) }
    switch notTold?.kind {
    case .denied, .absent, .rejected, .reference, .duplicate: return .hindered(.place(fault))
    case .trouble(let trouble): return .hindered(.trouble(trouble))
    // What became of the call tells of these: the line, or what is shown.
    case .outage, .credential, nil: break
    }
    if silences >= Limits.directorySilences { return .hindered(.unanswered) }
    return directory == nil ? .open : .doubtful
  }
}
