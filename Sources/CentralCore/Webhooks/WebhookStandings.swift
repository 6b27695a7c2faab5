public import Time

/// How often requests of a provider were refused for one reason since its last text was taken.
public struct WebhookTally: Hashable, Sendable {
  /// The path that the provider calls.
  public var path: String
  /// The reason.
  public var kind: WebhookRefusal.Kind
  /// The same in words, of the last one.
  public var words: String
  /// How many were refused for it.
  public var count: Int
  /// When the first of these came.
  public var since: WallTime
  /// When the last of these came.
  public var last: WallTime

  /// What they were refused for.
  public init(
    path: String, kind: WebhookRefusal.Kind, words: String, count: Int, since: WallTime,
    last: WallTime
  ) {
    self.path = path
    self.kind = kind
    self.words = words
    self.count = count
    self.since = since
    self.last = last
  }
}

/// What was refused to each provider since its last text was taken: it is kept in the store, so that a restart
/// forgets none of it, and counted here, so that nobody who calls waits for the store.
public struct WebhookStandings: Hashable, Sendable {
  private var tallies: [String: [WebhookRefusal.Kind: WebhookTally]] = [:]
  /// Paths of which something is known that the store does not have yet.
  private var changed: Set<String> = []
  /// Whether what the store had at the start was read.
  public private(set) var isRead = false
  /// Paths of which what the store had at the start counts no more.
  private var cleared: Set<String> = []
  private var isAllCleared = false

  /// Nothing.
  public init() {}

  /// Whether the store has to be told of something.
  public var isChanged: Bool { !changed.isEmpty }

  /// A request was refused.
  ///
  /// - Returns: Whether it counts.
  @discardableResult
  public mutating func refused(
    _ refusal: WebhookRefusal, by path: String, at wall: WallTime
  ) -> Bool {
    // That nothing can be kept is told as what it is, and that too much is no passage as well.
    guard refusal.kind != .storage, refusal.kind != .crowded else { return false }
    var tally =
      tallies[path]?[refusal.kind]
      ?? WebhookTally(
        path: path, kind: refusal.kind, words: "", count: 0, since: wall, last: wall)
    (tally.words, tally.last) = (refusal.words, wall)
    tally.count += 1
    tallies[path, default: [:]][refusal.kind] = tally
    changed.insert(path)
    return true
  }

  /// A text was taken.
  ///
  /// - Returns: Whether that changes anything.
  @discardableResult
  public mutating func took(by path: String) -> Bool {
    if !isRead { cleared.insert(path) }
    guard tallies.removeValue(forKey: path) != nil else { return false }
    changed.insert(path)
    return true
  }

  /// Something else is expected of providers: what was refused before says nothing of them.
  public mutating func forget() {
    if !isRead { isAllCleared = true }
    changed.formUnion(tallies.keys)
    tallies = [:]
  }

  /// Takes what the store has: that of the time before the start, and what others who use it met since.
  public mutating func read(_ kept: [WebhookTally]) {
    var known: [String: [WebhookRefusal.Kind: WebhookTally]] = [:]
    for tally in kept where isRead || !isAllCleared && !cleared.contains(tally.path) {
      known[tally.path, default: [:]][tally.kind] = tally
    }
    for path in changed {
      let own = tallies[path]
      // What was met before the store could be read comes on top.
      known[path] =
        isRead || own == nil
        ? own : known[path]?.merging(own ?? [:], uniquingKeysWith: Self.sum) ?? own
    }
    if !isRead { changed.formUnion(Set(kept.map(\.path)).subtracting(known.keys)) }
    tallies = known
    isRead = true
    cleared = []
  }

  private static func sum(_ old: WebhookTally, _ new: WebhookTally) -> WebhookTally {
    var sum = new
    sum.count += old.count
    sum.since = min(old.since, new.since)
    return sum
  }

  /// All that is to be kept of paths of which something changed, by these; the store has it from then on.
  public mutating func change() -> [String: [WebhookTally]] {
    defer { changed = [] }
    return Dictionary(
      uniqueKeysWithValues: changed.map { path in
        (path, tallies[path].map { $0.values.sorted { $0.kind.rawValue < $1.kind.rawValue } } ?? [])
      })
  }

  /// The store could not be told of a change: it is told again.
  public mutating func giveBack(_ change: [String: [WebhookTally]]) {
    changed.formUnion(change.keys)
  }

  /// The reason that most had of each provider, in the order of their paths; none where nothing was refused.
  public var worst: [WebhookTally] {
    tallies.values.compactMap { kinds in
      kinds.values.max {
        ($0.count, $1.kind.rawValue) < ($1.count, $0.kind.rawValue)
      }
    }.sorted { $0.path < $1.path }
  }
}
