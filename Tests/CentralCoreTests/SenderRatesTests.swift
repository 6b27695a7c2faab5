import CentralCore
import SeededRandom
import Testing
import Time

struct SenderRatesTests {
  private let start = WallTime(epochSeconds: 1_709_123_500)

  private func may(_ rates: inout SenderRates, _ sender: String, at time: WallTime) -> Bool {
    rates.take(sender, at: time)
  }

  private func taken(
    _ rates: inout SenderRates, _ count: Int, _ sender: String = "A", at time: WallTime
  ) -> Int {
    (0..<count).count { _ in rates.take(sender, at: time) }
  }

  @Test func aBurstAndThenSoManyAMinute() {
    var rates = SenderRates(.init(burst: 10, perMinute: 2))
    #expect(taken(&rates, 50, at: start) == 10)
    #expect(taken(&rates, 50, at: start + .seconds(29)) == 0)
    #expect(taken(&rates, 50, at: start + .seconds(30)) == 1)
    #expect(taken(&rates, 50, at: start + .seconds(90)) == 2)
    #expect(taken(&rates, 50, at: start + .seconds(3_600)) == 10)
  }

  @Test func eachNumberHasItsOwn() {
    var rates = SenderRates(.init(burst: 3, perMinute: 1))
    #expect(taken(&rates, 9, "A", at: start) == 3)
    #expect(taken(&rates, 9, "B", at: start) == 3)
  }

  @Test func textsOutOfOrderGainNothing() {
    var rates = SenderRates(.init(burst: 3, perMinute: 60))
    #expect(taken(&rates, 9, at: start) == 3)
    #expect(taken(&rates, 9, at: start - .seconds(60)) == 0)
    #expect(taken(&rates, 9, at: start) == 0)
    #expect(taken(&rates, 9, at: start + .seconds(1)) == 1)
  }

  /// A clock that was ahead and is set back keeps nobody waiting until it is there again.
  @Test func aClockThatIsSetBackCountsFromThen() {
    var rates = SenderRates(.init(burst: 3, perMinute: 60))
    #expect(taken(&rates, 9, at: start + .seconds(172_800)) == 3)
    #expect(taken(&rates, 9, at: start) == 0)
    #expect(taken(&rates, 9, at: start + .seconds(2)) == 2)
  }

  @Test(arguments: [Int64.min, .max])
  func noClockBreaksIt(_ milliseconds: Int64) {
    var rates = SenderRates(.init(burst: .max, perMinute: .max))
    let first = may(&rates, "A", at: WallTime(milliseconds: milliseconds))
    #expect(first)
    _ = rates.take("A", at: WallTime(milliseconds: milliseconds == .min ? .max : .min))
    let last = may(&rates, "A", at: start)
    #expect(last)
  }

  @Test func manyNumbersAreNotCountedForEver() {
    var rates = SenderRates(.init(burst: 2, perMinute: 1))
    for number in 0..<20_000 {
      let isTaken = may(&rates, "\(number)", at: start + .milliseconds(number))
      #expect(isTaken)
    }
    #expect(rates.count <= Limits.countedSenders)
  }

  @Test func whoIsOverIsNotForgottenForTheSakeOfOthers() {
    var rates = SenderRates(.init(burst: 2, perMinute: 1))
    #expect(taken(&rates, 5, "flood", at: start) == 2)
    for number in 0..<20_000 { _ = rates.take("\(number)", at: start) }
    let isTaken = may(&rates, "flood", at: start)
    #expect(!isTaken)
  }
}
