import GSM
import NodeCore
import Passages
import Storage
import Testing
import Time

/// What every store of a node must do with the texts of a passage to further numbers.
@Suite struct RecipientTests {
  private let officer = TextRecipient.number("+9779822222222")
  private let office = TextRecipient.number("+9779833333333")

  private func set(_ others: [TextRecipient], _ desk: Desk) throws {
    try desk.run { transaction, _ throws(StorageError) in try transaction.setOthers(others) }
  }

  private func number(of recipient: TextRecipient) -> String {
    if case .number(let number) = recipient { number } else { "+9779811111111" }
  }

  private func begin(_ due: DueText, text id: TextID, to number: String? = nil, _ desk: Desk) throws
  {
    var intent = TextIntent(
      id: id, queueID: due.queueID, modem: ModemID(0),
      to: number ?? self.number(of: due.recipient), body: due.body, modemName: "one")
    intent.recipient = due.recipient
    try desk.run { [intent] transaction, moment throws(StorageError) in
      try transaction.apply(.intent(intent), at: moment)
    }
  }

  private func apply(_ write: NodeWrite, _ desk: Desk) throws {
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.apply(write, at: moment)
    }
  }

  private func next(_ desk: Desk) throws -> String? {
    try desk.choose().text.map { "\($0.queueID) \($0.recipient.name)" }
  }

  /// Also before the opposite post, and however little urgent what goes there is.
  @Test(arguments: StoreMaker.all) func theCentreComesFirstAndTheOthersInTheirOrder(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try set([.opposite, office, officer], desk)
    try desk.record(1)
    try desk.record(2, priority: 0)
    desk.pass(.seconds(301))
    var order: [String] = []
    while let due = try desk.choose().text {
      order.append("\(due.queueID) \(due.recipient.name)")
      try begin(due, text: TextID(order.count), desk)
    }
    #expect(
      order == ["1 centre", "2 centre"]
        + [1, 2].flatMap { ["\($0) opposite", "\($0) +9779833333333", "\($0) +9779822222222"] })
  }

  @Test(arguments: StoreMaker.all) func eachHasAStateOfItsOwn(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try set([officer, office], desk)
    try desk.record(1)
    desk.pass(.seconds(301))
    for id in 1...2 as ClosedRange<TextID> {
      try begin(try #require(try desk.choose().text), text: id, desk)
    }
    let later = desk.moment.boot + .seconds(60)
    let refusal = Refusal(code: "CMS 1", words: "unassigned number", kind: .destination)
    try desk.end(2, .refused(refusal), .againAfterRefusal(at: later))
    #expect(try next(desk) == "1 +9779833333333")
    try apply(.park(queueID: 1, recipient: office, reason: "enough"), desk)
    #expect(try desk.choose().nextDue == later)
    try desk.end(1, .accepted(references: [5]), .texted)
    let rows = try desk.store.textDeliveries(of: 1)
    #expect(rows.map(\.recipient) == [.centre, officer, office])
    #expect(rows.map(\.state) == [.sent, .waiting, .parked])
    #expect(rows.map(\.due) == [nil, later, nil])
    #expect(rows.map(\.refusals) == [0, 1, 0])
    #expect(rows.map(\.attempts) == [1, 0, 0])
    #expect(rows.map(\.lastError) == [nil, "CMS 1 unassigned number", nil])
    #expect(rows[2].parkedReason == "enough")
    let item = try desk.item(1)
    #expect(item.isTexted)
    #expect(item.parkedReason == nil)
    #expect(item.refusals == 0)
    #expect(try desk.store.overview(at: desk.moment.boot).parked == 0)
    #expect(try desk.store.texts(of: 1).map(\.to) == [.centre, officer])
    #expect(try desk.store.textDeliveries(of: 99).isEmpty)
  }

  @Test(arguments: StoreMaker.all) func oneIsPutOffOrTooOldAlone(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try set([officer, office], desk)
    try desk.record(1)
    desk.pass(.seconds(301))
    try begin(try #require(try desk.choose().text), text: 1, desk)
    let until = desk.moment.boot + .seconds(900)
    try apply(.putOff(queueID: 1, recipient: officer, until: until), desk)
    #expect(try next(desk) == "1 +9779833333333")
    try apply(.outdated(queueID: 1, recipient: office), desk)
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: until))
    #expect(try desk.store.textDeliveries(of: 1).map(\.state) == [.notTexted, .waiting, .outdated])
    #expect(try !desk.item(1).isOutdated)
    desk.pass(.seconds(900))
    #expect(try next(desk) == "1 +9779822222222")
  }

  /// Who reads these texts has the server.
  @Test(arguments: StoreMaker.all) func whatTheServerHasIsCancelledForAll(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try set([.opposite, officer], desk)
    try desk.record(1)
    desk.pass(.seconds(301))
    try begin(try #require(try desk.choose().text), text: 1, desk)
    try desk.end(1, .accepted(references: [5]), .texted)
    #expect(try next(desk) == "1 opposite")
    try desk.step(1, .claimed)
    try desk.step(1, .synced)
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
  }

  @Test(arguments: StoreMaker.all) func oneThatIsNamedNoLongerIsLetGoAndOthersStay(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try set([officer, office], desk)
    try desk.record(1)
    desk.pass(.seconds(301))
    try begin(try #require(try desk.choose().text), text: 1, desk)
    try set([office], desk)
    #expect(try next(desk) == "1 +9779833333333")
    #expect(
      try desk.store.textDeliveries(of: 1).map(\.state) == [.notTexted, .notTexted, .waiting])
    try desk.record(2)
    #expect(try desk.store.textDeliveries(of: 2).map(\.recipient) == [.centre, office])
    try set([], desk)
    desk.pass(.seconds(301))
    #expect(try next(desk) == "2 centre")
    try begin(try #require(try desk.choose().text), text: 2, desk)
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
  }

  @Test(arguments: StoreMaker.all) func whatIsForANumberGoesToNoOther(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try set([officer], desk)
    try desk.record(1)
    desk.pass(.seconds(301))
    try begin(try #require(try desk.choose().text), text: 1, desk)
    let text = try #require(try desk.choose().text)
    #expect(throws: StorageError.self) {
      try begin(text, text: 2, to: "+9779844444444", desk)
    }
    try begin(text, text: 2, desk)
    #expect(try desk.store.texts(of: 1).map(\.recipient) == ["+9779811111111", "+9779822222222"])
  }

  /// What waits to go to others says nothing of when the centre gets its next text.
  @Test(arguments: StoreMaker.all) func theNextTextIsTheCentres(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try set([officer], desk)
    try desk.record(1)
    desk.pass(.seconds(301))
    try begin(try #require(try desk.choose().text), text: 1, desk)
    try desk.record(2)
    let overview = try desk.store.overview(at: desk.moment.boot)
    #expect(overview.waitingForText == 1)
    #expect(overview.firstTextDue == desk.moment.boot + .seconds(300) + .nanoseconds(1))
    #expect(try next(desk) == "1 +9779822222222")
  }

  @Test(arguments: StoreMaker.all) func aRestartDoublesNone(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try set([officer], desk)
    try desk.record(1)
    desk.pass(.seconds(301))
    for id in 1...2 as ClosedRange<TextID> {
      try begin(try #require(try desk.choose().text), text: id, desk)
    }
    var rules = NodeRules()
    rules.recipients = ["+9779822222222"]
    let facts = try desk.another().recover(rules: rules, at: desk.moment)
    #expect(facts.intents == 2)
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
    #expect(try desk.store.textDeliveries(of: 1).map(\.state) == [.unknown, .unknown])
  }
}
