import Time

/// What the core knows of one of the numbers that passages are texted to.
struct GatewayState: Hashable, Sendable {
  /// It is left alone until then.
  var restUntil: BootInstant?
  /// Since when it is, one refusal after the other, and what was said last.
  private(set) var restSince: BootInstant?
  private(set) var reason: String?
  /// Refusals in a row that were about this number.
  private var refusals = 0
  /// Refusals in a row of texts to this number, whatever they were about.
  private var misses = 0

  private static let pauses: [Int64] = [60, 120, 300, 900, 1_800, 3_600]

  /// The network does not deliver to this number: it rests, longer each time.
  mutating func refused(_ reason: String, at now: BootInstant) -> BootInstant {
    refusals += 1
    self.reason = reason
    return rest(GatewayState.pauses[min(refusals, GatewayState.pauses.count) - 1], at: now)
  }

  /// A text to it was refused for a reason that may lie in the network or in the number. Twice in a
  /// row, and another number gets its turn.
  mutating func missed(_ reason: String, hasOther: Bool, at now: BootInstant) -> BootInstant? {
    misses += 1
    guard hasOther, misses >= 2 else { return nil }
    self.reason = reason
    // Longer than its modem is held for the same refusal, or its turn would come first again.
    return rest(GatewayState.pauses[min(misses, GatewayState.pauses.count - 1)], at: now)
  }

  func isFree(at now: BootInstant) -> Bool {
    restUntil.map { $0 <= now } ?? true
  }

  private mutating func rest(_ seconds: Int64, at now: BootInstant) -> BootInstant {
    let until = now + .seconds(seconds)
    restUntil = until
    restSince = restSince ?? now
    return until
  }
}

extension TextDelivery {
  /// The number for a passage: the first that does not rest, and of those the first that has not
  /// refused this very passage.
  func gateway(for due: DueText, at now: BootInstant) -> String? {
    let free = rules.gateways.filter { gateways[$0]?.isFree(at: now) ?? true }
    return free.first { !due.refusedBy.contains($0) } ?? free.first
  }

  /// When the first of the numbers no longer rests; nil without any number.
  func gatewayFree(at now: BootInstant) -> BootInstant? {
    rules.gateways.map { max(gateways[$0]?.restUntil ?? now, now) }.min()
  }
}
