import GSM
import Time

/// The settings of the message service (3GPP TS 27.005 3.1 to 3.4).
extension SimulatedModem {
  /// What a parameter that makes no sense is answered with.
  var parameterError: Int { isTextMode ? 305 : 304 }

  mutating func messages(_ command: CommandText, at now: BootInstant) -> CommandEnd? {
    if refusesYet(command.name, at: now) { return .error }
    if let end = messageFormat(command, at: now) { return end }
    let wants = [
      "+CSMP", "+CNMI", "+CPMS", "+CSCA", "+CNMA", "+CMGS", "+CMGW", "+CMSS", "+CMGL", "+CMGR",
      "+CMGD", "+CSAS", "+CRES", "+CSCB",
    ]
    guard wants.contains(command.name) else { return nil }
    if let error = messageError(now) { return .cms(error) }
    switch (command.name, command.form) {
    case ("+CSMP", .set):
      guard textParameters.take(command.values) else { return .cms(305) }
    case ("+CSMP", .read): say("+CSMP: \(textParameters.text)", at: now)
    case ("+CNMI", _): return indicationCommand(command, at: now)
    case ("+CPMS", _): return storageCommand(command, at: now)
    case ("+CSCA", _): return serviceCentreCommand(command, at: now)
    case ("+CNMA", _): return acknowledge(command, at: now)
    case ("+CMGS", .set): return beginSending(command, at: now)
    case ("+CMGW", .set), ("+CMGW", .execute): return beginStoring(command, at: now)
    case ("+CMSS", .set): return sendStored(command, at: now)
    case ("+CMGL", _): return list(command, at: now)
    case ("+CMGR", .set): return read(command, at: now)
    case ("+CMGD", _): return delete(command, at: now)
    case (_, .test), ("+CSAS", _), ("+CRES", _), ("+CSCB", .set): break
    default: return .error
    }
    return .ok
  }

  /// What can be settled without a SIM.
  private mutating func messageFormat(
    _ command: CommandText, at now: BootInstant
  ) -> CommandEnd? {
    func choice(_ bounds: ClosedRange<Int>) -> Int? {
      command.integer(0).flatMap { bounds.contains($0) ? $0 : nil }
    }
    switch (command.name, command.form) {
    case ("+CMGF", .set):
      guard let mode = choice(0...1) else { return .cms(303) }
      isTextMode = mode == 1
    case ("+CMGF", .read): say("+CMGF: \(isTextMode ? 1 : 0)", at: now)
    case ("+CMGF", .test): say("+CMGF: (0,1)", at: now)
    case ("+CSMS", .set):
      guard let service = command.integer(0), settings.profile.services.contains(service) else {
        return .cms(303)
      }
      messageService = service
      say("+CSMS: 1,1,1", at: now)
    case ("+CSMS", .read): say("+CSMS: \(messageService),1,1,1", at: now)
    case ("+CSMS", .test):
      say("+CSMS: (\(settings.profile.services.map(String.init).joined(separator: ",")))", at: now)
    case ("+CSDH", .set):
      guard let shows = choice(0...1) else { return .cms(305) }
      showsTextHeaders = shows == 1
    case ("+CSDH", .read): say("+CSDH: \(showsTextHeaders ? 1 : 0)", at: now)
    case ("+CSDH", .test): say("+CSDH: (0,1)", at: now)
    case ("+CMMS", _) where settings.profile.moreMessagesError != nil:
      return .cms(settings.profile.moreMessagesError ?? 303)
    case ("+CMMS", .set):
      guard let mode = choice(0...2) else { return .cms(303) }
      moreMessages = mode
    case ("+CMMS", .read): say("+CMMS: \(moreMessages)", at: now)
    case ("+CMMS", .test): say("+CMMS: (0-2)", at: now)
    default: return nil
    }
    return .ok
  }

