public import GSM
public import Time

/// Messages and status reports from the network (3GPP TS 27.005 3.4).
extension SimulatedModem {
  /// Takes a message from the network.
  ///
  /// - Parameter tpdu: SMS-DELIVER or SMS-STATUS-REPORT.
  /// - Returns: Whether the modem took it, and what comes of it. One that is not reachable, whose
  ///   storage is full, or whose terminal still has to acknowledge another, does not take it.
  public mutating func deliver(
    _ tpdu: TPDU, at now: BootInstant
  ) -> (answer: DeliveryAnswer, effects: [ModemEffect]) {
    let tpdu = arriving(tpdu)
    guard isReachable(at: now), acknowledgeBy == nil, let octets = try? tpdu.encoded() else {
      return (.refused, [])
    }
    let centre = (try? Address(settings.smsc)).flatMap {
      try? PDU(serviceCentre: $0, tpdu: tpdu).encoded()
    }
    let message = MessageStorage.Message(
      state: .receivedUnread, pdu: centre ?? [0] + octets, length: octets.count)
    effects = []
    let answer: DeliveryAnswer
    switch tpdu {
    case .statusReport:
      answer = takeReport(message, at: now)
      if faults.reportsAreDoubled, answer == .taken { _ = takeReport(message, at: now) }
      if answer != .refused { releaseAnswer(at: now) }
    case .deliver(let deliver):
      answer = takeMessage(message, deliver.coding.messageClass, at: now)
    case .submit: return (.refused, [])
    }
    let before = effects
    return (answer, before + advance(to: now))
  }

  private mutating func takeMessage(
    _ message: MessageStorage.Message, _ messageClass: UInt8?, at now: BootInstant
  ) -> DeliveryAnswer {
    // Class 2 belongs on the SIM whatever is asked, and class 3 to the terminal.
    let isDirect: Bool =
      switch indication.messages {
      case 2: messageClass != 2
      case 3: messageClass == 3
      default: false
      }
    if isDirect, !faults.isReceptionSilent {
      handOver("+CMT: ", message, at: now)
      return awaitAcknowledgement(now)
    }
    guard let (storage, number) = store(message, in: faults.storesInModem ? "ME" : receiveStorage)
    else {
      refusedForRoom = true
      tellFull(at: now)
      return .refused
    }
    if isFull(storage) { tellFull(at: now) }
    if indication.messages > 0 {
      indicate("+CMTI: \"\(told(storages[storage].name))\",\(number)", at: now)
    }
    return .taken
  }

  private func isFull(_ storage: Int) -> Bool {
    storages[storage].used >= min(storages[storage].size, faults.storageLimit ?? .max)
  }

  /// Says once that there is no room, in the words that it has for that.
  private mutating func tellFull(at now: BootInstant) {
    guard !faults.hasToldFull, let words = faults.fullWords ?? fullIndicator.map({ "\($0),1" })
    else { return }
    faults.hasToldFull = true
    tell(words, at: now)
  }

  /// Says that there is room again, where it says such things.
  mutating func tellRoom(at now: BootInstant) {
    if faults.hasToldFull, faults.fullWords == nil, let indicator = fullIndicator {
      tell("\(indicator),0", at: now)
    }
    faults.hasToldFull = false
  }

  /// How it begins a line about a storage that is full: with the number of that indicator.
  private var fullIndicator: String? {
    settings.profile.indicators.firstIndex(of: "smsfull").map { "+CIEV: \($0 + 1)" }
  }

  /// Its indicators: their names and values, or how they are.
  func indicators(_ form: CommandText.Form) -> String {
    let isFull = storageIndex(receiveStorage).map { self.isFull($0) } ?? false
    return settings.profile.indicators.map { name in
      let isLevel = ["battchg", "signal"].contains(name)
      if form == .test { return "(\"\(name)\",\(isLevel ? "(0-5)" : "(0,1)"))" }
      return isLevel ? "4" : name == "smsfull" && isFull ? "1" : "0"
    }.joined(separator: ",")
  }

