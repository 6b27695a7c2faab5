import CentralCore
import SeededRandom
import Testing
import Time

/// Which photographs a look for those that nothing names is about.
@Suite struct PhotographSweepTests {
  private func names(
    _ all: [String], after: String? = nil, limit: Int
  ) -> [String] {
    var sweep = PhotographSweep(
      after: after.flatMap { PhotoName($0) }, writtenBefore: WallTime(epochSeconds: 0),
      limit: limit)
    for name in all.compactMap({ PhotoName($0) }) { sweep.offer(name) }
    return sweep.names.map(\.text)
  }

  @Test func theNextOnesAreLookedAtRoundAndRound() {
    let all = ["d", "a", "e", "b", "c"]
    #expect(names(all, limit: 2) == ["a", "b"])
    #expect(names(all, after: "b", limit: 2) == ["c", "d"])
    #expect(names(all, after: "d", limit: 2) == ["e", "a"])
    #expect(names(all, after: "z", limit: 2) == ["a", "b"])
    #expect(names(all, after: "b", limit: 9) == ["c", "d", "e", "a", "b"])
    #expect(names([], after: "b", limit: 9).isEmpty)
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func theOrderInWhichTheyAreFoundIsAllTheSame(
    seed: UInt64
  ) {
    var generator = SplitMix64(seed: seed)
    let all = (100..<300).map { "\($0).jpg" }
    let limit = Int.random(in: 1...60, using: &generator)
    let start = Int.random(in: 0..<all.count, using: &generator)
    let next = (all[(start + 1)...] + all[...start]).prefix(limit)
    #expect(
      names(all.shuffled(using: &generator), after: all[start], limit: limit) == Array(next),
      "seed \(seed)")
  }
}
