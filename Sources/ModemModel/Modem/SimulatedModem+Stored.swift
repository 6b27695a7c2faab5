import GSM
import Time

/// Messages that lie in a storage: `+CMGL`, `+CMGR`, `+CMGD` (3GPP TS 27.005 3.4, 3.5, 4.1, 4.2).
extension SimulatedModem {
  mutating func list(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    if command.form == .test {
      let names = MessageStorage.State.all.map { "\"\($0.text)\"" }.joined(separator: ",")
      say(isTextMode ? "+CMGL: (\(names),\"ALL\")" : "+CMGL: (0-4)", at: now)
      return .ok
    }
    guard command.form != .read, let states = wantedStates(command.value(0)) else {
      return .cms(parameterError)
    }
    if faults.listsAreMute { return .later }
    if !faults.listRefusals.isEmpty {
      let code = faults.listRefusals.removeFirst()
      return code == 0 ? .error : .cms(code)
    }
    guard let storage = storageIndex(readStorage) else { return .cms(302) }
    if isUnreadable(storage) { return .cms(321) }
    for number in storages[storage].numbers(where: { states.contains($0) }) {
      busyUntil = max(busyUntil, now) + faults.listDelay
      show(storage, number, isList: true, at: now)
    }
    return .ok
  }

  private func wantedStates(_ wanted: String?) -> [MessageStorage.State]? {
    guard let wanted else { return [.receivedUnread] }
    if isTextMode {
      return wanted == "ALL"
        ? MessageStorage.State.all : MessageStorage.State.named(wanted).map { [$0] }
    }
    guard let number = Int(wanted) else { return nil }
    return number == 4
      ? MessageStorage.State.all : MessageStorage.State(rawValue: number).map { [$0] }
  }

  mutating func read(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    guard let number = command.integer(0), let storage = storageIndex(readStorage),
      storages[storage][number] != nil, !isUnreadable(storage)
    else { return .cms(321) }
    show(storage, number, isList: false, at: now)
    return .ok
  }

  /// Whether a storage tells of status reports and does not give them out.
  private func isUnreadable(_ storage: Int) -> Bool {
    faults.reportsAreUnreadable && storages[storage].name == "SR"
  }

  /// Shows a message, which is read from then on.
  private mutating func show(
    _ storage: Int, _ number: Int, isList: Bool, at now: BootInstant
  ) {
    guard let message = storages[storage][number] else { return }
    let head = isList ? "+CMGL: \(number)," : "+CMGR: "
    if isTextMode {
      let text = TextForm(message, characterSet, isLong: showsTextHeaders)
      say([UInt8](head.utf8) + text.stored(isList: isList), text.body, at: now)
    } else {
      say(
        [UInt8](
          "\(head)\(message.state.rawValue),\(settings.profile.listAlpha),\(message.length)".utf8),
        [[UInt8](Hex.encode(message.pdu).utf8)], at: now)
    }
    guard message.state == .receivedUnread else { return }
    storages[storage][number]?.state = .receivedRead
    changed(.read, storage, number)
  }

  mutating func delete(_ command: CommandText, at now: BootInstant) -> CommandEnd {
    guard let storage = storageIndex(readStorage) else { return .cms(302) }
    if command.form == .test {
      let numbers = storages[storage].numbers { _ in true }.map(String.init)
      say(
        settings.profile.deletionList
          ?? "+CMGD: (\(numbers.joined(separator: ","))),(0-4)", at: now)
      return .ok
    }
    guard command.form == .set, let number = command.integer(0) else {
      return .cms(parameterError)
    }
    if faults.deletesNothing { return .cms(500) }
    let numbers: [Int]
    switch command.value(1) ?? "0" {
    case "0":
      guard storages[storage][number] != nil else { return .cms(321) }
      numbers = [number]
    case "1": numbers = storages[storage].numbers { $0 == .receivedRead }
    case "2": numbers = storages[storage].numbers { $0 == .receivedRead || $0 == .storedSent }
    case "3": numbers = storages[storage].numbers { $0 != .receivedUnread }
    case "4": numbers = storages[storage].numbers { _ in true }
    default: return .cms(parameterError)
    }
    for number in numbers {
      storages[storage][number] = nil
      changed(.deleted, storage, number)
    }
    if !numbers.isEmpty { tellRoom(at: now) }
    if refusedForRoom, !faults.isStorageFull, !numbers.isEmpty {
      // The network is told that there is room again (3GPP TS 24.011, RP-SMMA).
      refusedForRoom = false
      effects.append(.reachable)
    }
    return .ok
  }

  /// Puts sent messages and drafts onto the SIM, as a telephone or another program leaves them.
  mutating func leaveBehind(_ count: Int) {
    guard
      let message = try? MessageComposer.messages(text: "left behind", to: Address("+15550199"))
        .first?.encoded()
    else { return }
    for number in 0..<min(count, settings.storageSize) {
      _ = store(
        MessageStorage.Message(
          state: number.isMultiple(of: 2) ? .storedSent : .storedUnsent, pdu: [0] + message,
          length: message.count),
        in: "SM")
    }
  }

  private mutating func changed(_ kind: StoreChange.Kind, _ storage: Int, _ number: Int) {
    effects.append(
      .storeChanged(StoreChange(kind: kind, storage: storages[storage].name, index: number)))
  }
}
