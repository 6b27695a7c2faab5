import GSM
import NodeCore
import Passages
import Storage
import Testing
import Time

/// What every store of a node must do with a passage's text to the opposite post.
@Suite struct OppositeTests {
  private func set(_ isTexted: Bool, _ desk: Desk) throws {
    try desk.run { transaction, _ throws(StorageError) in
      try transaction.setOthers(isTexted ? [.opposite] : [])
    }
  }

  private func begin(_ due: DueText, text id: TextID, _ desk: Desk) throws {
    var intent = TextIntent(
      id: id, queueID: due.queueID, modem: ModemID(0), to: "+9779811111111", body: due.body,
      modemName: "one")
    intent.recipient = due.recipient
    try desk.run { [intent] transaction, moment throws(StorageError) in
      try transaction.apply(.intent(intent), at: moment)
    }
  }

  private func waiting(_ desk: Desk) throws -> Int {
    try desk.run { transaction, _ throws(StorageError) in try transaction.waiting() }
  }

  @Test(arguments: StoreMaker.all) func theCentreComesFirst(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try set(true, desk)
    try desk.record(1)
    try desk.record(2)
    #expect(try waiting(desk) == 2)
    desk.pass(.seconds(301))
    var order: [String] = []
    for id in 1...4 as ClosedRange<TextID> {
      let due = try #require(try desk.choose().text)
      order.append("\(due.queueID) \(due.recipient.name)")
      try begin(due, text: id, desk)
    }
    #expect(order == ["1 centre", "2 centre", "1 opposite", "2 opposite"])
    #expect(try waiting(desk) == 0)
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
  }

  @Test(arguments: StoreMaker.all) func eachHasAStateOfItsOwn(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try set(true, desk)
    try desk.record(1)
    desk.pass(.seconds(301))
    try begin(try #require(try desk.choose().text), text: 1, desk)
    try begin(try #require(try desk.choose().text), text: 2, desk)
    try desk.end(2, .accepted(references: [5]), .texted)
    #expect(try desk.item(1).isTexted == false)
    #expect(try desk.store.overview(at: desk.moment.boot).texted == 0)
    try desk.end(1, .notSent(reason: "no answer"), .againAfterRefusal(at: desk.moment.boot))
    let again = try #require(try desk.choose().text)
    #expect(again.recipient == .centre)
    try begin(again, text: 3, desk)
    try desk.end(3, .accepted(references: [6]), .texted)
    #expect(try desk.item(1).isTexted)
    #expect(try desk.choose().text == nil)
    #expect(try desk.store.overview(at: desk.moment.boot).texted == 1)
  }

  /// The opposite post pulls it from the server.
  @Test(arguments: StoreMaker.all) func whatTheServerHasIsCancelled(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try set(true, desk)
    try desk.record(1)
    desk.pass(.seconds(301))
    try begin(try #require(try desk.choose().text), text: 1, desk)
    try desk.end(1, .accepted(references: [5]), .texted)
    #expect(try desk.choose().text?.recipient == .opposite)
    try desk.step(1, .claimed)
    try desk.step(1, .synced)
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
  }

  @Test(arguments: StoreMaker.all) func whatIsHandedOnOrNoLongerWantedIsLetGo(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try set(true, desk)
    try desk.record(1)
    try desk.record(2)
    desk.pass(.seconds(301))
    _ = try desk.store.handOn([1], at: desk.moment)
    try begin(try #require(try desk.choose().text), text: 1, desk)
    let opposite = try #require(try desk.choose().text)
    #expect(opposite.queueID == 2)
    #expect(opposite.recipient == .opposite)
    try set(false, desk)
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
    try desk.record(3)
    desk.pass(.seconds(301))
    #expect(try desk.choose().text?.recipient == .centre)
    try begin(try #require(try desk.choose().text), text: 2, desk)
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
  }

  /// Whether a text left is nobody's guess after a power cut: neither is doubled.
  @Test(arguments: StoreMaker.all) func aRestartDoublesNeither(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try set(true, desk)
    try desk.record(1)
    desk.pass(.seconds(301))
    try begin(try #require(try desk.choose().text), text: 1, desk)
    try begin(try #require(try desk.choose().text), text: 2, desk)
    var rules = NodeRules()
    rules.oppositeNumber = "+9779811111111"
    let facts = try desk.another().recover(rules: rules, at: desk.moment)
    #expect(facts.intents == 2)
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
    #expect(try desk.store.texts(of: 1).map(\.outcome) == ["unknown", "unknown"])
  }
}
