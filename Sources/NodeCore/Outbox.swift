import Time

/// Where a delivery stands in the store's queue: whether to look for what is due, and when otherwise.
///
/// The queue is one, and its order is the store's: the most urgent first, and of these the oldest. Each
/// way out of it (texts today) keeps its own place, since what is due for one may not be for another.
struct Outbox: Sendable {
  /// The store was asked for a passage and has not answered yet.
  private(set) var isChoosing = false
  /// Whether something may be due that the store was not asked about yet.
  private(set) var needsLook = true
  /// When the first passage becomes due, as the store last said.
  private(set) var nextDue: BootInstant?
  /// How many passages were set aside at one moment, and at which.
  private var setAside = 0
  private var setAsideAt: BootInstant?

  /// Something changed: what is due is looked for as soon as it may leave.
  mutating func look() {
    needsLook = true
  }

  /// Whether to ask the store now.
  func isTime(at now: BootInstant) -> Bool {
    needsLook || (nextDue.map { $0 <= now } ?? false)
  }

  /// The store is asked.
  mutating func ask() {
    isChoosing = true
  }

  /// Takes the store's answer; false when it was not asked, and the answer says nothing.
  mutating func take(_ answer: DueAnswer) -> Bool {
    guard isChoosing else { return false }
    isChoosing = false
    needsLook = false
    nextDue = answer.nextDue
    return true
  }

  /// The store failed, and will not answer what it was asked.
  mutating func storeFailed() {
    isChoosing = false
  }

  /// A passage was set aside: the next one is looked at now, or, after many, a moment later, so that
  /// what else happens is not kept waiting by one long transaction.
  mutating func lookBehind(at now: BootInstant) {
    if setAsideAt != now { (setAsideAt, setAside) = (now, 0) }
    setAside += 1
    needsLook = setAside < Limits.setAsideAtOnce
    if !needsLook { nextDue = now + .nanoseconds(1) }
  }

  /// What is due may not leave before that moment, unless something else happens.
  mutating func rest(until: BootInstant) {
    nextDue = until
  }

  /// When to ask next by the passing of time alone; nil while there is nothing to ask for, or an answer
  /// is still to come.
  var deadline: BootInstant? {
    guard !isChoosing else { return nil }
    return needsLook ? .zero : nextDue
  }
}
