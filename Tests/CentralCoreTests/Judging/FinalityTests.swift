import CentralCore
import Passages
import SeededRandom
import Testing
import Time

struct FinalityTests {
  private let entryPost: CheckpostCode
  private let exitPost: CheckpostCode
  private let place: JudgedPlace

  init() throws {
    entryPost = try CheckpostCode("BNP-A")
    exitPost = try CheckpostCode("BNP-B")
    place = JudgedPlace(try sampleRoute(), rules: JudgingRules())
  }

  private func time(_ second: Int64) -> WallTime { WallTime(epochSeconds: judgedMorning + second) }

  private func violation(
    of seconds: Int64, since: Int64, channel: Observation.Channel = .upload
  ) throws -> StandingViolation {
    var centre = IncrementalCentre(try samplePlaces())
    centre.now = time(since)
    centre.receive(try sighting(0, channel: channel))
    centre.receive(try sighting(seconds, "BNP-B"))
    return try #require(centre.violations[1])
  }

  private func settled(
    _ violation: StandingViolation, entry: Int64?, exit: Int64?, now: Int64
  ) -> Finality {
    var violation = violation
    var reports = PostReports()
    if let entry {
      reports.report(entryPost, through: judgedMorning + entry, receivedAt: time(now))
    }
    if let exit {
      reports.report(exitPost, through: judgedMorning + exit, receivedAt: time(now))
    }
    let before = violation.finality
    let isOther = violation.settle(reports, place: place, rules: JudgingRules(), at: time(now))
    #expect(isOther == (violation.finality != before))
    return violation.finality
  }

  /// Until both posts have reported past what could still change it: another ranger at the exit, a passage
  /// at the entry's post before the exit.
  @Test func aViolationIsFinalWhenBothPostsHaveReported() throws {
    let violation = try violation(of: 1_000, since: 1_100)
    #expect(settled(violation, entry: nil, exit: nil, now: 2_000) == .provisional)
    #expect(settled(violation, entry: 1_001, exit: nil, now: 2_000) == .provisional)
    #expect(settled(violation, entry: nil, exit: 1_061, now: 2_000) == .provisional)
    #expect(settled(violation, entry: 1_000, exit: 1_061, now: 2_000) == .provisional)
    #expect(settled(violation, entry: 1_001, exit: 1_060, now: 2_000) == .provisional)
    #expect(settled(violation, entry: 1_001, exit: 1_061, now: 2_000) == .reported)
  }

  /// Whatever a store forgets of the reports, and whatever the windows are later.
  @Test func whatIsFinalByReportStaysSo() throws {
    var violation = try violation(of: 1_000, since: 1_100)
    var reports = PostReports()
    for post in [entryPost, exitPost] {
      reports.report(post, through: judgedMorning + 1_061, receivedAt: time(2_000))
    }
    let rules = JudgingRules()
    let isOther = violation.settle(reports, place: place, rules: rules, at: time(2_000))
    #expect(isOther)
    let isOtherAgain = violation.settle(
      PostReports(), place: place, rules: rules, at: time(3_000))
    #expect(!isOtherAgain)
    #expect(violation.finality == .reported)
    #expect(violation.unreportedFrom(rules) == nil)
  }

  /// A stay over night is one only if the vehicle that left did not come back within hours: it would be the
  /// entry of that travel then.
  @Test func aFarPairWaitsForATravelBack() throws {
    let violation = try violation(of: 30_000, since: 30_100)
    let back: Int64 = 30_000 + 5 * 3_600
    #expect(settled(violation, entry: back, exit: back, now: 90_000) == .provisional)
    #expect(settled(violation, entry: back + 1, exit: 30_061, now: 90_000) == .reported)
  }

  @Test func aPostThatNeverReportsIsNotWaitedForForEver() throws {
    let violation = try violation(of: 1_000, since: 50_000)
    let due: Int64 = 50_000 + 86_400
    #expect(violation.unreportedFrom(JudgingRules()) == time(due))
    #expect(settled(violation, entry: 2_000, exit: nil, now: due - 1) == .provisional)
    #expect(settled(violation, entry: 2_000, exit: nil, now: due) == .unreported)
    #expect(settled(violation, entry: 2_000, exit: 2_000, now: due) == .reported)
  }

