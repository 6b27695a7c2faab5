import GSM
import NodeCore
import Passages
import Storage
import Testing
import Time

/// What every store of a node must know for a heartbeat, and keep of it.
@Suite struct HeartbeatTests {
  private func facts(_ desk: Desk) throws -> HeartbeatFacts {
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.heartbeatFacts(at: moment)
    }
  }

  @Test(arguments: StoreMaker.all) func theCountsFollowThePassages(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    #expect(
      try facts(desk)
        == HeartbeatFacts(
          lastNumber: 0, syncedThrough: desk.moment.wall, waiting: 0, texted: 0))
    for number in 1...4 { try desk.record(Int64(number)) }
    desk.pass(.seconds(301))
    try desk.begin(1, text: 1)
    #expect(try facts(desk).texted == 0)
    try desk.end(1, .accepted(references: [1]), .texted)
    try desk.step(2, .claimed)
    try desk.step(2, .synced)
    let now = try facts(desk)
    #expect(now.lastNumber == 4)
    #expect(now.waiting == 2)
    #expect(now.texted == 1)
    #expect(now.syncedThrough.map { $0 < WallTime(epochSeconds: 1_800_000_000) } == true)
  }

  /// The centre compares the count with what came, so that it never falls because rows are removed.
  @Test(arguments: StoreMaker.all) func whatIsPrunedStaysCounted(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    desk.pass(.seconds(301))
    try desk.begin(1, text: 1)
    try desk.end(1, .accepted(references: [1]), .texted)
    try desk.step(1, .claimed)
    try desk.step(1, .synced)
    desk.pass(.seconds(1_000_000))
    try desk.run { transaction, moment throws(StorageError) in
      _ = try transaction.prune(syncedBefore: moment.boot, limit: 10, at: moment)
    }
    #expect(try desk.store.item(1) == nil)
    let after = try facts(desk)
    #expect(after.texted == 1)
    #expect(after.lastNumber == 1)
    #expect(after.waiting == 0)
  }

  @Test(arguments: StoreMaker.all) func itIsATextOfItsOwn(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    var intent = TextIntent(
      id: 1, queueID: nil, modem: ModemID(0), to: "+9779800000000", body: "H1|BNP-A|1|-|1|0",
      modemName: "one")
    intent.isHeartbeat = true
    try desk.run { [intent] transaction, moment throws(StorageError) in
      try transaction.apply(.intent(intent), at: moment)
    }
    // A power cut now: the next start counts it as begun, and its passages are untouched.
    let next = try desk.another(bootID: "boot-2")
    var rules = NodeRules()
    rules.modems = [NodeModem(name: "one")]
    let facts = try next.recover(rules: rules, at: desk.moment)
    #expect(facts.intents == 1)
    #expect(facts.charges.map(\.at) == [desk.moment.boot])
    #expect(try next.texts(of: nil).map(\.isHeartbeat) == [true])
    #expect(try next.texts(of: nil).map(\.body) == ["H1|BNP-A|1|-|1|0"])
    #expect(try next.item(1)?.isTexted == false)
    #expect(try next.item(1)?.textDue != nil)
  }
}
