/// The search for the port of one modem over time: which candidate is next, which were tried, and
/// where the modem was when it last worked.
///
/// Each try is reported back. A candidate that was opened and not accepted before the next search has
/// been given up, and the next one's turn has come; when all had their turn, it begins anew.
public struct PortSearch: Hashable, Sendable {
  /// What is searched for.
  public let selector: PortSelector
  /// The candidate that is open.
  public private(set) var current: PortCandidate?
  /// Where the modem was when it last worked.
  public private(set) var remembered: PortPlace?
  private var isAccepted = false
  /// The paths that had their turn, and why they were not it.
  private var tried: [String: String] = [:]
  /// The devices that turned out to be another modem.
  private var rejected: Set<String> = []
  private var triesOfThisSearch = 0
  /// The port that its modem tells nothing at, until another one of it is sought.
  private var deaf: PortPlace?

  /// A search that has not begun.
  public init(_ selector: PortSelector) {
    self.selector = selector
  }

  /// Begins to search, as the port is closed: what was open has been given up, or went away.
  public mutating func begin() {
    triesOfThisSearch = 0
    if isAccepted {
      startRound()
    } else if let current {
      tried[current.path] = tried[current.path] ?? "did not answer"
    }
    current = nil
    isAccepted = false
  }

  /// The next port to open; nil when there is none, or when each was tried in this search.
  public mutating func next(in inventory: PortInventory) -> PortCandidate? {
    let all = plan(in: inventory).candidates
    if let sibling = sibling(in: all) {
      triesOfThisSearch += 1
      return sibling
    }
    if let next = all.first(where: isUntried) {
      triesOfThisSearch += 1
      return next
    }
    guard triesOfThisSearch == 0, !all.isEmpty else { return nil }
    startRound()
    triesOfThisSearch = 1
    return all.first
  }

  /// The candidates that would have their turn after one, in order.
  public func others(than candidate: PortCandidate, in inventory: PortInventory) -> [PortCandidate]
  {
    plan(in: inventory).candidates.filter { $0.path != candidate.path && isUntried($0) }
  }

  /// The candidate could be opened.
  public mutating func opened(_ candidate: PortCandidate) {
    current = candidate
  }

  /// The candidate could not be opened.
  public mutating func failed(_ candidate: PortCandidate, reason: String) {
    tried[candidate.path] = reason
  }

  /// The modem at the port is the one that is wanted, and works.
  public mutating func accept(path: String) {
    guard let current, current.path == path else { return }
    isAccepted = true
    remembered = current.place
  }

  /// The modem at the port is the one that is wanted, and tells nothing by itself there: another of its
  /// ports, of those that are known to take commands, is the next to be opened, if it has one.
  public mutating func setAside(path: String) {
    guard let current, current.path == path else { return }
    deaf = current.place
  }

  /// Another port for commands of the modem that tells nothing at one of them; asked once.
  private mutating func sibling(in all: [PortCandidate]) -> PortCandidate? {
    guard let place = deaf else { return nil }
    deaf = nil
    return all.first { candidate in
      guard let other = candidate.place, isUntried(candidate) else { return false }
      return other.socket == place.socket && other.interface != place.interface
        && candidate.use != nil
    }
  }

  /// The modem at the port is not the one that is wanted; its other ports are not tried either.
  public mutating func reject(path: String, reason: String) {
    guard let current, current.path == path else { return }
    isAccepted = false
    tried[path] = reason
    guard let place = current.place else { return }
    rejected.insert(place.socket)
    if remembered == place { remembered = nil }
  }

  /// What there is for the selector now.
  public func plan(in inventory: PortInventory) -> PortPlan {
    PortPlan(selector, in: inventory, remembered: remembered)
  }

  /// Why no port could be opened, in one line.
  public func refusal(in inventory: PortInventory) -> String {
    let plan = plan(in: inventory)
    let reasons = plan.candidates.compactMap { candidate in
      tried[candidate.path].map { reason in
        reason.hasPrefix(candidate.path) ? reason : "\(candidate.path): \(reason)"
      }
    }
    return (reasons + plan.findings.map(\.words)).joined(separator: "; ")
  }

  private func isUntried(_ candidate: PortCandidate) -> Bool {
    tried[candidate.path] == nil
      && !(candidate.place.map { rejected.contains($0.socket) } ?? false)
  }

  private mutating func startRound() {
    tried = [:]
    rejected = []
  }
}
