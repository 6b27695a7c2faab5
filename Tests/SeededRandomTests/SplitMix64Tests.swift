import SeededRandom
import Testing

@Suite struct SplitMix64Tests {
  /// The first numbers of the algorithm as its authors publish it, for two seeds.
  @Test func numbersAreThePublishedOnes() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    #expect(numbers.map { _ in random.next() } == numbers)
    var fromZero = SplitMix64(seed: 0)
    let fromZeroNumbers: [UInt64] = [
      0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F, 0xF88B_B8A8_724C_81EC,
    ]
    #expect(fromZeroNumbers.map { _ in fromZero.next() } == fromZeroNumbers)
  }

  @Test func aCopyGoesTheSameWay() {
    var random = SplitMix64(seed: 5)
    _ = random.next()
    var copy = random
    #expect(copy == random)
    #expect(copy.next() == random.next())
    _ = copy.next()
    #expect(copy != random)
  }

  @Test func aForkDoesNotShiftItsOrigin() {
    var forked = SplitMix64(seed: 9)
    var part = forked.fork()
    var plain = SplitMix64(seed: 9)
    #expect(part == SplitMix64(seed: plain.next()))
    _ = part.next()
    #expect(forked == plain)
  }

  @Test(arguments: [2, 5, 40])
  func whatHappensOnceInAFewHappensAboutSoOften(count: Int) {
    var random = SplitMix64(seed: 77)
    let draws = 20_000
    let times = (0..<draws).count { _ in random.happens(onceIn: count) }
    #expect((draws / count * 9 / 10...draws / count * 11 / 10).contains(times))
  }

  @Test(arguments: [1, 0, -3])
  func whatHappensOnceInOneAlwaysHappens(count: Int) {
    var random = SplitMix64(seed: 1)
    #expect((0..<100).allSatisfy { _ in random.happens(onceIn: count) })
  }
}
