import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Storage
import Testing
import Time

/// When a passage leaves as a text.
@Suite struct DueTests {
  @Test func afterMoreThanFiveMinutesAndNotBefore() throws {
    let bench = try Bench()
    try bench.start()
    let queueID = try bench.record(1)
    #expect(try bench.pass(.seconds(300)).texts.isEmpty)
    let text = try #require(try bench.pass(.nanoseconds(1)).texts.first)
    #expect(text.to == gateway)
    let item = try #require(try bench.store.item(queueID))
    #expect(text.body == item.passage.v1Body)
  }

  @Test func theMachineAsksToBeCalledAtThatVeryMoment() throws {
    let bench = try Bench()
    try bench.start()
    try bench.record(1)
    let due = bench.boot + .seconds(300) + .nanoseconds(1)
    #expect(try bench.passUntilText(within: .seconds(3_600)).texts.count == 1)
    #expect(bench.boot == due)
  }

  @Test func thePowerBeingOffMakesNoPassageOlder() throws {
    let bench = try Bench()
    try bench.start()
    try bench.record(1)
    try bench.pass(.seconds(240))
    // An hour without power; then the 20 seconds that the machine took to come up count.
    #expect(try bench.powerCut(uptime: .seconds(20)).texts.isEmpty)
    #expect(try bench.pass(.seconds(40)).texts.isEmpty)
    #expect(try bench.pass(.nanoseconds(1)).texts.count == 1)
  }

  @Test func aPassageThatFailedIsDueAsSoonAsAnyOther() throws {
    let bench = try Bench()
    try bench.start()
    let queueID = try bench.record(1)
    let moment = Moment(boot: bench.store.clock.time(at: bench.boot), wall: bench.wall)
    let upload = try #require(try bench.store.uploads(of: queueID).first).id
    try bench.store.transaction { transaction throws(StorageError) in
      try transaction.apply(.claimed([upload]), at: moment)
      try transaction.apply(
        .failed(upload, error: "503", isPermanent: false, mayBeTexted: true), at: moment)
    }
    #expect(try bench.handle(.woke).texts.isEmpty)
    #expect(try bench.pass(.seconds(300)).texts.isEmpty)
    #expect(try bench.pass(.nanoseconds(1)).texts.count == 1)
  }

  @Test func aPassageOfAnotherProcessIsFoundWithoutAWord() throws {
    let bench = try Bench()
    try bench.start()
    let other = try bench.another()
    let moment = Moment(boot: other.clock.time(at: bench.boot), wall: bench.wall)
    _ = try other.record([try sample(1)], at: moment)
    #expect(try bench.passUntilText(within: .seconds(311)).texts.count == 1)
    try other.close()
  }

  @Test func nothingIsTextedWithoutAModem() throws {
    let bench = try Bench()
    _ = try bench.machine.start(at: bench.boot, wall: bench.wall)
    try bench.record(1)
    #expect(try bench.pass(.seconds(3_600)).texts.isEmpty)
    #expect(try bench.handle(.modemReady).texts.count == 1)
  }
}

/// What connectivity has to do with it.
@Suite struct ConnectivityTests {
  private func online(_ bench: Bench) throws {
    let probe = try #require(try bench.handle(.linkChanged(.up)).probes.first)
    try bench.handle(.answered(probe, .done))
  }

  /// Lets time pass with a server that answers every probe.
  private func passOnline(_ bench: Bench, _ duration: Duration) throws -> [NodeOutput] {
    let end = bench.boot + duration
    var all: [NodeOutput] = []
    while bench.boot < end {
      let next = min(bench.machine.nextDeadline ?? end, end)
      let outputs = try bench.pass(max(next - bench.boot, .nanoseconds(1)))
      all += outputs
      for probe in outputs.probes {
        all += try bench.handle(.answered(probe, .done))
      }
    }
    return all
  }

  @Test func nothingIsTextedWhileOnline() throws {
    let bench = try Bench(.connected)
    try bench.start()
    try online(bench)
    let queueID = try bench.record(1)
    let outputs = try passOnline(bench, .seconds(7_200))
    #expect(outputs.texts.isEmpty)
    #expect(outputs.probes.count > 100)
    #expect(try bench.outcomes(queueID).isEmpty)
  }

  @Test func whatIsOverdueGoesWhenConnectivityIsLost() throws {
    let bench = try Bench(.connected)
    try bench.start()
    try online(bench)
    try bench.record(1)
    #expect(try passOnline(bench, .seconds(3_600)).texts.isEmpty)
    #expect(try bench.handle(.linkChanged(.down)).texts.isEmpty, "it may be back in a moment")
    #expect(try bench.pass(.seconds(300)).texts.isEmpty, "at five minutes sharp it is not longer")
    #expect(try bench.pass(.seconds(1)).texts.count == 1)
  }

  @Test func nothingIsTextedWhileNothingIsKnown() throws {
    let bench = try Bench(.connected)
    try bench.start()
    try bench.record(1)
    // The link has not been read yet.
    #expect(try bench.pass(.seconds(3_600)).texts.isEmpty)
    // It is up, and the first probe is still out.
    let probe = try #require(try bench.handle(.linkChanged(.up)).probes.first)
    #expect(try bench.pass(.seconds(1)).texts.isEmpty)
    let outputs = try bench.handle(
      .answered(probe, .portal("a sign-in page")))
    #expect(outputs.texts.isEmpty)
    // A sign-in page stays what it is, however often it answers.
    var texts = 0
    let end = bench.boot + .seconds(302)
    while bench.boot < end {
      let next = min(bench.machine.nextDeadline ?? end, end)
      let outputs = try bench.pass(max(next - bench.boot, .nanoseconds(1)))
      texts += outputs.texts.count
      for probe in outputs.probes {
        let answer = NodeInput.answered(probe, .portal("a sign-in page"))
        texts += try bench.handle(answer).texts.count
      }
    }
    #expect(texts == 1)
  }
}
