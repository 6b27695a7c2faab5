import Time

/// An operator's text that waits for a modem.
struct WaitingManual: Hashable, Sendable {
  var text: ManualText
  /// Until when it waits for a modem.
  var until: BootInstant
  /// Whether nobody waits for its answer, as it was asked for before the last start: it waits for a budget
  /// that is used up, too.
  var isKept = false
  /// When the budget opens that it waits for.
  var budgetOpens: BootInstant?
  /// Whether it was told that it waits.
  var isTold = false
}

extension TextDelivery {
  /// Takes an operator's text, unless too many wait already.
  mutating func queueManual(
    _ text: ManualText, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    guard !isStopping else {
      decline(text, "the service is ending; start it, then try again", &effects)
      return
    }
    guard manualQueue.count < Limits.manualTexts else {
      decline(text, "\(Limits.manualTexts) texts are waiting already", &effects)
      return
    }
    var text = text
    text.id = takeTextID()
    manualQueue.append(WaitingManual(text: text, until: now + Limits.manualWithin))
    effects.append(.write(.keepText(text, modemName: text.modem.map { name(of: $0) })))
    effects.append(.manualQueued(requestID: text.requestID, text.id))
  }

  /// Takes up the texts that waited when the service ended.
  mutating func takeKept(_ kept: [KeptText]) {
    manualQueue = kept.map {
      WaitingManual(text: $0.text, until: $0.queued + Limits.manualKept, isKept: true)
    }
  }

  /// Hands operators' texts to modems: each to the one it names, or to the best there is. One that
  /// finds none waits, and those behind it do not wait for it.
  ///
  /// A pause after a refusal does not hold them, since an operator who has topped up the SIM wants to
  /// see whether it sends; the budget does.
  mutating func sendManualTexts(at now: BootInstant, _ effects: inout [NodeEffect]) {
    var waiting: [WaitingManual] = []
    for var manual in manualQueue {
      let text = manual.text
      manual.budgetOpens = nil
      let mayUse = modems.indices.filter { text.modem == nil || text.modem == ModemID($0) }
      let awake = mayUse.filter { modems[$0].canSend }
      let solvent = awake.filter {
        modems[$0].budget.exhausted(at: now, parts: text.parts) == nil
      }
      if !awake.isEmpty, solvent.isEmpty, manual.isKept, now < manual.until {
        manual.budgetOpens =
          awake.compactMap { modems[$0].budget.exhausted(at: now, parts: text.parts)?.until }.min()
        waiting.append(manual)
      } else if !awake.isEmpty, solvent.isEmpty {
        refuse(text, "the budget of the SIM is used up; status shows when it opens", &effects)
      } else if let modem = best(solvent.filter { modems[$0].flight == nil }, for: text.to, at: now)
      {
        begin(text, modem, at: now, &effects)
      } else if now >= manual.until {
        let time =
          manual.isKept
          ? "\(Limits.manualKept.wholeSeconds / 3_600) h" : "\(Limits.manualWithin.wholeSeconds) s"
        let why = awake.isEmpty ? " (\(whyNone(of: mayUse)))" : ""
        refuse(text, "no modem could send it within \(time)\(why)", &effects)
      } else {
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
    withdraw(at: place, &effects)
  }

  /// An operator withdraws a text by its number. The operator is told that it is not sent, or that
  /// nobody can tell it to be.
  mutating func withdraw(_ id: TextID, _ requestID: Int64, _ effects: inout [NodeEffect]) {
    guard let place = manualQueue.firstIndex(where: { $0.text.id == id }) else {
      let reason = "it does not wait any more, or there is no such text"
      effects.append(.manualFinished(requestID: requestID, .unknown(reason: reason)))
      return
    }
    withdraw(at: place, &effects)
    effects.append(.manualFinished(requestID: requestID, .notSent(reason: "it was withdrawn")))
  }

  private mutating func withdraw(at place: Int, _ effects: inout [NodeEffect]) {
    let text = manualQueue.remove(at: place).text
    effects.append(.write(.endText(text.id, .withdrawn)))
    effects.append(.report(.manualTextWithdrawn(text)))
    effects.append(
      .manualFinished(requestID: text.requestID, .notSent(reason: "it was withdrawn")))
  }

  /// Why none of some modems can send.
  private func whyNone(of indices: [Int]) -> String {
    guard !indices.isEmpty else { return "there is no such modem" }
    return indices.map { index in
      let reason = modems[index].reason ?? "it is not ready yet"
      return modems.count > 1 ? "\(name(of: ModemID(index))): \(reason)" : reason
    }.joined(separator: "; ")
  }

  /// The node ends, and no modem is handed anything more: what waits stays in the store, and goes after the
  /// next start.
  mutating func keepManualTexts(_ effects: inout [NodeEffect]) {
    for manual in manualQueue {
      let reason = "the service is ending; it goes after the next start"
      effects.append(.report(.manualTextWaits(manual.text, reason: reason)))
      effects.append(.manualKept(requestID: manual.text.requestID))
    }
    manualQueue = []
  }

  /// When something is to be done about those that wait, by the passing of time alone.
  var manualDeadline: BootInstant? {
    manualQueue.map { min($0.until, $0.budgetOpens ?? $0.until) }.min()
  }

  private mutating func begin(
    _ manual: ManualText, _ modem: ModemID, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    let intent = TextIntent(
      id: manual.id, queueID: nil, modem: modem, to: manual.to, body: manual.body,
      modemName: name(of: modem), parts: manual.parts)
    begin(intent, due: nil, requestID: manual.requestID, at: now, &effects)
  }

  private func refuse(_ text: ManualText, _ reason: String, _ effects: inout [NodeEffect]) {
    effects.append(.write(.endText(text.id, .notSent(reason: reason))))
    decline(text, reason, &effects)
  }

  /// A text is not even taken.
  private func decline(_ text: ManualText, _ reason: String, _ effects: inout [NodeEffect]) {
    effects.append(.report(.manualTextRefused(text, reason: reason)))
    effects.append(.manualFinished(requestID: text.requestID, .notSent(reason: reason)))
  }
}
