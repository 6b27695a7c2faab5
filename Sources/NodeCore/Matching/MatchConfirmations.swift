public import Passages

/// Pairs that were found here and that the server is asked to confirm, once it has both passages and has
/// told what it calls them. The server matches by itself when it takes a passage; where it has done so
/// already, it says so, and that is that.
public struct MatchConfirmations: Hashable, Sendable {
  private struct Wanted: Hashable {
    var entry: ClientID
    var exit: ClientID
    var attempts = 0
  }

  private var wanted: [Wanted] = []
  private var names: [ClientID: String] = [:]
  private var asked: Wanted?

  /// None is wanted yet.
  public init() {}

  /// A pair was found. Of many the newest are kept.
  public mutating func found(_ travel: SpotTravel) {
    let pair = Wanted(entry: travel.entry.clientID, exit: travel.exit.clientID)
    guard !wanted.contains(where: { $0.entry == pair.entry && $0.exit == pair.exit }) else {
      return
    }
    wanted.append(pair)
    for end in [travel.entry, travel.exit] {
      if let name = end.serverID { names[end.clientID] = name }
    }
    if wanted.count > Limits.confirmations { wanted.removeFirst() }
    forgetNames()
  }

  /// The server told what it calls a passage, and whether that has a partner.
  public mutating func learned(_ client: ClientID, serverID: String, isMatched: Bool) {
    guard wanted.contains(where: { $0.entry == client || $0.exit == client }) else { return }
    if isMatched {
      wanted.removeAll { $0.entry == client || $0.exit == client }
      forgetNames()
    } else {
      names[client] = serverID
    }
  }

  /// The next pair to be confirmed; nil while there is none, or an answer is awaited.
  public mutating func next() -> ServerCall? {
    guard asked == nil else { return nil }
    for pair in wanted {
      guard let entry = names[pair.entry], let exit = names[pair.exit] else { continue }
      asked = pair
      return .match(entry: entry, exit: exit)
    }
    return nil
  }

  /// Whether a pair can be asked about now.
  public var isDue: Bool {
    asked == nil && wanted.contains { names[$0.entry] != nil && names[$0.exit] != nil }
  }

  /// Takes the answer. What was no word about the pair itself is asked again, a few times, after the
  /// others.
  public mutating func answered(_ failure: ServerFailure?) {
    guard var pair = asked else { return }
    asked = nil
    wanted.removeAll { $0.entry == pair.entry && $0.exit == pair.exit }
    switch failure?.kind {
    case .outage, .credential, .trouble:
      pair.attempts += 1
      if pair.attempts < Limits.attempts { wanted.append(pair) }
    case nil, .duplicate, .reference, .denied, .rejected, .absent:
      break
    }
    forgetNames()
  }

  private mutating func forgetNames() {
    let needed = Set(wanted.flatMap { [$0.entry, $0.exit] })
    names = names.filter { needed.contains($0.key) }
  }
}
