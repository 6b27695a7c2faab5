import Events

extension ServiceStatus {
  /// Whether all is well: nothing is known to be wrong, nothing is overdue, and nothing waits for a decision.
  /// What waits for longer than usual is a problem by itself, so this needs no list of reasons.
  public var isWell: Bool {
    (problems ?? []).isEmpty && (alarms ?? []).isEmpty && (queue?.stuck ?? 0) == 0
      && (queue?.failed ?? 0) == 0 && (sync?.refused ?? 0) == 0 && sync?.state != "error"
  }

  /// How the service stands, in one line: the first problem, or what it does.
  public var headline: String {
    let all = problems ?? []
    if let first = all.first(where: { $0.severity == .critical }) ?? all.first {
      let more = all.count > 1 ? " (and \(all.count - 1) more; `checkpost status`)" : ""
      return first.what + more
    }
    return [
      queue.map { "\($0.waitingForText) waiting, \($0.texted) texted" },
      central.map { "\($0.passages) passages arrived, \($0.undecodable) in the inbox" },
      modems?.first.flatMap(\.stateWords).map { "modem \($0)" },
      connectivity.map { "server \($0.state)" },
    ].compactMap { $0 }.joined(separator: "; ")
  }
}
