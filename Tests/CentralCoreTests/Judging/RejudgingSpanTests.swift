import CentralCore
import Passages
import Testing
import Time

struct RejudgingSpanTests {
  private typealias Seen = [(Int64, String)]

  private let place: JudgedPlace

  init() throws {
    place = JudgedPlace(try sampleRoute(), rules: JudgingRules())
  }

  private func look(
    _ passages: Seen, changed: Int64, read: ClosedRange<Int64>? = nil
  ) throws -> RejudgingSpan.Look {
    var records: [PassageRecord] = []
    for (second, post) in passages {
      records.append(
        PassageRecord(number: Int64(records.count) + 1, first: try sighting(second, post)))
    }
    let second = judgedMorning + changed
    let span = RejudgingSpan(changed: second...second, place: place)
    let range = read.map { judgedMorning + $0.lowerBound...judgedMorning + $0.upperBound }
    return span.look(at: records, read: range ?? span.first)
  }

  private func enough(_ from: Int64, _ to: Int64, endsInGap: Bool) -> RejudgingSpan.Look {
    .enough(judgedMorning + from...judgedMorning + to, endsInGap: endsInGap)
  }

  @Test func alonePassagesAreJudgedAlone() throws {
    #expect(try look([(0, "BNP-A")], changed: 0) == enough(0, 0, endsInGap: true))
    let window: Int64 = 72 * 3_600
    let far: Seen = [(-window - 1, "BNP-B"), (0, "BNP-A"), (window + 1, "BNP-B")]
    #expect(try look(far, changed: 0) == enough(0, 0, endsInGap: true))
    let near: Seen = [(-window, "BNP-B"), (0, "BNP-A"), (window, "BNP-B")]
    #expect(try look(near, changed: 0) == enough(-window, window, endsInGap: true))
  }

  /// Two at the same post that follow each other are no pair whatever else there is.
  @Test func itEndsBetweenTwoAtOnePost() throws {
    var days: Seen = []
    for day in -6...6 {
      let start = Int64(day) * 86_400
      days.append((start, "BNP-A"))
      days.append((start + 3_000, "BNP-B"))
      days.append((start + 30_000, "BNP-B"))
      days.append((start + 33_000, "BNP-A"))
    }
    #expect(try look(days, changed: 0) == enough(-56_400, 3_000, endsInGap: false))
  }

  /// Somebody who goes one way each day and comes back by another: no two at one post follow each other, and
  /// yet not the whole year is read.
  @Test func itEndsBeforeAnOrdinaryTravel() throws {
    var days: Seen = []
    for day in -6...6 {
      let start = Int64(day) * 86_400
      days.append((start, "BNP-A"))
      days.append((start + 50, "BNP-A"))
      days.append((start + 3_000, "BNP-B"))
    }
    #expect(try look(days, changed: 40_000) == enough(0, 40_000, endsInGap: false))
    #expect(try look(days, changed: 3_000) == enough(-86_400, 3_000, endsInGap: false))
    let slow: Seen = [(0, "BNP-A"), (18_001, "BNP-B"), (36_003, "BNP-A"), (60_000, "BNP-B")]
    #expect(try look(slow, changed: 60_000) == enough(0, 60_000, endsInGap: true))
  }

  /// What changed may have stood between the two, and have been paired with either.
  @Test func notWhereSomethingChanged() throws {
    let gone: Seen = [(-7_000, "BNP-A"), (-3_000, "BNP-A"), (3_000, "BNP-A"), (7_000, "BNP-A")]
    #expect(try look(gone, changed: 0) == enough(-3_000, 3_000, endsInGap: false))
  }

  /// Within the window of two rangers it is open which of them are one passage.
  @Test func notWhereTwoRangersMayHaveSeenOne() throws {
    let close: Seen = [(-9_000, "BNP-A"), (-8_950, "BNP-A"), (-8_900, "BNP-A"), (0, "BNP-A")]
    #expect(try look(close, changed: 0) == enough(-9_000, 0, endsInGap: true))
    let crossed: Seen = [
      (0, "BNP-B"), (1_000, "BNP-A"), (1_020, "BNP-B"), (1_040, "BNP-A"), (9_000, "BNP-A"),
      (12_000, "BNP-A"),
    ]
    #expect(try look(crossed, changed: 0) == enough(0, 9_000, endsInGap: false))
  }

  @Test func moreIsReadWhereNothingIsCertainYet() throws {
    let passages: Seen = [(0, "BNP-A")]
    guard case .more(let range) = try look(passages, changed: 0, read: -10...10) else {
      Issue.record("ten seconds on each side are not enough")
      return
    }
    #expect(range.lowerBound < judgedMorning - 72 * 3_600)
    #expect(range.upperBound > judgedMorning + 72 * 3_600)
  }

  /// Somebody who works inside and is seen at one end each morning and at the other each evening: there is no
  /// certain place for half a year, and that is read in a few steps.
  @Test func aLongChainIsReadInFewSteps() throws {
    var records: [PassageRecord] = []
    for number in 0..<500 as Range<Int64> {
      let first = try sighting(number * 36_000, number % 2 == 0 ? "BNP-A" : "BNP-B")
      records.append(PassageRecord(number: number + 1, first: first))
    }
    let last = judgedMorning + 499 * 36_000
    let span = RejudgingSpan(changed: last...last, place: place)
    var range = span.first
    for step in 1...10 {
      let found = records.filter { range.contains($0.place.second) }
      switch span.look(at: found, read: range) {
      case .more(let wider):
        #expect(wider.lowerBound < range.lowerBound && wider.upperBound > range.upperBound)
        range = wider
      case .enough(let seconds, let endsInGap):
        #expect(seconds == judgedMorning...last)
        #expect(endsInGap)
        #expect(step < 8)
        return
      }
    }
    Issue.record("ten steps were not enough")
  }

  /// However far the clock of a post is off.
  @Test func anySecondHasASpan() throws {
    let ends: [Int64] = [.min / 1_000, 0, .max / 1_000]
    for second in ends {
      let span = RejudgingSpan(changed: second...second, place: place)
      #expect(
        span.look(at: [], read: span.first) == .enough(second...second, endsInGap: true))
    }
  }
}
