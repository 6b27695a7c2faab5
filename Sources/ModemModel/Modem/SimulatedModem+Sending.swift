import GSM
public import Time

/// Messages on their way out: the prompt, the body, and the network's answer.
extension SimulatedModem {
  /// `+CMGS`: prompts for a body (3GPP TS 27.005 3.5.1, 4.3).
  mutating func beginSending(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    var request = BodyRequest()
    if isTextMode {
      guard command.isQuoted, let recipient = command.value(0), isAddress(recipient) else {
        return .cms(305)
      }
      request.recipient = recipient
      request.recipientType = command.integer(1)
    } else {
      guard !command.isQuoted, let length = command.integer(0), SimulatedModem.lengths ~= length
      else { return .cms(304) }
      request.length = length
    }
    if faults.withholdsPrompt {
      faults.withholdsPrompt = false
      return .later
    }
    if let lateness = faults.promptLateness {
      faults.promptLateness = nil
      request.takesEscape = false
      busyUntil = max(now, busyUntil) + lateness
    }
    promptForBody(request, at: now)
    return .later
  }

  /// `+CMGW`: the same for a message that is kept (3GPP TS 27.005 3.5.3, 4.4).
  mutating func beginStoring(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    var request = BodyRequest(purpose: .store(.storedUnsent))
    let typed = command.form == .set ? command : nil
    if isTextMode {
      request.recipient = typed?.value(0) ?? ""
      guard request.recipient.isEmpty || isAddress(request.recipient) else { return .cms(305) }
      request.recipientType = typed?.integer(1)
      if let name = typed?.value(2) {
        guard let state = MessageStorage.State.named(name), !state.isReceived else {
          return .cms(305)
        }
        request.purpose = .store(state)
      }
    } else {
      guard let length = typed?.integer(0), SimulatedModem.lengths ~= length else {
        return .cms(304)
      }
      request.length = length
      if let value = typed?.value(1) {
        guard let state = Int(value).flatMap({ MessageStorage.State(rawValue: $0) }) else {
          return .cms(304)
        }
        request.purpose = .store(state)
      }
    }
    promptForBody(request, at: now)
    return .later
  }

  /// Octets that a TPDU can have.
  private static let lengths = 7...176

  private func isAddress(_ typed: String) -> Bool {
    guard let number = characterSet.text([UInt8](typed.utf8)) else { return false }
    return (try? Address(number)) != nil
  }

  /// A body has ended with Ctrl-Z.
  mutating func finishBody(_ body: [UInt8], _ request: BodyRequest, at now: BootInstant) {
    busyUntil = now
    switch request.purpose {
    case .acknowledge(let taken):
      acknowledged(taken)
      end(.ok, at: now)
    case .store(let state):
      guard let pdu = pdu(of: body, request, isReceived: state.isReceived) else {
        end(.cms(parameterError), at: now)
        return
      }
      let length = pdu.count - 1 - Int(pdu.first ?? 0)
      let message = MessageStorage.Message(state: state, pdu: pdu, length: length)
      guard let (_, number) = store(message, in: writeStorage) else {
        end(.cms(322), at: now)
        return
      }
      say("+CMGW: \(number)", at: now)
      end(.ok, at: now)
    case .send:
      guard let pdu = pdu(of: body, request, isReceived: false), let submit = submit(in: pdu) else {
        end(.cms(parameterError), at: now)
        return
      }
      send(submit, pdu, as: "+CMGS", at: now)
    }
  }

  /// `+CMSS`: sends a message that lies in the storage (3GPP TS 27.005 3.5.2).
  mutating func sendStored(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    guard let number = command.integer(0), let storage = storageIndex(readStorage),
      let message = storages[storage][number]
    else { return .cms(321) }
    guard !message.state.isReceived, var submit = submit(in: message.pdu) else {
      return .cms(302)
    }
    var pdu = message.pdu
    if let typed = command.value(1) {
      guard let number = characterSet.text([UInt8](typed.utf8)),
        let destination = SimulatedModem.address(number, type: command.integer(2))
      else { return .cms(parameterError) }
      submit.destination = destination
      pdu = (try? [0] + submit.encoded()) ?? pdu
    }
    guard !submit.destination.digits.isEmpty else { return .cms(parameterError) }
    storages[storage][number]?.state = .storedSent
    send(submit, pdu, as: "+CMSS", at: now)
    return .later
  }

