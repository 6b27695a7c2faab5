import GSM
import NodeCore
import Storage
import Testing
import Time

/// What every store of a node must do with what comes in.
@Suite struct InboxTests {
  @Test(arguments: StoreMaker.all) func whatComesTwiceIsKeptOnce(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    let entry = InboxEntry(
      pdu: "00", identity: "A", modem: "one", content: .text(sender: "NTC", text: "hello"))
    #expect(try desk.keep(entry) == .kept(textID: nil))
    #expect(try desk.keep(entry) == .known)
    let inbox = try desk.store.inbox()
    #expect(inbox.map(\.text) == ["hello"])
    #expect(inbox.map(\.times) == [2])
  }

  @Test(arguments: StoreMaker.all) func aReportFindsItsText(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.begin(nil, text: 1)
    try desk.end(1, .accepted(references: [7]), .leftUnknown)
    desk.pass(.seconds(5))
    #expect(try desk.keep(report(8)) == .kept(textID: nil), "none of ours")
    #expect(try desk.keep(report(7)) == .kept(textID: 1))
    #expect(try desk.store.texts(of: nil).map(\.delivery) == [.delivered])
  }

  @Test(arguments: StoreMaker.all) func aReportMayComeBeforeTheOutcome(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.begin(nil, text: 1)
    desk.pass(.seconds(1))
    #expect(try desk.keep(report(7)) == .kept(textID: nil))
    try desk.end(1, .accepted(references: [7]), .leftUnknown)
    let matched = try desk.run { transaction, moment throws(StorageError) in
      try transaction.matchReports(ofTextBy: "one", at: moment)
    }
    #expect(matched.map(\.textID) == [1])
    #expect(matched.map(\.resolved) == [false])
  }

  @Test(arguments: StoreMaker.all) func aReportSettlesWhatNobodyKnew(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    desk.pass(.seconds(301))
    try desk.begin(1, text: 1)
    try desk.end(1, .unknown(reason: "no answer"), .leftUnknown)
    desk.pass(.seconds(5))
    #expect(try desk.keep(report(9)) == .kept(textID: 1, resolved: true))
    #expect(try desk.item(1).isTexted)
    #expect(try desk.store.texts(of: 1).map(\.settledBy) == [.onlyText])
  }

  @Test(arguments: StoreMaker.all) func partsBecomeOneText(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    func part(_ number: Int) -> InboxEntry {
      InboxEntry(
        pdu: "\(number)",
        content: .part(
          sender: "NTC", text: "t\(number)", MessagePart(key: "NTC/7", part: number, total: 2)))
    }
    let place = MessagePart(key: "NTC/7", part: 1, total: 2)
    _ = try desk.keep(part(2))
    let (early, late) = try desk.run { transaction, moment throws(StorageError) in
      let early = try transaction.completeParts(place)
      _ = try transaction.keep(part(1), at: moment)
      let late = try transaction.completeParts(place)
      try transaction.join(place, text: "t1t2")
      return (early, late)
    }
    #expect(early == nil)
    #expect(late == ["1", "2"])
    #expect(try desk.store.inbox(limit: 10, isWhole: false).map(\.text) == ["t1t2"])
  }

  @Test(arguments: StoreMaker.all) func whatHasWaitedForTooLongIsGivenUp(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    func sweep() throws -> Sweep {
      try desk.run { transaction, moment throws(StorageError) in
        try transaction.sweep(reportsWithin: .seconds(60), asksForReports: true, at: moment)
      }
    }
    try desk.begin(nil, text: 1)
    try desk.end(1, .accepted(references: [7, 8]), .leftUnknown)
    try desk.begin(nil, text: 2)
    try desk.end(2, .unknown(reason: "no answer"), .leftUnknown)
    #expect(try desk.keep(report(8)) == .kept(textID: 1))
    #expect(try desk.keep(report(9, .trying)) == .kept(textID: 2, resolved: true))
    #expect(try desk.keep(report(50)) == .kept(textID: nil))
    _ = try desk.keep(
      InboxEntry(
        pdu: "part",
        content: .part(sender: "x", text: "t", MessagePart(key: "x", part: 1, total: 2))))
    desk.pass(.seconds(59))
    #expect(try sweep().changes.isEmpty)
    desk.pass(.seconds(1))
    #expect(try sweep().expired == [1, 2])
    #expect(try sweep().changes.isEmpty, "once")
    #expect(try desk.store.texts(of: nil).map(\.delivery) == [.expired, .expired])
    desk.pass(.seconds(7 * 86_400))
    let last = try sweep()
    #expect(last.reportsGivenUp.count == 1)
    #expect(last.partsGivenUp.count == 1)
    #expect(try desk.store.inbox().map(\.error) == ["missing_parts", "no_text", nil, nil])
    #expect(try sweep().changes.isEmpty)
  }
}
