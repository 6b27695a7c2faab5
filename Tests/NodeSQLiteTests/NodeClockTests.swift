import NodeCore
import NodeSQLite
import Passages
import Storage
import Testing
import Time

@Suite struct NodeClockTests {
  @Test func theFirstBootIsTheMachinesOwnClock() throws {
    let bench = try Bench()
    #expect(bench.store.clock.offset == .zero)
  }

  @Test func aRestartOfTheProcessDoesNotTouchTheClock() throws {
    let bench = try Bench()
    try bench.record(1)
    bench.pass(.seconds(100))
    try bench.reopen()
    #expect(bench.store.clock.offset == .zero)
  }

  @Test func timeWithoutPowerMakesNothingOlder() throws {
    let bench = try Bench()
    try bench.record(1)
    bench.pass(.seconds(240))
    let moment = bench.moment
    try bench.store.transaction { transaction throws(StorageError) in
      try transaction.keepTime(moment.boot)
    }
    try bench.powerCut(boots: .seconds(20))
    let age = bench.moment.boot - (try bench.item(1).since)
    #expect(age == .seconds(260), "240 s before the cut, 20 s since the machine came up")
    #expect(try bench.choose().text == nil)
    bench.pass(.seconds(41))
    #expect(try bench.choose().text?.queueID == 1)
  }

  @Test func withoutAKeptTimeTheLastRowIsTheLastMoment() throws {
    let bench = try Bench()
    bench.pass(.seconds(50))
    try bench.record(1)
    bench.pass(.seconds(500))
    try bench.powerCut(boots: .zero)
    #expect(bench.moment.boot == (try bench.item(1).since))
  }

  /// A report that comes after a power cut is about that text.
  @Test(arguments: [false, true]) func aTextOfBeforeThePowerCutLiesNotAhead(_ ends: Bool) throws {
    let bench = try Bench()
    try bench.record(1)
    bench.pass(.seconds(400))
    let text = TextIntent(
      id: 1, queueID: nil, modem: ModemID(0), to: "+9779800000000", body: "b", modemName: "one")
    try bench.apply([.intent(text)])
    if ends {
      bench.pass(.seconds(40))
      try bench.end(1, .unknown(reason: "no answer"), .leftUnknown)
    }
    let last = bench.moment.boot
    try bench.powerCut(boots: .zero)
    #expect(bench.moment.boot == last)
  }

  @Test func aMessageOfBeforeThePowerCutLiesNotAhead() throws {
    let bench = try Bench()
    try bench.record(1)
    bench.pass(.seconds(400))
    let moment = bench.moment
    _ = try bench.store.transaction { transaction throws(StorageError) in
      try transaction.keep(
        InboxEntry(pdu: "00", modem: "one", content: .undecodable(reason: "broken")), at: moment)
    }
    try bench.powerCut(boots: .zero)
    #expect(bench.moment.boot == moment.boot)
  }

  @Test func everyPowerCutAddsUp() throws {
    let bench = try Bench()
    try bench.record(1)
    var last = bench.moment.boot
    for number in 2...6 as ClosedRange<Int64> {
      bench.pass(.seconds(30))
      try bench.record(number)
      #expect(bench.moment.boot > last)
      last = bench.moment.boot
      try bench.powerCut(boots: .seconds(5))
      #expect(bench.moment.boot == last + .seconds(5))
    }
  }

  @Test func theClockRunsBothWays() throws {
    let bench = try Bench()
    try bench.record(1)
    try bench.powerCut()
    let clock = bench.store.clock
    #expect(clock.boot(at: clock.time(at: .seconds(77))) == .seconds(77))
  }
}
