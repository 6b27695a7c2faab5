import AT
import GSM
import Time

/// The requests to the network by USSD, one after the other: what a prepaid SIM still has, mostly (3GPP
/// TS 27.007 7.15).
struct USSDState: Sendable {
  /// A request to the network.
  private struct Request: Sendable {
    var id: Int64
    var code: String
    /// When its answer is given up; nil before it was handed to the modem.
    var deadline: BootInstant?
    /// Until when its text is waited for once the dialogue was released without one.
    var releaseEnds: BootInstant?
    /// Whether it goes as it is though the maker's modems mostly want it packed.
    var isPlain = false

    /// When something is to be done about it; nil while it waits to be handed over.
    var wakes: BootInstant? { deadline.map { min($0, releaseEnds ?? $0) } }
  }

  /// What comes of something that happened.
  struct Result: Hashable, Sendable {
    /// How the request ended.
    var event: ModemEvent?
    /// Whether the dialogue in the network is to be ended (`AT+CUSD=2`).
    var cancels = false
  }

  private var requests: [Request] = []
  /// Whether this maker's modems mostly want codes as packed septets.
  var packs = false
  /// Whether this modem turned out to want them as they are.
  private var wantsPlain = false

  /// Another modem may be there.
  mutating func forgetModem() {
    packs = false
    wantsPlain = false
  }

  /// Takes a request; the event that answers it when it is refused.
  ///
  /// - Parameter obstacle: Why none can be handed to the modem now.
  mutating func accept(_ id: Int64, _ code: String, obstacle: String?) -> ModemEvent? {
    let reason: String? =
      if code.utf8.count > Limits.ussdCharacters || !USSDText.isCode(code) {
        "a USSD code has digits, * and #, such as *123#"
      } else if requests.count >= Limits.waitingCommands {
        "too many requests wait; try again"
      } else {
        obstacle
      }
    guard let reason else {
      requests.append(Request(id: id, code: code))
      return nil
    }
    return .ussdFinished(id: id, .refused(reason))
  }

  /// The command of the next request; nil when none waits, or one is out.
  mutating func next(_ timeouts: ModemTimeouts, at now: BootInstant) -> ATCommand? {
    guard let request = requests.first, request.deadline == nil else { return nil }
    let isPacked = packs && !request.isPlain && !wantsPlain
    let code = isPacked ? USSDText.packed(request.code) : request.code
    requests[0].deadline = now + timeouts.ussdAnswer
    return ATCommand("AT+CUSD=1,\"\(code)\",15", timeout: timeouts.ussd)
  }

  /// The modem did not take the request.
  mutating func refused(_ reason: String) -> ModemEvent? {
    triesPlain() ? nil : end(.refused(reason))
  }

  /// `+CUSD: <m>[,<str>,<dcs>]`, which may come before the modem took the request.
  mutating func heard(mode: Int, text: String?, coding: Int?, at now: BootInstant) -> Result {
    guard let request = requests.first, request.deadline != nil else { return Result() }
    if let text, !text.isEmpty {
      if request.isPlain { wantsPlain = true }
      let words = USSDText(text, coding: coding).text
      // Whoever asks for a balance answers no questions; the dialogue must not stay open.
      return mode == 1
        ? Result(event: end(.asked(words)), cancels: true) : Result(event: end(.answered(words)))
    }
    switch mode {
    case 1: return Result()
    // Released: it may be said before the text comes, or instead of it.
    case 0, 2:
      requests[0].releaseEnds = requests[0].releaseEnds ?? now + Limits.ussdReleased
      return Result()
    case 4 where triesPlain(): return Result()
    case 4: return Result(event: end(.refused("the network does not know this code")))
    case 5: return Result(event: end(.refused("the network gave no answer in time")))
    default: return Result(event: end(.refused("the network ended the dialogue (\(mode))")))
    }
  }

  /// When something is to be done about the request that is out.
  var wakes: BootInstant? { requests.first?.wakes }

  /// Lets time pass.
  ///
  /// - Parameter isOpen: Whether the modem has yet to take the request.
  mutating func expire(isOpen: Bool, at now: BootInstant) -> Result {
    guard let request = requests.first, let wakes = request.wakes, wakes <= now else {
      return Result()
    }
    if let ends = request.releaseEnds, ends <= now, !isOpen {
      return triesPlain()
        ? Result()
        : Result(event: end(.refused("the network ended the dialogue without a text")))
    }
    guard let deadline = request.deadline, deadline <= now else { return Result() }
    return Result(event: end(.refused("the network gave no answer in time")), cancels: true)
  }

  /// Refuses all that wait and the one that is out.
  mutating func refuseAll(_ reason: String) -> [ModemEvent] {
    defer { requests = [] }
    return requests.map { .ussdFinished(id: $0.id, .refused(reason)) }
  }

  /// One maker's sticks differ: most want a code packed, and some take that for a code that nobody
  /// knows. Whether the request goes once more, as it is.
  private mutating func triesPlain() -> Bool {
    guard packs, !wantsPlain, let request = requests.first, !request.isPlain else { return false }
    requests[0].isPlain = true
    requests[0].deadline = nil
    requests[0].releaseEnds = nil
    return true
  }

  private mutating func end(_ outcome: USSDOutcome) -> ModemEvent? {
    requests.isEmpty ? nil : .ussdFinished(id: requests.removeFirst().id, outcome)
  }
}
