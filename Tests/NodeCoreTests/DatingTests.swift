import NodeCore
import Passages
import Testing
import Time

/// What is known of the time, and when a passage without one gets its own.
@Suite struct DatingTests {
  private let start = BootInstant.seconds(1_000)
  private let noon = WallTime(epochSeconds: 1_795_000_000)

  private func undated(
    at moment: WallTime, boot: String?, identity: ClientID? = nil
  ) throws -> Passage {
    Passage(
      undated: try Plate("BA 1 PA 1234"), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: moment, boot: boot, suffix: PhoneSuffix(phoneNumber: nil), identity: identity,
      segment: "S", ranger: "R", photoPath: "p.jpg")
  }

  private func judged(
    _ passage: Passage, recorded: BootInstant, _ time: KnownTime, now: BootInstant? = nil
  ) -> Dating {
    Dating(
      passage, recorded: recorded, start: start, by: time, at: now ?? time.at, future: .seconds(120)
    )
  }

  @Test func aPassageOf1970IsDatedByTheBootClock() throws {
    let passage = try undated(at: WallTime(epochSeconds: 75), boot: "a start")
    #expect(!passage.hasGivenTime)
    let time = KnownTime(.network, noon, at: start + .seconds(3_600))
    guard case .dated(let dated) = judged(passage, recorded: start + .seconds(600), time) else {
      Issue.record("not dated")
      return
    }
    #expect(dated.recordedAt == noon - .seconds(3_000))
    #expect(!dated.isUndated)
    #expect(dated.v1Body.contains("|\((noon - .seconds(3_000)).epochSeconds)|"))
    #expect(dated.clientID == .content(canonicalBody: dated.v1Body))
    #expect((dated.segment, dated.ranger, dated.photoPath) == ("S", "R", "p.jpg"))
  }

  @Test func anIdentityThatWasGivenStays() throws {
    let given = try #require(ClientID("7b0c3f0e-0b5e-4f0e-9a53-3a5a0a4b1c2d"))
    let passage = try undated(at: WallTime(epochSeconds: 75), boot: "a start", identity: given)
    let time = KnownTime(.ntp, noon, at: start + .seconds(60))
    guard case .dated(let dated) = judged(passage, recorded: start + .seconds(1), time) else {
      Issue.record("not dated")
      return
    }
    #expect(dated.clientID == given)
    #expect(dated.contentClientID == .content(canonicalBody: dated.v1Body))
  }

  /// Time without power is unknown.
  @Test func aPassageOfAnEarlierStartWaits() throws {
    let passage = try undated(at: WallTime(epochSeconds: 75), boot: "an earlier start")
    let time = KnownTime(.ntp, noon, at: start + .seconds(60))
    #expect(judged(passage, recorded: start, time) == .held(.earlierStart))
    let later = judged(passage, recorded: start + .nanoseconds(1), time)
    #expect(later != .held(.earlierStart))
  }

  /// A clock that is late: the time was right, and its identity stays.
  @Test func aTimeThatTheClockHadNotComeToIsItsOwn() throws {
    let later = noon + .seconds(3_600)
    let passage = try undated(at: later, boot: nil)
    #expect(passage.hasGivenTime)
    let late = KnownTime(.battery, noon, at: start + .seconds(10))
    #expect(judged(passage, recorded: start, late) == .held(.ahead))
    // Now the network tells: it is an hour later than the clock showed.
    let right = KnownTime(.network, later + .seconds(5), at: start + .seconds(20))
    guard case .dated(let dated) = judged(passage, recorded: start, right) else {
      Issue.record("not dated")
      return
    }
    #expect(dated.recordedAt == later)
    #expect(dated.clientID == passage.clientID)
    // To the second of what is taken as a clock that is a little ahead.
    let edge = KnownTime(.network, later - .seconds(120), at: start)
    #expect(judged(passage, recorded: start, edge) != .held(.ahead))
    let before = KnownTime(.network, later - .seconds(121), at: start)
    #expect(judged(passage, recorded: start, before) == .held(.ahead))
  }

