import AT
import Testing
import Time

@testable import ModemSession

@Suite struct StorageStateTests {
  private let now = BootInstant.seconds(1_000)

  private func state() -> StorageState {
    var storage = StorageState(ModemConfiguration(port: "/dev/modem"))
    storage.settled(in: "SM", use: StorageUse(answer: "1,30"), all: ["SM", "ME"])
    storage.isSetUp(at: now)
    return storage
  }

  private func listed(_ storage: inout StorageState, _ lines: [String]) -> [ModemEvent] {
    let answer = ATAnswer(
      command: ATCommand("AT+CMGL=4", timeout: .seconds(60)), lines: lines, ending: .ok)
    return storage.listed(answer, nil, at: now).events
  }

  private func tokens(_ events: [ModemEvent]) -> [UInt64] {
    events.compactMap { if case .received(let inbound) = $0 { inbound.token } else { nil } }
  }

  @Test func allStoragesAreLookedThroughAfterTheSetup() {
    var storage = state()
    expect(storage.next(at: now)?.command.text, is: "AT+CMGL=4")
    let other = storage.next(at: now)
    #expect(other?.purpose == .select("ME"))
    #expect(other?.command.text == "AT+CPMS=\"ME\"")
  }

  @Test func aMessageIsDeletedOnlyOnceItIsConfirmed() {
    var storage = state()
    _ = storage.next(at: now)
    let lines = ["+CMGL: 3,1,,4", "0001"]
    let first = tokens(listed(&storage, lines))
    #expect(first.count == 1)
    expect(tokens(listed(&storage, lines)), is: first, "the same token at each look")
    #expect(storage.deletes == [])
    for token in first { storage.confirm(token) }
    #expect(storage.deletes == [StorageState.Place(storage: "SM", index: 3)])
    expect(tokens(listed(&storage, lines)), is: [], "its deletion is next")
    expect(storage.next(at: now)?.command.text, is: "AT+CMGD=3")
  }

  @Test func anotherMessageAtTheSamePlaceIsNotDeletedForTheFirst() {
    var storage = state()
    let first = tokens(listed(&storage, ["+CMGL: 3,1,,4", "0001"]))
    let second = tokens(listed(&storage, ["+CMGL: 3,1,,4", "0002"]))
    #expect(first != second)
    for token in first { storage.confirm(token) }
    #expect(storage.deletes == [])
  }

  @Test func aMessageThatIsToldOfIsReadBeforeAnyLook() {
    var storage = state()
    expect(storage.announced(StorageState.Place(storage: "SM", index: 9)), is: false)
    expect(storage.next(at: now)?.command.text, is: "AT+CMGR=9")
  }
}
