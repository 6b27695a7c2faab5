public import Time

/// Slows down whoever guesses: by the name that is tried and by the address that tries.
///
/// An attempt counts as failed from its beginning, so that a thousand at once are a thousand; one that
/// succeeds is taken back. Beyond a few, each makes the next wait twice as long. Whether a name is somebody's
/// plays no part. It lives in memory and on the boot clock, so that no change of the time opens it; a
/// restart forgets it.
///
/// Guessing somebody's name shuts nobody out: where that name signed in lately, what others try elsewhere does not
/// count; a name is never shut for long; and while it is shut, an address that has tried nothing yet gets in now and
/// then.
public struct SignInGate: Sendable {
  /// When an attempt has to wait.
  public struct Rules: Hashable, Sendable {
    /// Failures of one name that cost nothing.
    public var freePerName = 5
    /// Failures of one address that cost nothing: a network's whole country may have one.
    public var freePerAddress = 50
    /// The first wait; it doubles with each further failure.
    public var firstWait: Duration = .seconds(2)
    /// The longest wait of a name.
    public var longestWaitOfName: Duration = .seconds(60)
    /// The longest wait of an address.
    public var longestWait: Duration = .seconds(900)
    /// How often an address that has tried nothing yet may try a name that is shut, of all such addresses together.
    public var strangerEvery: Duration = .seconds(30)
    /// Failures are forgotten when there was none for so long.
    public var forgottenAfter: Duration = .seconds(3_600)
    /// How long it is remembered where a name signed in.
    public var rememberedFor: Duration = .seconds(30 * 86_400)

    /// The rules as they are by default.
    public init() {}
  }

  /// Whether an attempt may go on.
  public enum Answer: Hashable, Sendable {
    /// It may; tell by ``SignInGate/succeeded(_:at:)`` when it was right.
    case goOn(Attempt)
    /// It is not looked at before so much time has passed.
    case wait(Duration)
  }

  /// An attempt that goes on.
  public struct Attempt: Hashable, Sendable {
    let keys: [Key]
    let name: String?
    let address: String?
  }

  enum Key: Hashable, Sendable {
    case name(String)
    case address(String)
    /// A name where it signed in lately.
    case home(String, String)
  }

  private struct Entry: Sendable {
    var failures: Int
    var last: BootInstant
    var opensAt: BootInstant
    /// When an address that had tried nothing was let try last, though it was shut.
    var strangerAt: BootInstant?
  }

  private let rules: Rules
  private let most: Int
  private var entries: [Key: Entry] = [:]
  /// Where names signed in, and when they did last.
  private var homes: [Key: BootInstant] = [:]

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
    let keys = keys(name, address, at: now)
    let waits = keys.compactMap { key -> (key: Key, wait: Duration)? in
      guard let entry = entries[key], entry.opensAt > now else { return nil }
      return (key, entry.opensAt - now)
    }
    if let longest = waits.map(\.wait).max() {
      guard waits.count == 1, case .name = waits[0].key,
        isStrangerLetIn(waits[0].key, address, at: now)
      else { return .wait(longest) }
    }
    for key in keys { fail(key, at: now) }
    return .goOn(Attempt(keys: keys, name: name, address: address))
  }

  private func keys(_ name: String?, _ address: String?, at now: BootInstant) -> [Key] {
    if let name, let address {
      let home = Key.home(name, address)
      if let since = homes[home], now - since <= rules.rememberedFor { return [home] }
    }
    return [name.map { Key.name($0) }, address.map { Key.address($0) }].compactMap { $0 }
  }

  /// Whether an address that has tried nothing yet may try a name that is shut.
  private mutating func isStrangerLetIn(
    _ key: Key, _ address: String?, at now: BootInstant
  ) -> Bool {
    guard let address, entries[.address(address)] == nil, var entry = entries[key] else {
      return false
    }
    if let last = entry.strangerAt, now - last < rules.strangerEvery { return false }
    entry.strangerAt = now
    entries[key] = entry
    return true
  }

  /// An attempt was right: nothing of its name is held against it any more, its address is not charged, and it is known
  /// where the name signs in.
  public mutating func succeeded(_ attempt: Attempt, at now: BootInstant) {
    for key in attempt.keys {
      switch key {
      case .name, .home: entries[key] = nil
      case .address: takeBack(key)
      }
    }
    if let name = attempt.name { signsIn(name, at: attempt.address, now) }
  }

  /// A name proved itself there, by whatever means.
  public mutating func signsIn(_ name: String, at address: String?, _ now: BootInstant) {
    guard let address else { return }
    let home = Key.home(name, address)
    if homes[home] == nil, homes.count >= most {
      let kept = homes.sorted { $0.value > $1.value }.prefix(most / 2)
      homes = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
    homes[home] = now
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
      case .name, .home: rules.freePerName
      case .address: rules.freePerAddress
      }
    let longest =
      switch key {
      case .name, .home: rules.longestWaitOfName
      case .address: rules.longestWait
      }
    guard failures >= free else { return .zero }
    // Beyond 2^20 every wait is the longest.
    let doublings = min(failures - free, 20)
    return min(rules.firstWait * (1 << doublings), longest)
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