  @Test func whatNoTextCanSayWaits() throws {
    let passage = try undated(at: WallTime(epochSeconds: 75), boot: nil)
    let time = KnownTime(.ntp, noon, at: start)
    #expect(judged(passage, recorded: start, time) == .held(.unsayable))
  }

  @Test func aClockThatWasNeverSetDatesNothing() throws {
    let passage = try undated(at: WallTime(epochSeconds: 75), boot: "a start")
    let unset = KnownTime(.none, WallTime(epochSeconds: 300), at: start + .seconds(300))
    #expect(judged(passage, recorded: start, unset) == .held(.timeUnknown))
    // An operator set it, and nobody vouches for it: it would be taken for a passage of now, too.
    let set = KnownTime(.none, noon, at: start + .seconds(300))
    #expect(judged(passage, recorded: start, set) != .held(.timeUnknown))
  }

  // MARK: What is known of the time

  private let unset = WallTime(epochSeconds: 300)

  @Test func theBestOfWhatIsKnownCounts() {
    let now = start + .seconds(100)
    var known = TimeKnowledge()
    func source(_ state: SystemClockState, _ wall: WallTime) -> ClockSource {
      known.best(state, showing: wall, at: now).source
    }
    let kept = SystemClockState(isSynchronised: true, hasBattery: true)
    let battery = SystemClockState(hasBattery: true)
    #expect(source(SystemClockState(), noon) == .none)
    #expect(source(battery, noon) == .battery)
    #expect(source(kept, noon) == .ntp)
    // Whatever the system says of it: that was never set.
    #expect(source(kept, unset) == .none)
    known.take(KnownTime(.network, noon, at: start))
    #expect(source(battery, noon) == .network)
    known.take(KnownTime(.server, noon + .seconds(7), at: start))
    #expect(source(battery, noon) == .server)
    #expect(known.best(battery, showing: unset, at: now).wall(at: now) == noon + .seconds(107))
    #expect(source(kept, noon) == .ntp)
  }

  @Test func whatWasToldLongAgoIsForgotten() {
    var known = TimeKnowledge()
    known.take(KnownTime(.server, noon, at: start))
    let day = start + TimeKnowledge.tellsFor
    #expect(
      known.best(SystemClockState(), showing: unset, at: day - .nanoseconds(1)).source == .server)
    #expect(known.best(SystemClockState(), showing: unset, at: day).source == .none)
  }

  @Test func aTimeOfNobodyIsNotTaken() {
    var known = TimeKnowledge()
    known.take(KnownTime(.network, unset, at: start))
    known.take(KnownTime(.none, noon, at: start))
    #expect(known.best(SystemClockState(), showing: unset, at: start).source == .none)
  }

  @Test func skewIsToldFromTheServerAlone() {
    var known = TimeKnowledge()
    known.take(KnownTime(.network, noon, at: start))
    #expect(known.skewSeconds(showing: noon + .seconds(999), at: start) == nil)
    known.take(KnownTime(.server, noon, at: start))
    #expect(known.skewSeconds(showing: noon + .seconds(60), at: start) == nil)
    #expect(known.skewSeconds(showing: noon + .seconds(61), at: start) == 61)
    #expect(known.skewSeconds(showing: noon - .seconds(3_600), at: start) == -3_600)
    // Fifty years off, the boot clock still counts the seconds between.
    let later = start + .seconds(10)
    let years = Duration.seconds(50 * 31_557_600)
    #expect(
      known.skewSeconds(showing: noon + .seconds(10) + years, at: later) == years.wholeSeconds)
  }

  @Test func theBetterSourceIsTheGreater() {
    #expect(ClockSource.allCases.sorted(by: >) == ClockSource.allCases)
    #expect(ClockSource.battery.rawValue == "rtc")
  }
}
