import GSM
public import Timing

/// Messages on their way out: the prompt, the body, and the network's answer.
extension SimulatedModem {
  /// `+CMGS` and `+CMGW`: prompts for a body.
  mutating func beginBody(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if let error = messageError(now) { return .cms(error) }
    var request = BodyRequest(stores: command.name == "+CMGW")
    if isTextMode {
      guard request.stores || command.value(0) != nil else { return .cms(302) }
      request.recipient = command.value(0) ?? ""
    } else {
      guard let length = command.integer(0), (7...176).contains(length) else { return .cms(304) }
      request.length = length
    }
    if withholdsPrompt {
      withholdsPrompt = false
      return .later
    }
    input = .body(request)
    line = []
    busyUntil = max(now, busyUntil) + settings.promptDelay
    put(Array("\r\n>\(settings.profile.promptTail)".utf8), at: busyUntil)
    return .later
  }

  /// A body has ended with Ctrl-Z.
  mutating func finishBody(_ body: [UInt8], _ request: BodyRequest, at now: BootInstant) {
    busyUntil = now
    guard let (submit, pdu) = message(of: body, request) else {
      end(.cms(304), at: now)
      return
    }
    if request.stores {
      store(submit, pdu, at: now)
    } else {
      send(submit, pdu, at: now)
    }
  }

  /// `+CMSS`: sends a message that lies in the storage.
  mutating func sendStored(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if let error = messageError(now) { return .cms(error) }
    guard let number = command.integer(0), let place = storageIndex(readStorage),
      let message = storages[place][number],
      let pdu = try? PDU.decode(message.pdu, direction: .mobileOriginated),
      case .submit(let submit) = pdu.tpdu
    else { return .cms(321) }
    storages[place][number]?.state = .storedSent
    send(submit, message.pdu, at: now)
    return .later
  }

  private func message(
    of body: [UInt8], _ request: BodyRequest
  ) -> (submit: SMSSubmit, pdu: [UInt8])? {
    if let length = request.length {
      guard let pdu = try? Hex.decode(utf8: body), let first = pdu.first,
        pdu.count == Int(first) + 1 + length,
        let decoded = try? PDU.decode(pdu, direction: .mobileOriginated),
        case .submit(let submit) = decoded.tpdu
      else { return nil }
      return (submit, pdu)
    }
    guard
      let submit = textSubmit(String(decoding: body, as: UTF8.self), to: request.recipient ?? ""),
      let octets = try? submit.encoded()
    else { return nil }
    return (submit, [0] + octets)
  }

  private mutating func store(_ submit: SMSSubmit, _ pdu: [UInt8], at now: BootInstant) {
    guard let place = storageIndex(writeStorage),
      let number = storages[place].put(
        MessageStorage.Message(
          state: .storedUnsent, pdu: pdu, length: pdu.count - 1 - Int(pdu.first ?? 0)))
    else {
      end(.cms(322), at: now)
      return
    }
    say("+CMGW: \(number)", at: now)
    end(.ok, at: now)
  }

  private mutating func send(_ submit: SMSSubmit, _ pdu: [UInt8], at now: BootInstant) {
    if serviceCentre.isEmpty, pdu.first == 0 {
      end(.cms(330), at: now)
      return
    }
    guard [1, 5].contains(registration(now)) else {
      end(.cms(331), at: now)
      return
    }
    if !refusals.isEmpty {
      answer(.cms(refusals.removeFirst()), reference: nil, at: now)
      return
    }
    if let left = credit {
      guard left > 0 else {
        // What most networks say to an empty account.
        answer(.cms(21), reference: nil, at: now)
        return
      }
      credit = left - 1
    }
    var message = submit
    message.messageReference = nextReference
    nextReference &+= 1
    let submission = Submission(message: message, pdu: pdu)
    asked = submission
    isAwaitingNetwork = true
    effects.append(.submitted(submission))
  }

  /// Takes the network's answer to the message that was submitted.
  public mutating func submissionAnswered(
    _ answer: SubmissionAnswer, at now: BootInstant
  ) -> [ModemEffect] {
    guard let asked else { return [] }
    self.asked = nil
    isAwaitingNetwork = false
    let reference = asked.message.messageReference
    switch (answer, answerFault) {
    case (.refused(let code), _):
      self.answer(.cms(code), reference: nil, at: now)
    case (.accepted, .loseAnswer):
      answerFault = nil
      busyUntil = now
    case (.accepted, .lateAnswer(let duration)):
      answerFault = nil
      self.answer(.ok, reference: reference, at: now, after: duration)
    case (.accepted, .falseError(let code)):
      answerFault = nil
      self.answer(.cms(code), reference: nil, at: now)
    case (.accepted, _):
      self.answer(.ok, reference: reference, at: now)
    }
    return advance(to: now)
  }

  private mutating func answer(
    _ end: CommandEnd, reference: UInt8?, at now: BootInstant, after late: Duration = .zero
  ) {
    busyUntil = now + settings.sendDelay
    let time = busyUntil + late
    if let reference { put(framed("+CMGS: \(reference)"), at: time) }
    switch end {
    case .cms(let code): put(framed("+CMS ERROR: \(code)"), at: time)
    default: put(isVerbose ? framed("OK") : Array("0\r".utf8), at: time)
    }
  }
}
