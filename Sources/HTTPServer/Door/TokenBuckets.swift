import Time

/// How often each of many may do something: so many times a minute, of which all may come at once.
///
/// A bucket of tokens for each key, kept as the moment at which it is full again. What is full needs no
/// memory, and the table is bounded: when it has grown, those that were used the longest ago are
/// forgotten, as if they were full.
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
  private static var window: Duration { .seconds(60) }

  private let step: Duration
  private let rows: Int
  /// What was used since ``older`` was begun anew, and before.
  private var recent: [Key: BootInstant] = [:]
  private var older: [Key: BootInstant] = [:]

  /// Buckets that are full.
  ///
  /// - Parameters:
  ///   - perMinute: Tokens that a bucket has, and that come to it in a minute; at least 1.
  ///   - rows: Keys that are remembered at least; twice as many at most.
  init(perMinute: Int, rows: Int) {
    precondition(perMinute > 0 && rows > 0)
    step = Self.window / perMinute
    self.rows = rows
  }

  /// How long it is until there is a token for a key; nil when there is one.
  func wait(for key: Key, at now: BootInstant) -> Duration? {
    let wait = fullAgain(key, now) + step - Self.window - now
    return wait > .zero ? wait : nil
  }

  /// Takes a token for a key.
  ///
  /// - Returns: Nil when there was one; otherwise how long it is until there is, and nothing was taken.
  mutating func take(_ key: Key, at now: BootInstant) -> Duration? {
    if let wait = wait(for: key, at: now) { return wait }
    let moment = fullAgain(key, now) + step
    if recent[key] == nil, recent.count >= rows {
      older = recent
      recent = [:]
    }
    recent[key] = moment
    return nil
  }

  /// Keys that are remembered.
  var count: Int { recent.count + older.count { recent[$0.key] == nil } }

  /// When the bucket of a key is full, never later than a whole window from now on.
  private func fullAgain(_ key: Key, _ now: BootInstant) -> BootInstant {
    min(max(recent[key] ?? older[key] ?? now, now), now + Self.window)
  }
}
