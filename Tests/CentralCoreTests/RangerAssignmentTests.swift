import CentralCore
import Passages
import Testing
import Time

/// Whom the last four digits of a text mean, and how that is known.
struct RangerAssignmentTests {
  private let a: CheckpostCode
  private let b: CheckpostCode
  private let sita: PhoneNumber
  private let maya: PhoneNumber

  init() throws {
    a = try CheckpostCode("BNP-A")
    b = try CheckpostCode("BNP-B")
    sita = try #require(PhoneNumber("+9779841114567"))
    maya = try #require(PhoneNumber("+9779851114567"))
  }

  private func day(_ number: Int64) -> WallTime { WallTime(epochSeconds: number * 86_400) }

  private func assigning(
    _ phone: PhoneNumber, to post: CheckpostCode, since: WallTime? = nil, at now: Int64,
    own: [RangerAssignment] = [], others: [RangerAssignment] = []
  ) -> [RangerAssignment] {
    RangerAssignment.assigning(
      Ranger(name: "", phone: phone, checkpost: post), since: since, at: day(now), own: own,
      others: others)
  }

  private func who(
    _ assignments: [RangerAssignment], _ time: Int64, sender: PhoneNumber? = nil
  ) -> PhoneNumber? {
    RangerAssignment.ranger(of: assignments, at: day(time), sender: sender)
  }

  @Test func whoeverIsKnownFirstWasThereBefore() {
    let own = assigning(sita, to: a, at: 10)
    #expect(own == [RangerAssignment(phone: sita, post: a)])
    #expect(who(own, 1) == sita)
    #expect(assigning(sita, to: a, at: 20, own: own) == own)
    #expect(who([], 1) == nil)
  }

  @Test func whoeverIsMovedWasWhereTheyWere() {
    let own = assigning(sita, to: b, at: 20, own: assigning(sita, to: a, at: 10))
    #expect(
      own == [
        RangerAssignment(phone: sita, post: a, until: day(20)),
        RangerAssignment(phone: sita, post: b, since: day(20)),
      ])
    // Of the time before nobody else is known at either post.
    #expect(who([own[1]], 5) == sita)
    let new = assigning(maya, to: a, at: 30, others: [own[0]])
    #expect(new == [RangerAssignment(phone: maya, post: a, since: day(20))])
    #expect(who([own[0]] + new, 19) == sita)
    #expect(who([own[0]] + new, 20) == maya)
  }

  @Test func whoeverComesWithTheSameDigitsTakesNothingOfBefore() {
    let own = assigning(sita, to: a, at: 10)
    let new = assigning(maya, to: a, at: 30, others: own)
    #expect(new == [RangerAssignment(phone: maya, post: a, since: day(30))])
    #expect(who(own + new, 29) == sita)
    #expect(who(own + new, 30) == nil)
    // Who sent it decides, whatever the dates say.
    #expect(who(own + new, 30, sender: sita) == sita)
    #expect(who(own + new, 29, sender: maya) == maya)
    #expect(who(own + new, 29, sender: PhoneNumber("+9779800000000")) == sita)
    // Both were put in together.
    #expect(who(own + assigning(maya, to: a, at: 10), 5) == nil)
  }

  @Test func beforeAllWhoAreKnownItWasTheFirst() {
    let first = RangerAssignment(phone: sita, post: a, since: day(20), until: day(25))
    let second = RangerAssignment(phone: maya, post: a, since: day(30))
    #expect(who([second, first], 10) == sita)
    #expect(who([second, first], 27) == nil)
    #expect(who([RangerAssignment(phone: maya, post: a, since: day(20)), first], 10) == nil)
  }

  @Test func whoeverSaysSinceWhenIsBelieved() {
    let first = assigning(sita, to: a, at: 10)
    let moved = assigning(sita, to: b, at: 20, own: first)
    let right = assigning(sita, to: b, since: day(15), at: 21, own: moved)
    #expect(
      right == [
        RangerAssignment(phone: sita, post: a, until: day(15)),
        RangerAssignment(phone: sita, post: b, since: day(15)),
      ])
    // Before all that was known.
    let whole = assigning(
      sita, to: b, since: day(1), at: 21, own: assigning(sita, to: a, since: day(5), at: 10))
    #expect(whole == [RangerAssignment(phone: sita, post: b, since: day(1))])
    // Later than was thought: nobody knows of the days between.
    let late = assigning(sita, to: b, since: day(25), at: 30, own: moved)
    #expect(late.map(\.until) == [day(20), nil])
    #expect(late.map(\.since) == [nil, day(25)])
  }
}
