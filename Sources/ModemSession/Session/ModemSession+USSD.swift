import AT
import GSM
import ModemMakers
import Time

/// USSD: what a prepaid SIM still has, mostly (3GPP TS 27.007 7.15).
extension ModemSession {
  /// A request to the network.
  struct USSDRequest: Sendable {
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

  mutating func acceptUSSD(_ id: Int64, _ code: String) {
    let reason: String? =
      if code.utf8.count > Limits.ussdCharacters || !USSDText.isCode(code) {
        "a USSD code has digits, * and #, such as *123#"
      } else if ussd.count >= Limits.waitingCommands {
        "too many requests wait; try again"
      } else if phase != .idle || isStopping {
        "the modem is not ready: \(status.state.words)"
      } else if !isRegistered {
        "the modem is not registered in the network"
      } else {
        nil
      }
    if let reason {
      effects.append(.event(.ussdFinished(id: id, .refused(reason))))
    } else {
      ussd.append(USSDRequest(id: id, code: code))
    }
  }

  /// Opens the next request; false when none waits, or one is out.
  mutating func nextUSSD(at now: BootInstant) -> Bool {
    guard let request = ussd.first, request.deadline == nil else { return false }
    let isPacked = profile.packsUSSD && !request.isPlain && !wantsPlainUSSD
    let code = isPacked ? USSDText.packed(request.code) : request.code
    ussd[0].deadline = now + configuration.timeouts.ussdAnswer
    open(
      ATCommand("AT+CUSD=1,\"\(code)\",15", timeout: configuration.timeouts.ussd),
      for: .ussd, at: now)
    return true
  }

  /// The modem took the request or did not. Its answer may have come already.
  mutating func ussdAnswered(_ answer: ATAnswer) {
    guard case .failed(let result) = answer.ending else { return }
    if triesPlainUSSD() { return }
    let error = ModemError(finalResult: result, family: errors)
    endUSSD(.refused(error.map { "\($0)" } ?? result))
  }

  /// `+CUSD: <m>[,<str>,<dcs>]`.
  mutating func heardUSSD(mode: Int, text: String?, coding: Int?, at now: BootInstant) {
    guard let request = ussd.first, request.deadline != nil else { return }
    if let text, !text.isEmpty {
      if request.isPlain { wantsPlainUSSD = true }
      let words = USSDText(text, coding: coding).text
      if mode == 1 {
        // Whoever asks for a balance answers no questions; the dialogue must not stay open.
        settings.append(ATCommand("AT+CUSD=2", timeout: configuration.timeouts.command))
      }
      endUSSD(mode == 1 ? .asked(words) : .answered(words))
      return
    }
    switch mode {
    case 1: break
    // Released: it may be said before the text comes, or instead of it.
    case 0, 2: ussd[0].releaseEnds = ussd[0].releaseEnds ?? now + Limits.ussdReleased
    case 4 where triesPlainUSSD(): break
    case 4: endUSSD(.refused("the network does not know this code"))
    case 5: endUSSD(.refused("the network gave no answer in time"))
    default: endUSSD(.refused("the network ended the dialogue (\(mode))"))
    }
  }

  /// One maker's sticks differ: most want a code packed, and some take that for a code that nobody
  /// knows. Whether the request goes once more, as it is.
  private mutating func triesPlainUSSD() -> Bool {
    guard profile.packsUSSD, !wantsPlainUSSD, let request = ussd.first, !request.isPlain else {
      return false
    }
    ussd[0].isPlain = true
    ussd[0].deadline = nil
    ussd[0].releaseEnds = nil
    return true
  }

  mutating func expireUSSD(at now: BootInstant) {
    guard let request = ussd.first, let wakes = request.wakes, wakes <= now else { return }
    if let ends = request.releaseEnds, ends <= now, purpose != .ussd {
      if !triesPlainUSSD() {
        endUSSD(.refused("the network ended the dialogue without a text"))
      }
      return
    }
    guard let deadline = request.deadline, deadline <= now else { return }
    settings.append(ATCommand("AT+CUSD=2", timeout: configuration.timeouts.command))
    endUSSD(.refused("the network gave no answer in time"))
  }

  private mutating func endUSSD(_ outcome: USSDOutcome) {
    guard !ussd.isEmpty else { return }
    effects.append(.event(.ussdFinished(id: ussd.removeFirst().id, outcome)))
  }

  mutating func refuseUSSD(_ reason: String) {
    for request in ussd {
      effects.append(.event(.ussdFinished(id: request.id, .refused(reason))))
    }
    ussd = []
  }
}
