import CentralCore
import Passages
import Testing
import Time

struct OverdueTests {
  /// The first second at which a travel is an overstay.
  private let due: Int64 = 5_402
  private let window: Int64 = 72 * 3_600

  private func time(_ second: Int64) -> WallTime { WallTime(epochSeconds: judgedMorning + second) }

  private func centre(_ now: Int64) throws -> IncrementalCentre {
    var centre = IncrementalCentre(try samplePlaces())
    centre.now = time(now)
    return centre
  }

  private func tick(_ centre: inout IncrementalCentre, at second: Int64) {
    centre.now = time(second)
    centre.tick()
  }

  @Test func itIsToldAtTheMoment() throws {
    var centre = try centre(10)
    centre.receive(try sighting(0))
    let early = OverdueChanges(
      standing: [], waiting: Array(centre.waiting.values), reports: PostReports(),
      at: time(due - 1))
    #expect(early.alerts.isEmpty)
    #expect(early.next == time(due))
    tick(&centre, at: due - 1)
    #expect(centre.alerts.isEmpty)
    tick(&centre, at: due)
    #expect(centre.alerts[1]?.ending == nil)
    #expect(centre.alerts[1]?.raisedAt == time(due))
    let told = OverdueChanges(
      standing: Array(centre.alerts.values), waiting: Array(centre.waiting.values),
      reports: PostReports(), at: time(due + 60))
    #expect(told.alerts.isEmpty, "it is told once")
    #expect(told.next == time(window))
  }

  @Test(arguments: [Observation.Channel.upload, .text])
  func anExitResolvesItHoweverItComes(channel: Observation.Channel) throws {
    var centre = try centre(10)
    centre.receive(try sighting(0))
    tick(&centre, at: 9_000)
    // The vehicle left in time; the post heard of it two hours later.
    centre.receive(try sighting(3_000, "BNP-B", channel: channel, received: 9_000))
    #expect(centre.alerts[1]?.ending == .left(exit: 2))
    #expect(centre.alerts[1]?.endedAt == time(9_000))
    #expect(centre.violations.isEmpty)
  }

  @Test func whoIsSeenWhereTheyEnteredHasLeft() throws {
    var centre = try centre(10)
    centre.receive(try sighting(0))
    tick(&centre, at: 9_000)
    centre.receive(try sighting(8_000))
    #expect(centre.alerts[1]?.ending == .seenAgain)
    #expect(Set(centre.waiting.keys) == [2])
  }

  @Test func anEntryThatWasNoneIsWithdrawn() throws {
    var centre = try centre(10)
    let entry = try sighting(0)
    centre.receive(entry)
    tick(&centre, at: 9_000)
    var later = ReceivedCorrection(of: entry.clientID, madeAt: time(9_000))
    later.recordedAt = time(8_000)
    centre.correct(later)
    #expect(centre.alerts[1]?.ending == .withdrawn)
    tick(&centre, at: 8_000 + due)
    #expect(centre.alerts[1]?.ending == nil)
    #expect(centre.alerts[1]?.raisedAt == time(8_000 + due))
  }

  /// A correction takes the exit away, and the vehicle is waited for again.
  @Test func itStandsAgainWhenItsExitWasNone() throws {
    var centre = try centre(10)
    let exit = try sighting(3_000, "BNP-B")
    centre.receive(try sighting(0))
    tick(&centre, at: 9_000)
    centre.receive(exit)
    #expect(centre.alerts[1]?.ending == .left(exit: 2))
    var other = ReceivedCorrection(of: exit.clientID, madeAt: time(9_500))
    other.plate = try Plate("BA1PA9")
    centre.now = time(9_500)
    centre.correct(other)
    #expect(centre.alerts[1]?.ending == nil)
    #expect(centre.alerts[1]?.raisedAt == time(9_500))
  }

  @Test func itEndsWithTheWindow() throws {
    var centre = try centre(10)
    centre.receive(try sighting(0))
    tick(&centre, at: window - 1)
    #expect(centre.alerts[1]?.ending == nil)
    tick(&centre, at: window)
    #expect(centre.alerts[1]?.ending == .expired)
    tick(&centre, at: window + 60)
    #expect(centre.alerts[1]?.endedAt == time(window))
    // One that comes so late is not told at all.
    centre.receive(try sighting(0, plate: "BA1PA9"))
    centre.tick()
    #expect(centre.alerts.count == 1)
  }

  /// While the opposite post has not reported the vehicle may have left long ago.
  @Test func itIsMarkedWhileTheOtherEndIsUnheard() throws {
    var centre = try centre(10)
    let (here, there) = (try CheckpostCode("BNP-A"), try CheckpostCode("BNP-B"))
    centre.receive(try sighting(0))
    tick(&centre, at: 9_000)
    centre.reports.report(here, through: judgedMorning + 9_000, receivedAt: centre.now)
    centre.tick()
    #expect(centre.alerts[1]?.isUnheard == true)
    centre.reports.report(there, through: judgedMorning + due, receivedAt: centre.now)
    centre.tick()
    #expect(centre.alerts[1]?.isUnheard == true)
    centre.reports.report(there, through: judgedMorning + due + 1, receivedAt: centre.now)
    centre.tick()
    #expect(centre.alerts[1]?.isUnheard == false)
    #expect(centre.alerts[1]?.raisedAt == time(9_000))
  }

  @Test func aPostOnNoSegmentWaitsForNobody() throws {
    var centre = try centre(10)
    centre.receive(try sighting(0, "LONE"))
    #expect(centre.waiting.isEmpty)
  }
}
