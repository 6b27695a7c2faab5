import Passages
import SeededRandom
import Testing
import Time

@testable import CentralCore

/// Texts of a number that anybody can forge take nothing back of what is proven.
struct ProvenStandsTests {
  /// Sets that are tried; ten thousand and more in the campaign.
  static let sets = ForgedWorld.sets(400)

  private let evening = WallTime(epochSeconds: judgedMorning + 400_000)

  private func standing(
    _ centre: IncrementalCentre
  ) -> [ForgedWorld.Standing: (doubts: Set<TravelDoubt>, finality: Finality)] {
    var standing: [ForgedWorld.Standing: (doubts: Set<TravelDoubt>, finality: Finality)] = [:]
    for violation in centre.violations.values where !violation.isRetracted {
      standing[ForgedWorld.Standing(violation.finding)] = (
        Set(violation.finding.doubts), violation.finality
      )
    }
    return standing
  }

  /// For every set of proven reports and every set of unproven ones, added in any order, each proven violation still
  /// stands, is as final as it would be, and has at most more doubts.
  @Test func whateverTextsCome() throws {
    var (found, doubted) = (0, 0)
    for seed in 0..<Self.sets {
      let world = try ForgedWorld(seed: seed, isRoad: seed % 3 == 0)
      var alone = IncrementalCentre(world.places)
      alone.now = evening
      alone.reports = world.reports
      alone.take(world.proven)
      alone.tick()
      let whole = standing(alone)
      found += whole.count

      var centre = IncrementalCentre(world.places)
      centre.now = evening
      centre.reports = world.reports
      let arrivals = world.shuffled
      // Some of it comes before what is proven, some after it is final.
      for (index, arrival) in arrivals.enumerated() {
        centre.take([arrival])
        if index % 5 == 0 { centre.tick() }
      }
      centre.tick()
      let story = standing(centre)
      for (violation, before) in whole {
        let after = story[violation]
        #expect(after != nil, "seed \(seed): \(violation) is gone")
        guard let after else { return }
        #expect(before.doubts.isSubset(of: after.doubts), "seed \(seed): \(violation)")
        #expect(before.finality == after.finality, "seed \(seed): \(violation)")
        if after.doubts.contains(.contradictedByText) { doubted += 1 }
      }
      let evidence = world.arrivals
      let differences = JudgingStory(centre).differences(
        from: JudgingStory(evidence.observations, [], world.places, at: evening))
      #expect(differences == [], "seed \(seed)")
      guard differences.isEmpty else { return }
    }
    #expect(found > Int(Self.sets) / 2 && doubted > Int(Self.sets) / 20, "\(found), \(doubted)")
  }
}
