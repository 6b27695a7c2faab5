public import GSM
public import Timing

/// Messages: settings, storages, sending, receiving (3GPP TS 27.005).
extension SimulatedModem {
  mutating func messages(_ command: CommandText, at now: BootInstant) -> CommandEnd? {
    switch (command.name, command.form) {
    case ("+CMGF", .set):
      guard let mode = command.integer(0), (0...1).contains(mode) else { return .cms(303) }
      isTextMode = mode == 1
    case ("+CMGF", .read): say("+CMGF: \(isTextMode ? 1 : 0)", at: now)
    case ("+CMGF", .test): say("+CMGF: (0,1)", at: now)
    case ("+CSMS", .set):
      guard let service = command.integer(0), (0...1).contains(service) else { return .cms(302) }
      messageService = service
      say("+CSMS: 1,1,1", at: now)
    case ("+CSMS", .read): say("+CSMS: \(messageService),1,1,1", at: now)
    case ("+CSMS", .test): say("+CSMS: (0,1)", at: now)
    case ("+CSMP", .set):
      for place in 0..<4 { textParameters[place] = command.integer(place) ?? textParameters[place] }
    case ("+CSMP", .read):
      say("+CSMP: \(textParameters.map(String.init).joined(separator: ","))", at: now)
    case ("+CSMP", .test), ("+CSDH", .test): break
    case ("+CSDH", .set): showsTextHeaders = command.integer(0) == 1
    case ("+CSDH", .read): say("+CSDH: \(showsTextHeaders ? 1 : 0)", at: now)
    case ("+CMMS", .set):
      guard let mode = command.integer(0), (0...2).contains(mode) else { return .cms(302) }
    case ("+CMMS", .read): say("+CMMS: 0", at: now)
    case ("+CMMS", .test): say("+CMMS: (0-2)", at: now)
    case ("+CNMI", _): return indicationCommand(command, at: now)
    case ("+CPMS", _): return storageCommand(command, at: now)
    case ("+CSCA", _): return serviceCentreCommand(command, at: now)
    case ("+CNMA", _): return messageService == 1 ? .ok : .cms(340)
    case ("+CMGS", .set), ("+CMGW", .set): return beginBody(command, at: now)
    case ("+CMGS", .test), ("+CMGW", .test), ("+CMGR", .test): break
    case ("+CMSS", .set): return sendStored(command, at: now)
    case ("+CMGL", _): return list(command, at: now)
    case ("+CMGR", .set): return read(command, at: now)
    case ("+CMGD", _): return delete(command, at: now)
    default: return nil
    }
    return .ok
  }

  // MARK: Settings

  private mutating func indicationCommand(
    _ command: CommandText, at now: BootInstant
  ) -> CommandEnd {
    switch command.form {
    case .set, .execute:
      var wanted = [0, 0, 0, 0, 0]
      for place in 0..<5 {
        guard let value = command.value(place) else { continue }
        guard let number = Int(value) else { return .cms(302) }
        wanted[place] = number
      }
      let bounds = [0...2, 0...3, 0...3, 0...2, 0...1]
      guard zip(wanted, bounds).allSatisfy({ $1.contains($0) }) else { return .cms(302) }
      indication = wanted
    case .read: say("+CNMI: \(indication.map(String.init).joined(separator: ","))", at: now)
    case .test: say("+CNMI: (0-2),(0-3),(0,2),(0-2),(0,1)", at: now)
    }
    return .ok
  }

