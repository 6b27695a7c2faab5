public import Time

/// Slows down whoever guesses: by the name that is tried and by the address that tries.
///
/// An attempt counts as failed from its beginning, so that a thousand at once are a thousand; one that
/// succeeds is taken back. Beyond a few, each makes the next wait twice as long. Whether a name is somebody's
/// plays no part. It lives in memory and on the boot clock, so that no change of the time opens it; a
/// restart forgets it.
public struct SignInGate: Sendable {
  /// When an attempt has to wait.
  public struct Rules: Hashable, Sendable {
    /// Failures of one name that cost nothing.
    public var freePerName = 5
    /// Failures of one address that cost nothing: a network's whole country may have one.
    public var freePerAddress = 50
    /// The first wait; it doubles with each further failure.
    public var firstWait: Duration = .seconds(2)
    /// The longest wait.
    public var longestWait: Duration = .seconds(900)
    /// Failures are forgotten when there was none for so long.
    public var forgottenAfter: Duration = .seconds(3_600)

    /// The rules as they are by default.
    public init() {}
  }

  /// Whether an attempt may go on.
  public enum Answer: Hashable, Sendable {
    /// It may; tell by ``SignInGate/succeeded(_:)`` when it was right.
    case goOn(Attempt)
    /// It is not looked at before so much time has passed.
    case wait(Duration)
  }

  /// An attempt that goes on.
  public struct Attempt: Hashable, Sendable {
    let keys: [Key]
  }

  enum Key: Hashable, Sendable {
    case name(String)
    case address(String)
  }

  private struct Entry: Sendable {
    var failures: Int
    var last: BootInstant
    var opensAt: BootInstant
  }

  private let rules: Rules
  private let most: Int
  private var entries: [Key: Entry] = [:]

  /// A gate that knows of no failures.
  public init(rules: Rules = Rules()) {
    self.init(rules: rules, most: Limits.gateEntries)
  }

  init(rules: Rules, most: Int) {
    self.rules = rules
    self.most = most
  }

  /// How many names and addresses are remembered.
  var count: Int { entries.count }

  /// Somebody tries.
  ///
  /// - Parameters:
  ///   - name: The name as it is looked up, whether anybody has it or not; nil for what is shown without one.
  ///   - address: Where it comes from; nil where that is not known.
  public mutating func begin(name: String?, address: String?, at now: BootInstant) -> Answer {
    let keys = [name.map { Key.name($0) }, address.map { Key.address($0) }].compactMap { $0 }
    let waits = keys.compactMap { key -> Duration? in
      guard let entry = entries[key], entry.opensAt > now else { return nil }
      return entry.opensAt - now
    }
    if let longest = waits.max() { return .wait(longest) }
    for key in keys { fail(key, at: now) }
    return .goOn(Attempt(keys: keys))
  }

  /// An attempt was right: nothing of its name is held against it any more, and its address is not charged.
  public mutating func succeeded(_ attempt: Attempt) {
    for key in attempt.keys {
      switch key {
      case .name: entries[key] = nil
      case .address: takeBack(key)
      }
    }
  }

  /// An attempt came to nothing without being wrong: what would have told was not to be had.
  public mutating func abandoned(_ attempt: Attempt) {
    for key in attempt.keys { takeBack(key) }
  }

  private mutating func takeBack(_ key: Key) {
    guard var entry = entries[key] else { return }
    entry.failures -= 1
    entry.opensAt = entry.last + wait(after: entry.failures, key)
    entries[key] = entry.failures > 0 ? entry : nil
  }

  private mutating func fail(_ key: Key, at now: BootInstant) {
    var entry = entries[key] ?? Entry(failures: 0, last: now, opensAt: now)
    if now - entry.last > rules.forgottenAfter { entry.failures = 0 }
    entry.failures += 1
    entry.last = now
    entry.opensAt = now + wait(after: entry.failures, key)
    if entries[key] == nil, entries.count >= most { makeRoom(at: now) }
    entries[key] = entry
  }

  private func wait(after failures: Int, _ key: Key) -> Duration {
    let free =
      switch key {
      case .name: rules.freePerName
      case .address: rules.freePerAddress
      }
    guard failures >= free else { return .zero }
    // Beyond 2^20 every wait is the longest.
    let doublings = min(failures - free, 20)
    return min(rules.firstWait * (1 << doublings), rules.longestWait)
  }

  /// Forgets what is old, and where nothing is, the half that failed the longest ago. Whoever fills it with
  /// names pays for each with the count of an address.
  private mutating func makeRoom(at now: BootInstant) {
    entries = entries.filter { now - $0.value.last <= rules.forgottenAfter }
    guard entries.count >= most else { return }
    let kept = entries.sorted { $0.value.last > $1.value.last }.prefix(most / 2)
    entries = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
  }
}
