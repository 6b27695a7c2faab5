import GSM
import NodeCore
import Storage
import Testing
import Time

/// Operators' texts are rows from the moment that they are asked for: they outlive the service, and none is
/// begun twice.
@Suite struct OutgoingTextTests {
  private func text(_ id: TextID, modem: ModemID? = nil) -> ManualText {
    var text = ManualText(
      requestID: id + 100, to: "+9779811111111", body: "text \(id)", parts: 2, modem: modem)
    text.id = id
    return text
  }

  private func apply(_ desk: Desk, _ writes: NodeWrite...) throws {
    try desk.run { transaction, moment throws(StorageError) in
      for write in writes { try transaction.apply(write, at: moment) }
    }
  }

  private func intent(_ id: TextID) -> NodeWrite {
    .intent(
      TextIntent(
        id: id, queueID: nil, modem: ModemID(0), to: "+9779811111111", body: "text \(id)",
        modemName: "one"))
  }

  private func rules(_ names: String...) -> NodeRules {
    var rules = NodeRules()
    rules.modems = names.map { NodeModem(name: $0) }
    return rules
  }

  @Test(arguments: StoreMaker.all) func whatWaitsIsKnownAfterAStart(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try apply(desk, .keepText(text(1), modemName: nil), .keepText(text(2), modemName: "two"))
    try apply(desk, .keepText(text(3), modemName: "gone"))
    let asked = desk.moment.boot
    desk.pass(.seconds(600))
    let facts = try desk.another().recover(rules: rules("one", "two"), at: desk.moment)
    #expect(facts.keptTexts.map(\.text.id) == [1, 2, 3])
    #expect(facts.keptTexts.map(\.text.body) == ["text 1", "text 2", "text 3"])
    #expect(facts.keptTexts.map(\.text.modem) == [nil, ModemID(1), nil])
    #expect(facts.keptTexts.map(\.text.parts) == [2, 2, 2])
    #expect(facts.keptTexts.allSatisfy { $0.queued == asked })
    #expect(facts.nextTextID == 4, "a number that was told is not given again")
  }

  // Nobody knows whether it left: it is unknown, and not begun again.
  @Test(arguments: StoreMaker.all) func whatWasWithAModemIsUnknown(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try apply(
      desk, .keepText(text(1), modemName: nil), intent(1), .keepText(text(2), modemName: nil))
    #expect(
      try desk.store.keptTexts(limit: 9, onlyWaiting: false).map(\.state) == [.waiting, .sending])
    let next = try desk.another()
    let facts = try next.recover(rules: rules("one"), at: desk.moment)
    #expect(facts.keptTexts.map(\.text.id) == [2])
    #expect(try next.keptTexts(limit: 9, onlyWaiting: false).map(\.state) == [.waiting, .unknown])
    #expect(throws: StorageError.self, "a number is begun once") { try apply(desk, intent(1)) }
  }

  @Test(arguments: StoreMaker.all) func whereEachStandsIsTold(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    for id in 1...5 as ClosedRange<TextID> { try apply(desk, .keepText(text(id), modemName: nil)) }
    try apply(desk, intent(1), .outcome(1, .accepted(references: [7, 8]), .texted))
    try apply(desk, .endText(2, .withdrawn))
    try apply(desk, .endText(3, .notSent(reason: "no modem")))
    try apply(desk, intent(4), .outcome(4, .notSent(reason: "the port is closed"), .leftUnknown))
    let texts = try desk.store.keptTexts(limit: 9, onlyWaiting: false)
    #expect(texts.map(\.id) == [5, 4, 3, 2, 1])
    #expect(texts.map(\.state) == [.waiting, .notSent, .notSent, .withdrawn, .accepted])
    #expect(texts.last?.references == [7, 8])
    #expect(texts.map(\.reason) == [nil, "the port is closed", "no modem", nil, nil])
    #expect(texts.first?.changedAt == nil)
    #expect(try desk.store.keptTexts(limit: 9, onlyWaiting: true).map(\.id) == [5])
    #expect(try desk.store.keptTexts(limit: 2, onlyWaiting: false).count == 2)
  }

  @Test(arguments: StoreMaker.all) func onlyWhatWaitsIsWithdrawn(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try apply(desk, .keepText(text(1), modemName: nil), .keepText(text(2), modemName: nil))
    try apply(desk, intent(2))
    func withdraw(_ id: TextID) throws -> Bool {
      try desk.run { transaction, moment throws(StorageError) in
        try transaction.withdrawText(id, at: moment)
      }
    }
    #expect(try withdraw(1))
    #expect(try !withdraw(1), "once")
    #expect(try !withdraw(2), "it is with a modem")
    #expect(try !withdraw(77), "there is none")
    let facts = try desk.another().recover(rules: rules("one"), at: desk.moment)
    #expect(facts.keptTexts.isEmpty)
  }

  // One that waited for hours has a lower number than those that went meanwhile.
  @Test(arguments: StoreMaker.all) func aTextThatWaitedLongIsStillCharged(_ maker: StoreMaker)
    throws
  {
    let desk = try Desk(maker)
    try apply(
      desk, .keepText(text(1), modemName: nil), .keepText(text(2), modemName: nil), intent(2))
    try apply(desk, .outcome(2, .accepted(references: [1]), .texted))
    desk.pass(.seconds(7_200))
    try apply(desk, intent(1))
    let since = desk.moment.boot - .seconds(3_600)
    let charges = try desk.run { transaction, _ throws(StorageError) in
      try transaction.startFacts(modems: ["one"], since: since).charges
    }
    #expect(charges.map(\.at) == [desk.moment.boot])
  }
}