  /// It counts from when the violation came to be as it is.
  @Test func aChangedViolationWaitsAgain() throws {
    var centre = IncrementalCentre(try samplePlaces())
    centre.receive(try sighting(0))
    centre.receive(try sighting(12_000, "BNP-B"))
    centre.now = time(100_000)
    centre.tick()
    #expect(centre.violations[1]?.finality == .unreported)
    centre.receive(try sighting(1_000, "BNP-B"))
    centre.tick()
    #expect(centre.violations[1]?.finality == .provisional)
    #expect(centre.revisions.last?.wasFinal == .unreported)
    centre.now = time(100_000 + 86_400)
    centre.tick()
    #expect(centre.violations[1]?.finality == .unreported)
  }

  /// A clock that is a year ahead says nothing of the passages of this year.
  @Test func aReportFromTheFutureCountsUpToNow() throws {
    let violation = try violation(of: 1_000, since: 1_000)
    let year: Int64 = 365 * 86_400
    #expect(settled(violation, entry: year, exit: year, now: 1_060) == .provisional)
    #expect(settled(violation, entry: year, exit: year, now: 1_061) == .reported)
  }

  @Test func whatAPostReportedOnceStays() throws {
    var reports = PostReports()
    #expect(reports.through(entryPost) == nil)
    reports.report(entryPost, through: judgedMorning + 7, receivedAt: time(9))
    reports.report(entryPost, through: judgedMorning + 3, receivedAt: time(9))
    #expect(reports.through(entryPost) == judgedMorning + 7)
    #expect(reports.through(exitPost) == nil)
    // Later is not what the report was about.
    reports.report(entryPost, through: judgedMorning + 9_000, receivedAt: time(10))
    #expect(reports.through(entryPost) == judgedMorning + 10)
  }

  @Test func textsAloneNeedAnUploadOrAPerson() throws {
    var violation = try violation(of: 1_000, since: 1_000, channel: .text)
    #expect(violation.finding.doubts == [.byTextAlone])
    #expect(settled(violation, entry: 9_000, exit: 9_000, now: 9_000_000) == .provisional)
    #expect(violation.unreportedFrom(JudgingRules()) == nil)
    violation.confirm(at: time(5_000))
    violation.confirm(at: time(6_000))
    #expect(violation.confirmedAt == time(5_000))
    #expect(settled(violation, entry: 9_000, exit: 9_000, now: 9_000_000) == .reported)
    #expect(settled(violation, entry: nil, exit: nil, now: 9_000_000) == .unreported)
  }

  /// Of a machine that was off, with nobody to tell the time since, nothing is final by itself.
  @Test func aClockThatNobodyVouchesForNeedsAPerson() throws {
    var centre = IncrementalCentre(try samplePlaces())
    centre.receive(try sighting(0, clock: .within(seconds: ClockQuality.anySeconds)))
    centre.receive(try sighting(1_000, "BNP-B"))
    var violation = try #require(centre.violations[1])
    #expect(violation.finding.doubts == [.clocks])
    #expect(settled(violation, entry: 9_000, exit: 9_000, now: 9_000_000) == .provisional)
    #expect(violation.unreportedFrom(JudgingRules()) == nil)
    violation.confirm(at: time(5_000))
    #expect(settled(violation, entry: 9_000, exit: 9_000, now: 9_000_000) == .reported)
  }

  /// What a person confirmed was as it was then.
  @Test func aConfirmationEndsWithWhatWasConfirmed() throws {
    var centre = IncrementalCentre(try samplePlaces())
    centre.receive(try sighting(0, channel: .text))
    centre.receive(try sighting(12_000, "BNP-B"))
    centre.confirm(1)
    centre.receive(try sighting(1_000, "BNP-B"))
    #expect(centre.violations[1]?.confirmedAt == nil)
    centre.confirm(1)
    #expect(centre.violations[1]?.confirmedAt != nil)
    centre.receive(try sighting(900))
    #expect(centre.violations[1]?.isRetracted == true)
    #expect(centre.violations[1]?.confirmedAt == nil)
    centre.confirm(1)
    #expect(centre.violations[1]?.confirmedAt == nil, "what was retracted cannot be confirmed")
  }

