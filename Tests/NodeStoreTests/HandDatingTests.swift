import NodeCore
import Passages
import Storage
import Testing
import Time

/// A person says when a passage was that nothing here can date.
@Suite struct HandDatingTests {
  private let future = Duration.seconds(120)

  private func undated(_ desk: Desk) throws -> Passage {
    let passage = Passage(
      undated: try Plate("BA1PA1"), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: WallTime(epochSeconds: 75), boot: "boot-0", suffix: .unknown)
    _ = try desk.store.record([RecordRequest(passage)], at: desk.moment)
    return passage
  }

  private func date(_ desk: Desk, _ time: WallTime, _ queueID: Int64 = 1) throws -> HandDating {
    try desk.store.date(queueID, at: time, future: future, moment: desk.moment)
  }

  @Test(arguments: StoreMaker.all) func itHasThatTimeOnceAndForGood(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    let before = try undated(desk)
    let time = desk.moment.wall - .seconds(900)
    guard case .dated(let identity) = try date(desk, time) else {
      Issue.record("not dated")
      return
    }
    let after = try desk.item(1).passage
    #expect(after.clientID == identity && after.recordedAt == time && !after.isUndated)
    #expect(identity == .content(canonicalBody: after.v1Body))
    #expect(try date(desk, time + .seconds(1)) == .alreadyDated)
    #expect(try desk.item(1).passage == after)
    // The button that was pressed then is the same passage still.
    #expect(
      try desk.store.record([RecordRequest(before)], at: desk.moment)
        == [.alreadyRecorded(identity, queueID: 1)])
    desk.pass(.seconds(301))
    #expect(try desk.choose().text?.body == after.v1Body)
  }

  @Test(arguments: StoreMaker.all) func aTimeThatCannotBeIsRefused(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    let passage = try undated(desk)
    #expect(try date(desk, desk.moment.wall, 7) == .notFound)
    #expect(try date(desk, WallTime(epochSeconds: 75)) == .unsayable)
    #expect(try date(desk, Passage.earliest - .milliseconds(1)) == .unsayable)
    #expect(try date(desk, desk.moment.wall + future + .milliseconds(1)) == .ahead)
    #expect(try desk.item(1).passage == passage)
    guard case .dated = try date(desk, desk.moment.wall + future) else {
      Issue.record("not dated")
      return
    }
  }

  /// A clock that has not been set says nothing against any time.
  @Test(arguments: StoreMaker.all) func aClockOf1970IsNoWitness(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    _ = try undated(desk)
    let moment = Moment(boot: desk.moment.boot, wall: WallTime(epochSeconds: 300))
    let outcome = try desk.store.date(
      1, at: desk.moment.wall, future: future, moment: moment)
    guard case .dated = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  /// Whoever has it has it without a time.
  @Test(arguments: StoreMaker.all) func oneThatWasHandedOnStays(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    let passage = try undated(desk)
    _ = try desk.store.handOn([1], at: desk.moment)
    #expect(try date(desk, desk.moment.wall) == .handedOn)
    #expect(try desk.item(1).passage == passage)
  }
}
