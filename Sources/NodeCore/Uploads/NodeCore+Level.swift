import Time

extension NodeCore {
  /// How much of its work the node can do at `now`.
  func level(at now: BootInstant) -> DegradationLevel {
    if connectivity.state(at: now) == .online { return .fullOnline }
    return connectivity.textsMayLeave(at: now) == .open && !rules.gateways.isEmpty
      ? .smsLastResort : .coreOffline
  }
}

extension ConnectivityState {
  /// Why passages cannot go to the server; nil while they can, and before anybody knows.
  var absence: String? {
    switch self {
    case .online, .unknown: nil
    case .impaired(let impairment): impairment.words
    case .offline(let reason): reason.words
    }
  }
}