  private mutating func takeReport(
    _ message: MessageStorage.Message, at now: BootInstant
  ) -> DeliveryAnswer {
    switch indication.reports {
    case 1:
      if faults.isReceptionSilent { return .taken }
      handOver("+CDS: ", message, at: now)
      return awaitAcknowledgement(now)
    case 2:
      let name = settings.profile.mixesReports ? receiveStorage : "SR"
      guard let (storage, number) = store(message, in: name) else {
        refusedForRoom = true
        return .refused
      }
      indicate("+CDSI: \"\(told(storages[storage].name))\",\(number)", at: now)
    default:
      // Nobody wants reports: the modem takes them and says nothing.
      break
    }
    return .taken
  }

  /// What the modem makes of a message: a status report may be for another one here.
  private func arriving(_ tpdu: TPDU) -> TPDU {
    guard faults.reportsAreMisnumbered, case .statusReport(var report) = tpdu else { return tpdu }
    report.messageReference &+= 100
    return .statusReport(report)
  }

  // MARK: Telling

  /// The storage that is named.
  private func told(_ name: String) -> String {
    faults.namesWrongStorage ? name == "ME" ? "SM" : "ME" : name
  }

  /// Hands a whole message over.
  private mutating func handOver(
    _ head: String, _ message: MessageStorage.Message, at now: BootInstant
  ) {
    if isTextMode {
      let text = TextForm(message, characterSet, isLong: showsTextHeaders)
      indicate([UInt8](head.utf8) + text.handedOver, text.body, at: now)
    } else {
      let comma = head == "+CDS: " ? settings.profile.reportPrefix : ","
      indicate(
        [UInt8]("\(head)\(comma)\(message.length)".utf8),
        [[UInt8](Hex.encode(message.pdu).utf8)], at: now)
    }
  }

  private mutating func indicate(_ text: String, at now: BootInstant) {
    if faults.isReceptionSilent || faults.indicatesElsewhere { return }
    if faults.lostIndications > 0 {
      faults.lostIndications -= 1
      return
    }
    indicate([UInt8](text.utf8), at: now)
  }

  /// Tells something by itself, or holds it back while `<mode>` of `+CNMI` is 0.
  private mutating func indicate(
    _ first: [UInt8], _ others: [[UInt8]] = [], at now: BootInstant
  ) {
    if indication.mode == 0 {
      if heldIndications.count < Limits.heldIndications {
        heldIndications.append(block(first, others))
      }
    } else {
      tell(first, others, at: now + (faults.indicationDelay ?? .zero))
    }
  }

  /// Lets out what was held back, when the mode allows it now.
  mutating func releaseIndications(at now: BootInstant) {
    guard indication.mode != 0 else { return }
    if indication.discards == 0 {
      for held in heldIndications { put(held, at: max(now, busyUntil)) }
    }
    heldIndications = []
  }

  // MARK: Acknowledging

  /// In phase 2+ what was handed over has to be acknowledged.
  private mutating func awaitAcknowledgement(_ now: BootInstant) -> DeliveryAnswer {
    guard messageService == 1 else { return .taken }
    acknowledgeBy = now + settings.acknowledgementTimeout
    return .later
  }

  /// `+CNMA` (3GPP TS 27.005 3.4.4, 4.7): 0 and 1 take, 2 refuses; in PDU mode a length asks for the
  /// TPDU of the acknowledgement.
  mutating func acknowledge(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if command.form == .test {
      say("+CNMA: (0-2)", at: now)
      return .ok
    }
    guard command.form != .read else { return .error }
    let kind = command.form == .set ? command.integer(0) ?? -1 : 0
    guard (0...2).contains(kind) else { return .cms(parameterError) }
    guard acknowledgeBy != nil else { return .cms(340) }
    if !isTextMode, let length = command.integer(1), length > 0 {
      promptForBody(BodyRequest(purpose: .acknowledge(kind != 2), length: length), at: now)
      return .later
    }
    acknowledged(kind != 2)
    return .ok
  }

  /// The terminal took what was handed over, or did not.
  mutating func acknowledged(_ taken: Bool) {
    acknowledgeBy = nil
    effects.append(.acknowledged(taken))
    effects.append(.reachable)
  }

  /// Nobody acknowledged in time: from now on nothing is handed over any more.
  mutating func acknowledgementMissed() {
    acknowledgeBy = nil
    indication.messages = 0
    indication.reports = 0
    effects.append(.acknowledged(false))
  }
}