  private mutating func indicationCommand(
    _ command: CommandText, at now: BootInstant
  ) -> CommandEnd {
    let profile = settings.profile
    switch command.form {
    case .set, .execute:
      let values = command.form == .set ? command.values : []
      guard let wanted = Indication(values, profile) else { return .cms(303) }
      indication = wanted
      releaseIndications(at: now)
    case .read: say("+CNMI: \(indication.text)", at: now)
    case .test:
      let broadcasts = profile.broadcastModes.map(String.init).joined(separator: ",")
      say(
        "+CNMI: (0-\(profile.indicationModes.upperBound)),(0-3),(\(broadcasts)),"
          + "(0-\(profile.reportModes.upperBound)),(0,1)", at: now)
    }
    return .ok
  }

  // MARK: Storages

  private mutating func storageCommand(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    switch command.form {
    case .test:
      say(
        settings.profile.storageList
          ?? "+CPMS: (\"SM\",\"ME\",\"MT\",\"SR\"),(\"SM\",\"ME\"),(\"SM\",\"ME\",\"MT\")", at: now)
    case .read: say("+CPMS: \(storageUse(named: true))", at: now)
    case .set:
      let wanted = command.values
      if faults.storagesGoTogether, wanted.count != 3 { return .error }
      guard wanted.count <= 3, let first = wanted.first ?? nil, storageIndex(first) != nil,
        wanted.dropFirst().allSatisfy({ $0 == nil || $0 != "SR" && storageIndex($0 ?? "") != nil })
      else { return .cms(302) }
      readStorage = first
      if let write = command.value(1) { writeStorage = write }
      if let receive = command.value(2) { receiveStorage = receive }
      say("+CPMS: \(storageUse(named: false))", at: now)
      if faults.endsStoragesSilently { return .later }
    case .execute: return .error
    }
    return .ok
  }

  private func storageUse(named: Bool) -> String {
    [readStorage, writeStorage, receiveStorage].map { name in
      let storage = storageIndex(name).map { storages[$0] } ?? storages[0]
      let size = min(storage.size, faults.storageLimit ?? .max)
      let use = "\(faults.isStorageFull ? size : storage.used),\(size)"
      return named ? "\"\(name)\",\(use)" : use
    }.joined(separator: ",")
  }

  /// Which storage a name means. `MT` is that of SIM and modem together; what it holds is what the
  /// SIM holds.
  func storageIndex(_ name: String) -> Int? {
    if name == "SR", !settings.profile.reportModes.contains(2) { return nil }
    return storages.firstIndex { $0.name == (name == "MT" ? "SM" : name) }
  }

  /// Puts a message into a storage; its place, or nil when there is no room.
  mutating func store(_ message: MessageStorage.Message, in name: String) -> (Int, Int)? {
    guard !faults.isStorageFull, let storage = storageIndex(name),
      storages[storage].used < faults.storageLimit ?? .max,
      let number = storages[storage].put(message)
    else { return nil }
    effects.append(
      .storeChanged(StoreChange(kind: .stored, storage: storages[storage].name, index: number)))
    return (storage, number)
  }

  // MARK: Service centre

  private mutating func serviceCentreCommand(
    _ command: CommandText, at now: BootInstant
  ) -> CommandEnd {
    if let from = faults.centreFrom, from > now { return .cme(14) }
    let serviceCentre = faults.hasNoCentre ? "" : self.serviceCentre
    switch command.form {
    case .read:
      say(
        [UInt8]("+CSCA: \"".utf8) + characterSet.bytes(serviceCentre)
          + [UInt8]("\",\(serviceCentre.hasPrefix("+") ? 145 : 129)".utf8), at: now)
    case .set:
      let typed = command.value(0) ?? ""
      guard let number = characterSet.text([UInt8](typed.utf8)),
        let address = SimulatedModem.address(number, type: command.integer(1))
      else { return .cms(305) }
      self.serviceCentre = address.number
      faults.hasNoCentre = false
    case .test: break
    case .execute: return .error
    }
    return .ok
  }

  /// The address of a number as it was typed, and of its type octet when one was given.
  static func address(_ number: String, type: Int?) -> Address? {
    guard var address = try? Address(number) else { return nil }
    if let type, let octet = UInt8(exactly: type), octet >= 0x80,
      let kind = TypeOfNumber(rawValue: octet >> 4 & 0x07), !number.hasPrefix("+")
    {
      address.typeOfNumber = kind
    }
    return address
  }
}
