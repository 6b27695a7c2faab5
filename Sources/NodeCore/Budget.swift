import Timing

/// How many texts may still go on air: so many in any minute, so many in any 24 hours.
///
/// The times are those of the intents in the store, on the clock that is carried over restarts, so
/// neither a reboot nor a jump of the wall clock gives a post a fresh budget.
struct Budget: Sendable {
  /// The window that is used up.
  enum Window: Hashable, Sendable {
    case minute
    case day
  }

  static let minute: Duration = .seconds(60)
  static let day: Duration = .seconds(86_400)

  private var perMinute = 0
  private var perDay = 0
  /// Times of the texts of the last day, oldest first.
  private var charges: [BootInstant] = []

  init(rules: NodeRules) {
    changeRules(rules)
  }

  mutating func changeRules(_ rules: NodeRules) {
    perMinute = min(max(rules.textsPerMinute, 0), Limits.textsPerMinute)
    perDay = min(max(rules.textsPerDay, 0), Limits.textsPerDay)
  }

  mutating func restore(_ times: [BootInstant]) {
    charges = Array(times.sorted().suffix(Limits.textsPerDay))
  }

  mutating func charge(at now: BootInstant) {
    forget(before: now)
    charges.append(now)
  }

  /// Gives back the charge made at `time`: the text never left.
  mutating func refund(chargedAt time: BootInstant) {
    if let index = charges.lastIndex(of: time) {
      charges.remove(at: index)
    }
  }

  /// The window that forbids a text now and when it opens again; nil when a text may go.
  func exhausted(at now: BootInstant) -> (window: Window, until: BootInstant)? {
    guard perDay > 0, perMinute > 0 else { return (.day, BootInstant(nanoseconds: .max)) }
    if let until = opens(after: Budget.day, limit: perDay, at: now) {
      return (.day, until)
    }
    if let until = opens(after: Budget.minute, limit: perMinute, at: now) {
      return (.minute, until)
    }
    return nil
  }

  /// Texts of the last minute and of the last day.
  func used(at now: BootInstant) -> (minute: Int, day: Int) {
    (
      charges.reversed().prefix { now - $0 < Budget.minute }.count,
      charges.reversed().prefix { now - $0 < Budget.day }.count
    )
  }

  private func opens(after window: Duration, limit: Int, at now: BootInstant) -> BootInstant? {
    guard charges.count >= limit else { return nil }
    // The text that is `limit` texts back must have left the window.
    let opens = charges[charges.count - limit] + window
    return opens > now ? opens : nil
  }

  private mutating func forget(before now: BootInstant) {
    let old = charges.prefix { now - $0 >= Budget.day }.count
    charges.removeFirst(old)
  }
}
