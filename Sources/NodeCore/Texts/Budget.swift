import Time

/// A stretch of time within which a SIM may send only so many texts. All of them roll: a month is any
/// 30 days, not one of the calendar.
public enum BudgetWindow: String, CaseIterable, Hashable, Sendable {
  /// Any 60 seconds.
  case minute
  /// Any 60 minutes.
  case hour
  /// Any 24 hours.
  case day
  /// Any 30 days.
  case month

  /// How long it is.
  public var length: Duration {
    switch self {
    case .minute: .seconds(60)
    case .hour: .seconds(3_600)
    case .day: .seconds(86_400)
    case .month: .seconds(30 * 86_400)
    }
  }
}

/// How much of a budget is used.
public struct BudgetUse: Hashable, Sendable {
  /// The stretch of time that it is for.
  public var window: BudgetWindow
  /// Texts that were begun within it and went on air or may have.
  public var used: Int
  /// Texts that may be begun within it.
  public var limit: Int

  /// A budget with what is used of it.
  public init(window: BudgetWindow, used: Int, limit: Int) {
    self.window = window
    self.used = used
    self.limit = limit
  }

  /// Texts that may still go.
  public var remaining: Int { max(0, limit - used) }
}

/// How many texts one SIM may still send, within each window.
///
/// The times are those of the intents in the store, on the clock that is carried over restarts, so
/// neither a reboot nor a jump of the wall clock gives a post a fresh budget. A text of several parts
/// costs as much as so many texts.
struct Budget: Hashable, Sendable {
  private var limits: [BudgetWindow: Int] = [:]
  /// Times of the texts of the last month, oldest first.
  private var charges: [BootInstant] = []
  /// Windows of which somebody was told that little is left.
  private var told: Set<BudgetWindow> = []

  init(rules: NodeRules) {
    changeRules(rules)
  }

  mutating func changeRules(_ rules: NodeRules) {
    for window in BudgetWindow.allCases {
      limits[window] = rules.limit(of: window)
    }
    told = []
  }

  mutating func restore(_ times: [BootInstant]) {
    charges = Array(times.sorted().suffix(Limits.textsPerMonth))
  }

  mutating func charge(at now: BootInstant, parts: Int = 1) {
    forget(before: now)
    charges.append(contentsOf: repeatElement(now, count: max(1, parts)))
  }

  /// Gives back the charge made at `time`: the text never left.
  mutating func refund(chargedAt time: BootInstant, parts: Int = 1) {
    for _ in 0..<max(1, parts) {
      guard let index = charges.lastIndex(of: time) else { return }
      charges.remove(at: index)
    }
  }

  /// The window that forbids a text of so many parts now, and when it opens again; of several, the one
  /// that opens last. Nil when the text may go.
  func exhausted(
    at now: BootInstant, parts: Int = 1
  ) -> (window: BudgetWindow, until: BootInstant)? {
    var found: (window: BudgetWindow, until: BootInstant)?
    for window in BudgetWindow.allCases {
      guard let until = opens(window, at: now, parts: max(1, parts)) else { continue }
      if let known = found?.until, known >= until { continue }
      found = (window, until)
    }
    return found
  }

  /// What is used within `window`.
  func use(of window: BudgetWindow, at now: BootInstant) -> BudgetUse {
    // Oldest first, so what counts still is found by halving.
    var low = 0
    var high = charges.count
    while low < high {
      let middle = (low + high) / 2
      if now - charges[middle] < window.length { high = middle } else { low = middle + 1 }
    }
    return BudgetUse(
      window: window, used: charges.count - low, limit: limits[window] ?? 0)
  }

  /// Windows of which four fifths are used now, each told once until half of it is free again. The
  /// minute is none of them: it is used up again and again while a queue empties.
  mutating func nearlyUsed(at now: BootInstant) -> [BudgetUse] {
    var found: [BudgetUse] = []
    for window in [BudgetWindow.hour, .day, .month] {
      let use = use(of: window, at: now)
      if use.used * 2 <= use.limit {
        told.remove(window)
      } else if use.used * 5 >= use.limit * 4, told.insert(window).inserted {
        found.append(use)
      }
    }
    return found
  }

  private func opens(_ window: BudgetWindow, at now: BootInstant, parts: Int) -> BootInstant? {
    let limit = limits[window] ?? 0
    guard parts <= limit else { return BootInstant(nanoseconds: .max) }
    let most = limit - parts
    guard charges.count > most else { return nil }
    // The text that stands so far back must have left the window.
    let opens = charges[charges.count - most - 1] + window.length
    return opens > now ? opens : nil
  }

  private mutating func forget(before now: BootInstant) {
    let old = charges.prefix { now - $0 >= BudgetWindow.month.length }.count
    charges.removeFirst(old)
  }
}