  /// A third post on the road may have seen the vehicle in between, or before.
  @Test func furtherPostsOfTheRoadAreWaitedForToo() throws {
    let places = try roadPlaces()
    var centre = IncrementalCentre(places)
    centre.now = time(1_100)
    centre.receive(try sighting(0))
    centre.receive(try sighting(1_000, "BNP-B"))
    let violation = try #require(centre.violations[1])
    let far = try CheckpostCode("BNP-C")
    for (through, finality) in [
      (nil, .provisional), (1_000, .provisional), (1_001, .reported),
    ] as [(Int64?, Finality)] {
      var standing = violation
      var reports = PostReports()
      for post in [entryPost, exitPost] {
        reports.report(post, through: judgedMorning + 1_061, receivedAt: time(2_000))
      }
      if let through {
        reports.report(far, through: judgedMorning + through, receivedAt: time(2_000))
      }
      _ = standing.settle(
        reports, place: places.place(of: exitPost), rules: JudgingRules(), at: time(2_000))
      #expect(standing.finality == finality, "\(through ?? -1)")
    }
  }

  /// Passages come as late as they like; a post says of none that it is here before it is. Then nothing that
  /// is final by report is ever disproved or changed, and in the end everything is final.
  @Test(arguments: [40, 900, 9_000] as [Int64], [false, true])
  func laterDataNeverDisprovesWhatIsFinalByReport(step: Int64, isOnARoad: Bool) throws {
    // Within minutes nearly everything is faster than anything drives.
    var rules = JudgingRules()
    try rules.setFastest(kilometresPerHour: 1_000)
    var finals = 0
    let places = isOnARoad ? try roadPlaces(rules) : try samplePlaces(rules)
    let posts = places.place(of: entryPost).posts
    for seed in 0..<60 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      let world = try JudgingWorld.crowd(
        passages: 25, step: step, seed: seed, corrections: false,
        posts: isOnARoad
          ? ["BNP-A", "BNP-B", "BNP-C", "BNP-B", "BNP-A"]
          : ["BNP-A", "BNP-B", "BNP-A", "BNP-B", "LONE"])
      var waiting = world.arrivals.observations.map { observation in
        var proven = observation
        proven.isProven = true
        return proven
      }.sorted { $0.receivedAt < $1.receivedAt }
      var centre = IncrementalCentre(places)
      var final: [Int64: ViolationFinding] = [:]
      while !waiting.isEmpty {
        let observation = waiting.removeFirst()
        centre.now = max(centre.now, observation.receivedAt)
        centre.receive(observation)
        for post in posts where Int.random(in: 0...2, using: &generator) == 0 {
          let due = waiting.filter { $0.post == post && $0.recordedAt <= centre.now }
            .map(\.recordedAt.epochSeconds).min()
          let ahead = Int64.random(in: 0...200_000, using: &generator)
          centre.reports.report(
            post, through: due ?? (centre.now.epochSeconds + ahead), receivedAt: centre.now)
        }
        centre.tick()
        for (entry, violation) in centre.violations where violation.finality == .reported {
          if let before = final[entry] {
            var same = violation.finding
            same.doubts = before.doubts
            #expect(same == before, "seed \(seed)")
          } else {
            final[entry] = violation.finding
          }
        }
      }
      for entry in final.keys {
        #expect(centre.violations[entry]?.isRetracted == false, "seed \(seed)")
        #expect(centre.violations[entry]?.finality == .reported, "seed \(seed)")
      }
      finals += final.count
      centre.now = centre.now + .seconds(100_000)
      for post in posts {
        centre.reports.report(
          post, through: centre.now.epochSeconds, receivedAt: centre.now)
      }
      centre.tick()
      let standing = centre.violations.values.filter { !$0.isRetracted }
      // What a person has to look at is final by nothing else.
      #expect(
        standing.allSatisfy { violation in
          let waits = violation.finding.doubts.contains(where: \.needsPerson)
          return violation.finality == (waits ? .provisional : .reported)
        }, "seed \(seed)")
    }
    #expect(finals > 60)
  }
}