  /// SMSC part and TPDU of a body; nil when it is none.
  private func pdu(
    of body: [UInt8], _ request: BodyRequest, isReceived: Bool
  ) -> [UInt8]? {
    if let length = request.length {
      guard let pdu = try? Hex.decode(utf8: body), let first = pdu.first,
        pdu.count == Int(first) + 1 + length,
        let decoded = try? PDU.decode(
          pdu, direction: isReceived ? .mobileTerminated : .mobileOriginated)
      else { return nil }
      // Reading is lenient towards networks; a terminal's own message has to be whole.
      let isWhole = UserDataPlace(pdu.suffix(length), isDeliver: isReceived)?.isWhole(decoded.tpdu)
      return isWhole ?? false ? pdu : nil
    }
    return textSubmit(body, request).flatMap { try? [0] + $0.encoded() }
  }

  private func submit(in pdu: [UInt8]) -> SMSSubmit? {
    guard let decoded = try? PDU.decode(pdu, direction: .mobileOriginated),
      case .submit(let submit) = decoded.tpdu
    else { return nil }
    return submit
  }

  private mutating func send(
    _ submit: SMSSubmit, _ pdu: [UInt8], as command: String, at now: BootInstant
  ) {
    if let code = sendingError(submit, pdu, at: now) {
      busyUntil = max(busyUntil, now) + sendingTime
      end(.cms(code), at: now)
      return
    }
    if let left = credit { credit = left - 1 }
    var message = submit
    message.messageReference = nextReference
    nextReference &+= 1
    let submission = Submission(message: message, pdu: pdu)
    asked = (submission, command)
    isAwaitingNetwork = true
    effects.append(.submitted(submission))
  }

  /// Why a message does not leave, or comes back; nil when it goes.
  private mutating func sendingError(
    _ submit: SMSSubmit, _ pdu: [UInt8], at now: BootInstant
  ) -> Int? {
    if serviceCentre.isEmpty || faults.hasNoCentre, pdu.first == 0 { return 330 }
    guard isRegistered(now) else { return function == 1 ? 331 : 302 }
    if !faults.refusals.isEmpty { return faults.refusals.removeFirst() }
    // What most networks say to an empty account.
    if let credit, credit <= 0 { return faults.emptyAccountCode ?? settings.emptyAccountCode }
    return faults.refusedNumbers.first {
      $0.number == submit.destination.number && $0.until.map { $0 > now } ?? true
    }?.code
  }

  /// Takes the network's answer to the message that was submitted.
  public mutating func submissionAnswered(
    _ answer: SubmissionAnswer, at now: BootInstant
  ) -> [ModemEffect] {
    guard let asked else { return [] }
    self.asked = nil
    isAwaitingNetwork = false
    busyUntil = max(busyUntil, now) + sendingTime
    let reference = "\(asked.command): \(asked.submission.message.messageReference)"
    if case .refused(let code) = answer {
      end(.cms(code), at: now)
      return advance(to: now)
    }
    let fault = faults.answerFault
    faults.answerFault = nil
    switch fault {
    case .loseAnswer: busyUntil = now
    case .falseError(let code): end(.cms(code), at: now)
    case .lateAnswer(let duration):
      // It comes although nobody waits for it any more; the line is free before.
      let due = busyUntil + duration
      put(framed(reference), at: due)
      put(isVerbose ? framed("OK") : Array("0\r".utf8), at: due)
    case .reportFirst:
      isAwaitingNetwork = true
      heldAnswer = (reference, busyUntil + SimulatedModem.reportPatience)
    default:
      say(reference, at: now)
      end(.ok, at: now)
    }
    return advance(to: now)
  }

  /// How long an answer waits for a status report at most.
  private static let reportPatience: Duration = .seconds(10)

  /// Time from the end of a message to the network's answer.
  private var sendingTime: Duration {
    settings.sendDelay + faults.slowness + faults.networkDelay
  }
}
