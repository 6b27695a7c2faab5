import AT
import GSM
import ModemMakers
import Time

/// Texts on their way out.
extension ModemSession {
  mutating func take(_ request: ModemRequest, at now: BootInstant) {
    switch request {
    case .send(let text): accept(text)
    case .confirmStored(let token): confirm(token)
    case .command(let id, let text, let timeout):
      accept(OperatorCommand(id: id, text: text, timeout: timeout))
    case .ussd(let id, let code): acceptUSSD(id, code)
    case .reset(let id, let step):
      let step = step ?? bestReset
      let refusal = reset(step, at: now)
      effects.append(
        .event(
          .commandFinished(
            id: id, lines: refusal == nil ? [step.name] : [], final: refusal ?? "OK")))
    case .trace: break  // the shell's own
    case .sweep:
      isSweepDue = true
      sweep.makeAllDue()
    case .stop:
      isStopping = true
      stopBy = stopBy ?? now + Limits.stopWithin
      if phase == .opening { phase = .closed(openAt: now) }
    }
  }

  private mutating func accept(_ text: OutgoingText) {
    let reason: String? =
      if isStopping {
        "the service is stopping"
      } else if phase != .idle {
        status.lastError ?? "the modem is not ready: \(status.state.words)"
      } else if !isRegistered {
        "the modem is not registered in the network"
      } else if texts.count >= Limits.waitingTexts {
        "too many texts wait for the modem"
      } else {
        nil
      }
    if let reason {
      finish(text.id, .notSent(reason: reason))
    } else {
      texts.append(text)
    }
  }

  /// Begins the next text that waits; false when there is none.
  mutating func sendNext(at now: BootInstant) -> Bool {
    while !texts.isEmpty, sendNotBefore <= now {
      guard isRegistered else {
        refuseTexts("the modem is not registered in the network")
        return false
      }
      if asksForNetwork(at: now) { return true }
      let text = texts.removeFirst()
      guard let parts = compose(text) else { continue }
      sending = SendingText(text: text, parts: parts)
      if now > burst.lasts { burst = Burst() }
      if profile.keepsLink, !burst.keepsLink, parts.count > 1 || burst.lasts > .zero {
        burst.keepsLink = true
        open(
          ATCommand("AT+CMMS=1", timeout: configuration.timeouts.command), for: .setting, at: now)
      } else {
        sendPart(at: now)
      }
      return true
    }
    return false
  }

  /// The messages of a text; nil when it cannot be one, which is answered at once.
  private mutating func compose(_ text: OutgoingText) -> [EncodedPDU]? {
    concatenationReference &+= 1
    var options = SubmitOptions()
    options.requestsStatusReport = text.requestStatusReport && configuration.statusReports
    options.validity = text.validity.map { ValidityPeriod(lasting: $0) }
    options.concatenationReference = concatenationReference & 0xFF
    options.maximumParts = configuration.messageParts
    let destination: Address
    do {
      destination = try Address(text.to)
    } catch {
      log("text_refused", .error, "the recipient is no phone number: \(error.code)")
      // The code that a network has for it: unassigned number.
      finish(text.id, .refused(ModemError(.cms, code: 1)))
      return nil
    }
    do {
      return try MessageComposer.submit(text: text.body, to: destination, options: options)
    } catch {
      log("text_refused", .error, "the text cannot be sent: \(error.code)")
      // The code that a modem has for it: invalid PDU mode parameter.
      finish(text.id, .refused(ModemError(.cms, code: 304)))
      return nil
    }
  }

  /// Hands the next part to the modem: `AT+CMGS` in PDU mode (3GPP TS 27.005 4.3).
  mutating func sendPart(at now: BootInstant) {
    guard let sending else { return }
    let part = sending.parts[sending.references.count]
    supply.sent(at: now)
    open(
      ATCommand(
        "AT+CMGS=\(part.length)", timeout: configuration.timeouts.prompt, payload: part.hex,
        payloadTimeout: configuration.timeouts.submit),
      for: .textPart, at: now)
  }

