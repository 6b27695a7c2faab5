/// What is known of the server's names for this place, as far as it tells whether passages can go: without
/// them a server that answers every question takes none.
enum PlaceStanding: Hashable, Sendable {
  /// Nothing of this keeps them, or nobody knows yet.
  case open
  /// It was wrong when the server was asked last, before this start or these settings; it may be right by
  /// now, so no text is paid for before the server was asked again.
  case doubtful
  /// They cannot go, for that reason.
  case hindered(Impairment)
}

extension DirectoryWatch {
  /// Whether passages can go as far as this is concerned. A server that fails when it is asked says nothing
  /// of the post: only one that tells can be wrong about it.
  var standing: PlaceStanding {
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
