import Time

/// An operator's text that waits for a modem.
struct WaitingManual: Hashable, Sendable {
  var text: ManualText
  var since: BootInstant
  /// Whether it was told that it waits.
  var isTold = false
}

extension TextDelivery {
  /// Takes an operator's text, unless too many wait already.
  mutating func queueManual(
    _ text: ManualText, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    guard !isStopping else {
      refuse(text, "the service is ending; start it, then try again", &effects)
      return
    }
    guard manualQueue.count < Limits.manualTexts else {
      refuse(text, "\(Limits.manualTexts) texts are waiting already", &effects)
      return
    }
    manualQueue.append(WaitingManual(text: text, since: now))
  }

  /// Hands operators' texts to modems: each to the one it names, or to the best there is. One that
  /// finds none waits, and those behind it do not wait for it.
  ///
  /// A pause after a refusal does not hold them, since an operator who has topped up the SIM wants to
  /// see whether it sends; the budget does.
  mutating func sendManualTexts(at now: BootInstant, _ effects: inout [NodeEffect]) {
    var waiting: [WaitingManual] = []
    for manual in manualQueue {
      let text = manual.text
      let mayUse = modems.indices.filter { text.modem == nil || text.modem == ModemID($0) }
      let awake = mayUse.filter { modems[$0].canSend }
      let solvent = awake.filter {
        modems[$0].budget.exhausted(at: now, parts: text.parts) == nil
      }
      if !awake.isEmpty, solvent.isEmpty {
        refuse(text, "the budget of the SIM is used up; status shows when it opens", &effects)
      } else if let modem = best(solvent.filter { modems[$0].flight == nil }, for: text.to, at: now)
      {
        begin(text, modem, at: now, &effects)
      } else if now - manual.since >= Limits.manualWithin {
        let seconds = Limits.manualWithin.wholeSeconds
        let why = awake.isEmpty ? " (\(whyNone(of: mayUse)))" : ""
        refuse(text, "no modem could send it within \(seconds) s\(why)", &effects)
      } else {
        var manual = manual
        if awake.isEmpty, !manual.isTold {
          manual.isTold = true
          effects.append(.report(.manualTextWaits(text, reason: whyNone(of: mayUse))))
        }
        waiting.append(manual)
      }
    }
    manualQueue = waiting
  }

  /// Whoever asked for it went away or thought better of it. What is with a modem already runs its
  /// course.
  mutating func withdrawManual(_ requestID: Int64, _ effects: inout [NodeEffect]) {
    guard let place = manualQueue.firstIndex(where: { $0.text.requestID == requestID }) else {
      return
    }
    let manual = manualQueue.remove(at: place)
    effects.append(.report(.manualTextWithdrawn(manual.text)))
    effects.append(.manualFinished(requestID: requestID, .notSent(reason: "it was withdrawn")))
  }

  /// Why none of some modems can send.
  private func whyNone(of indices: [Int]) -> String {
    guard !indices.isEmpty else { return "there is no such modem" }
    return indices.map { index in
      let reason = modems[index].reason ?? "it is not ready yet"
      return modems.count > 1 ? "\(name(of: ModemID(index))): \(reason)" : reason
    }.joined(separator: "; ")
  }

  /// The node ends, and no modem is handed anything more.
  mutating func refuseManualTexts(_ effects: inout [NodeEffect]) {
    for manual in manualQueue {
      refuse(manual.text, "the service is ending; start it, then try again", &effects)
    }
    manualQueue = []
  }

  private mutating func begin(
    _ manual: ManualText, _ modem: ModemID, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    let intent = TextIntent(
      id: takeTextID(), queueID: nil, modem: modem, to: manual.to, body: manual.body,
      modemName: name(of: modem), parts: manual.parts)
    begin(intent, due: nil, requestID: manual.requestID, at: now, &effects)
  }

  private func refuse(_ text: ManualText, _ reason: String, _ effects: inout [NodeEffect]) {
    effects.append(.report(.manualTextRefused(text, reason: reason)))
    effects.append(.manualFinished(requestID: text.requestID, .notSent(reason: reason)))
  }
}