  private mutating func storageCommand(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if let error = messageError(now) { return .cms(error) }
    switch command.form {
    case .test: say("+CPMS: (\"SM\",\"ME\",\"SR\"),(\"SM\",\"ME\"),(\"SM\",\"ME\")", at: now)
    case .read:
      let parts = [readStorage, writeStorage, receiveStorage].map { name in
        "\"\(name)\",\(storage(name).used),\(storage(name).size)"
      }
      say("+CPMS: \(parts.joined(separator: ","))", at: now)
    case .set:
      let wanted = command.values
      guard wanted.count <= 3, let first = wanted[0], storageIndex(first) != nil,
        wanted.dropFirst().allSatisfy({ $0 == nil || $0 == "SM" || $0 == "ME" })
      else { return .cms(302) }
      readStorage = first
      if let write = command.value(1) { writeStorage = write }
      if let receive = command.value(2) { receiveStorage = receive }
      let parts = [readStorage, writeStorage, receiveStorage].map { name in
        "\(storage(name).used),\(storage(name).size)"
      }
      say("+CPMS: \(parts.joined(separator: ","))", at: now)
    case .execute: return .error
    }
    return .ok
  }

  private mutating func serviceCentreCommand(
    _ command: CommandText, at now: BootInstant
  ) -> CommandEnd {
    if let error = messageError(now) { return .cms(error) }
    switch command.form {
    case .read:
      say("+CSCA: \"\(serviceCentre)\",\(serviceCentre.hasPrefix("+") ? 145 : 129)", at: now)
    case .set:
      guard let number = command.value(0), (try? Address(number)) != nil else { return .cms(304) }
      serviceCentre = number
    case .test: break
    case .execute: return .error
    }
    return .ok
  }

  func storageIndex(_ name: String) -> Int? {
    // MT is both, of which the SIM's is the one that matters here.
    storages.firstIndex { $0.name == (name == "MT" ? "SM" : name) }
  }

  func storage(_ name: String) -> MessageStorage {
    storageIndex(name).map { storages[$0] } ?? storages[0]
  }

  // MARK: Reading

  private mutating func list(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if let error = messageError(now) { return .cms(error) }
    if command.form == .test {
      say(
        isTextMode
          ? "+CMGL: (\"REC UNREAD\",\"REC READ\",\"STO UNSENT\",\"STO SENT\",\"ALL\")"
          : "+CMGL: (0-4)", at: now)
      return .ok
    }
    let wanted = command.value(0) ?? (isTextMode ? "REC UNREAD" : "0")
    let states: [MessageStorage.State]
    if isTextMode {
      guard wanted == "ALL" || MessageStorage.State.named(wanted) != nil else { return .cms(302) }
      states = MessageStorage.State.named(wanted).map { [$0] } ?? MessageStorage.State.all
    } else {
      guard let number = Int(wanted), (0...4).contains(number) else { return .cms(302) }
      states = MessageStorage.State(rawValue: number).map { [$0] } ?? MessageStorage.State.all
    }
    guard let place = storageIndex(readStorage) else { return .cms(302) }
    for number in 1...max(1, storages[place].size) {
      guard let message = storages[place][number], states.contains(message.state) else { continue }
      show(message, number: number, isList: true, at: now)
      markRead(place, number)
    }
    return .ok
  }

  private mutating func read(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if let error = messageError(now) { return .cms(error) }
    guard let number = command.integer(0), let place = storageIndex(readStorage),
      storages[place].has(number), let message = storages[place][number]
    else { return .cms(321) }
    show(message, number: number, isList: false, at: now)
    markRead(place, number)
    return .ok
  }

  private mutating func show(
    _ message: MessageStorage.Message, number: Int, isList: Bool, at now: BootInstant
  ) {
    let head = isList ? "+CMGL: \(number)," : "+CMGR: "
    if isTextMode {
      say(head + textHeader(message), at: now)
      say(textBody(message), at: now)
    } else {
      say("\(head)\(message.state.rawValue),,\(message.length)", at: now)
      // Header and PDU are one block, with nothing between them.
      put(Array("\(Hex.encode(message.pdu))\r\n".utf8), at: max(now, busyUntil))
    }
  }

  private mutating func markRead(_ place: Int, _ number: Int) {
    guard storages[place][number]?.state == .receivedUnread else { return }
    storages[place][number]?.state = .receivedRead
    effects.append(
      .storeChanged(StoreChange(kind: .read, storage: storages[place].name, index: number)))
  }