  mutating func partAnswered(_ answer: ATAnswer, at now: BootInstant) {
    guard var text = sending else { return }
    if let number = ModemSession.reference(in: answer) {
      let reference = reduced(number)
      text.references.append(reference)
      sendTroubles.accepted()
      networkTookText(at: now)
      sendNotBefore = now + profile.messagePause
      burst.lasts = sendNotBefore + Limits.linkKept
      if text.references.count == text.parts.count {
        sending = nil
        finish(text.text.id, .accepted(references: text.references))
      } else {
        sending = text
      }
      return
    }
    sending = nil
    switch answer.ending {
    case .failed(let result):
      let error = ModemError(finalResult: result, family: errors) ?? ModemError(.cms, code: 500)
      if sendsWithoutValidity(text, after: error) { return }
      end(text, outcome(of: error, text, payloadLeft: answer.payloadLeft, at: now))
      doubtNetwork(error)
      remedy(error, at: now)
    // Perhaps it is not in PDU mode any more.
    case .ok where answer.payloadLeft:
      needsSetup = true
      end(text, .unknown(reason: "the modem said OK and gave no message reference (+CMGS)"))
    case .ok:
      needsSetup = true
      end(text, .notSent(reason: "the modem did not ask for the message"))
    case .timedOut where answer.payloadLeft:
      mayAwaitText = true
      end(text, .unknown(reason: "the modem did not say what became of the text"))
    case .timedOut:
      mayAwaitText = true
      end(text, .notSent(reason: "the modem did not ask for the message in time"))
    }
  }

  /// What an error means for the part that was being sent.
  private func outcome(
    of error: ModemError, _ text: SendingText, payloadLeft: Bool, at now: BootInstant
  ) -> SendOutcome {
    guard payloadLeft, let leftAt = text.leftAt else {
      // What an error of the network's could mean is no question before the text was there.
      return error.isOutcomeUnknown ? .notSent(reason: error.description) : .refused(error)
    }
    guard error.leavesDoubt(after: now - leftAt) else { return .refused(error) }
    return .unknown(reason: "\(error), and the network may have taken it all the same")
  }

  /// Sends a text once more without a validity period, should the network take none (TP-VPF or TP-VP
  /// not supported, 3GPP TS 23.040 9.2.3.22).
  private mutating func sendsWithoutValidity(_ text: SendingText, after error: ModemError) -> Bool {
    guard error.kind == .cms, error.code == 198 || error.code == 199, text.references.isEmpty,
      text.text.validity != nil
    else { return false }
    log(
      "modem_validity_refused", .notice,
      "the network takes no validity period (\(error)); the text is sent without one")
    var again = text.text
    again.validity = nil
    guard let parts = compose(again) else { return true }
    sending = SendingText(text: again, parts: parts)
    return true
  }

  /// Ends a text with what became of its part. Once an earlier part has left, nothing that befalls a
  /// later one makes the text one that did not go out.
  private mutating func end(_ text: SendingText, _ outcome: SendOutcome) {
    guard !text.references.isEmpty else {
      finish(text.text.id, outcome)
      return
    }
    let words =
      switch outcome {
      case .refused(let error): error.description
      case .notSent(let reason), .unknown(let reason): reason
      case .accepted: "accepted"
      }
    let went = "\(text.references.count) of \(text.parts.count) parts went out, then: "
    finish(text.text.id, .unknown(reason: went + words))
  }

  /// The message reference of `+CMGS: <mr>`. The network has taken the message once it is there,
  /// whatever comes or fails to come after it.
  private static func reference(in answer: ATAnswer) -> Int? {
    guard answer.payloadLeft else { return nil }
    return answer.value.flatMap { Parameters($0).integer(0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// A reference is an octet on the air (3GPP TS 23.040 9.2.3.6), and so in the report on the message;
  /// some modems count on.
  private mutating func reduced(_ number: Int) -> UInt8 {
    if number > 255 {
      log(
        "modem_reference_reduced", .notice,
        "the modem gave the message reference \(number); reports will have \(number % 256)")
    }
    return UInt8(truncatingIfNeeded: number)
  }

  /// The text that is going out will not be finished.
  mutating func interruptText(_ reason: String, payloadLeft: Bool) {
    guard let text = sending else { return }
    sending = nil
    let lines = dialogue.openLines
    let prefix = "+CMGS:"
    if payloadLeft, text.references.count + 1 == text.parts.count,
      let line = lines.first(where: { $0.hasPrefix(prefix) }),
      let number = Parameters(line.dropFirst(prefix.count)).integer(0), number >= 0
    {
      finish(text.text.id, .accepted(references: text.references + [reduced(number)]))
    } else {
      end(text, payloadLeft ? .unknown(reason: reason) : .notSent(reason: reason))
    }
  }

  mutating func refuseTexts(_ reason: String) {
    for text in texts { finish(text.id, .notSent(reason: reason)) }
    texts = []
  }

  private mutating func finish(_ id: Int64, _ outcome: SendOutcome) {
    effects.append(.event(.sendOutcome(id: id, outcome)))
  }
}
