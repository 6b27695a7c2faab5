import GSM
import Time

/// Looks for the pattern of an empty account: no code says "no credit", so operators answer with any
/// of a few, for one text after another, right after texts that went.
struct CreditWatch: Hashable, Sendable {
  /// Numbers to which this SIM has sent.
  private var accepted: Set<String> = []
  private var code: String?
  private var refusals = 0
  private var destinations: Set<String> = []
  /// When the pattern was complete; nil while it is not.
  private(set) var toldAt: BootInstant?

  var isTold: Bool { toldAt != nil }

  /// Whether this SIM has sent to a number.
  func hasReached(_ number: String) -> Bool { accepted.contains(number) }

  mutating func accepted(to number: String) {
    if accepted.count < Limits.creditNumbers { accepted.insert(number) }
    refusals = 0
    destinations = []
    toldAt = nil
  }

  /// Notes a refusal; true when it completes the pattern, once until a text goes again.
  ///
  /// One bad number is no empty account: the refusals are of several numbers, or of one that took
  /// texts before.
  mutating func refused(_ refusal: Refusal, to number: String, at now: BootInstant) -> Bool {
    guard refusal.mayMeanNoCredit else {
      refusals = 0
      destinations = []
      return false
    }
    if code != refusal.code {
      code = refusal.code
      refusals = 0
      destinations = []
    }
    refusals += 1
    destinations.insert(number)
    let isEnough = refusals >= (refusal.kind == .alert ? 1 : Limits.refusalsWithoutCredit)
    let isNotTheNumber = destinations.count > 1 || accepted.contains(number)
    guard isEnough, isNotTheNumber, !accepted.isEmpty, !isTold else { return false }
    toldAt = now
    return true
  }
}