  private mutating func delete(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if let error = messageError(now) { return .cms(error) }
    guard let place = storageIndex(readStorage) else { return .cms(302) }
    if command.form == .test {
      say("+CMGD: (1-\(storages[place].size)),(0-4)", at: now)
      return .ok
    }
    guard command.form == .set, let number = command.integer(0) else { return .cms(302) }
    switch command.integer(1) ?? 0 {
    case 0:
      guard storages[place].has(number), storages[place][number] != nil else { return .cms(321) }
      storages[place][number] = nil
      effects.append(
        .storeChanged(StoreChange(kind: .deleted, storage: storages[place].name, index: number)))
    case 1: storages[place].removeAll { $0 == .receivedRead }
    case 2: storages[place].removeAll { $0 == .receivedRead || $0 == .storedSent }
    case 3: storages[place].removeAll { $0 != .receivedUnread }
    case 4: storages[place].removeAll { _ in true }
    default: return .cms(302)
    }
    return .ok
  }

  // MARK: Receiving

  /// Takes a message from the network.
  ///
  /// - Parameter tpdu: SMS-DELIVER or SMS-STATUS-REPORT.
  /// - Returns: Whether the modem took it, and what comes of it. One that is not reachable, or whose
  ///   storage is full, does not take it.
  public mutating func deliver(
    _ tpdu: TPDU, at now: BootInstant
  ) -> (taken: Bool, effects: [ModemEffect]) {
    guard isReachable(at: now), let octets = try? tpdu.encoded() else { return (false, []) }
    let centre = (try? Address(settings.smsc)).flatMap {
      try? PDU(serviceCentre: $0, tpdu: tpdu).encoded()
    }
    let pdu = centre ?? [0] + octets
    let isReport = if case .statusReport = tpdu { true } else { false }
    let taken =
      isReport
      ? takeReport(pdu, octets.count, at: now) : takeMessage(pdu, octets.count, at: now)
    return (taken, advance(to: now))
  }

  private mutating func takeMessage(
    _ pdu: [UInt8], _ length: Int, at now: BootInstant
  ) -> Bool {
    if indication[1] == 2, !isReceptionSilent {
      if isTextMode {
        let message = MessageStorage.Message(state: .receivedUnread, pdu: pdu, length: length)
        tell("+CMT: \(textDelivery(message))", at: now)
        put(Array("\(textBody(message))\r\n".utf8), at: now)
      } else {
        tell("+CMT: ,\(length)", at: now)
        put(Array("\(Hex.encode(pdu))\r\n".utf8), at: now)
      }
      return true
    }
    guard let place = storageIndex(receiveStorage),
      let number = storages[place].put(
        MessageStorage.Message(state: .receivedUnread, pdu: pdu, length: length))
    else { return false }
    if indication[1] == 1, !isReceptionSilent {
      tell("+CMTI: \"\(storages[place].name)\",\(number)", at: now)
    }
    return true
  }

  private mutating func takeReport(
    _ pdu: [UInt8], _ length: Int, at now: BootInstant
  ) -> Bool {
    switch indication[3] {
    case 1:
      if isReceptionSilent { return true }
      if isTextMode {
        tell("+CDS: \(length)", at: now)
      } else {
        tell("+CDS: \(length)", at: now)
        put(Array("\(Hex.encode(pdu))\r\n".utf8), at: now)
      }
      return true
    case 2:
      guard let place = storageIndex("SR"),
        let number = storages[place].put(
          MessageStorage.Message(
            state: .receivedUnread, pdu: pdu, length: length, isReport: true))
      else { return false }
      if !isReceptionSilent { tell("+CDSI: \"SR\",\(number)", at: now) }
      return true
    default:
      // Nobody wants reports: the modem takes them and says nothing.
      return true
    }
  }
}

extension MessageStorage.State {
  static let all: [MessageStorage.State] = [
    .receivedUnread, .receivedRead, .storedUnsent, .storedSent,
  ]

  static func named(_ name: String) -> MessageStorage.State? {
    all.first { $0.text == name }
  }
}
