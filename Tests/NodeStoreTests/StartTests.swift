import NodeCore
import Storage
import Testing
import Time

/// What every store of a node must know after a restart.
@Suite struct StartTests {
  @Test(arguments: StoreMaker.all) func whatWasOpenIsUnknownAfterAStart(_ maker: StoreMaker) throws
  {
    let desk = try Desk(maker)
    try desk.record(1)
    try desk.record(2)
    desk.pass(.seconds(301))
    try desk.step(2, .claimed)
    try desk.begin(1, text: 1)
    var rules = NodeRules()
    rules.modems = [NodeModem(name: "one")]
    let facts = try desk.another().recover(rules: rules, at: desk.moment)
    #expect(facts.nextTextID == 2)
    #expect(facts.inFlight == 1)
    #expect(facts.intents == 1)
    #expect(facts.lastQueueID == 2)
    #expect(facts.charges == [TextCharge(modem: ModemID(0), at: desk.moment.boot)])
    #expect(try desk.item(2).status == .pending)
    #expect(try desk.store.texts(of: 1).map(\.outcome) == ["unknown"])
    #expect(try desk.item(1).textDue == nil, "one text is allowed, and it may be on air")
  }

  @Test(arguments: StoreMaker.all) func theClockIsCarriedOver(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    desk.pass(.seconds(240))
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.keepTime(moment.boot)
    }
    let next = try desk.another(bootID: "boot-2")
    #expect(next.clock.time(at: .zero) == desk.moment.boot)
    #expect(
      try next.bootMoment(of: desk.moment.boot + .seconds(5))
        == BootMoment(bootID: "boot-2", time: .seconds(5)))
  }

  @Test(arguments: StoreMaker.all) func whatWaitsFollowsTheSetting(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    try desk.run { transaction, _ throws(StorageError) in
      try transaction.changeFallback(to: .seconds(60))
    }
    desk.pass(.seconds(61))
    #expect(try desk.choose().text?.queueID == 1)
    try desk.record(2)
    #expect(try desk.item(2).textDue == desk.moment.boot + .seconds(60) + .nanoseconds(1))
    #expect(
      try desk.run { transaction, _ throws(StorageError) in try transaction.waiting() } == 2)
  }
}
