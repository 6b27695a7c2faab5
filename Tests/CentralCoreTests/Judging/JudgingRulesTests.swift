import CentralCore
import Testing

struct JudgingRulesTests {
  @Test func theDefaultsAreWithinTheirRanges() {
    let rules = JudgingRules()
    let values: [(JudgingRules.Number, Int64)] = [
      (.rangerWindow, rules.rangerWindow), (.pairingWindow, rules.pairingWindow),
      (.longStay, rules.longStay), (.provisionalFor, rules.provisionalFor),
    ]
    #expect(values.map(\.0) == JudgingRules.Number.allCases)
    #expect(values.map(\.1) == [60, 259_200, 43_200, 86_400])
    for (number, value) in values { #expect(number.range.contains(value)) }
  }

  @Test(arguments: JudgingRules.Number.allCases)
  func aNumberOutOfItsRangeIsRefused(number: JudgingRules.Number) throws {
    var rules = JudgingRules()
    for wrong in [number.range.lowerBound - 1, number.range.upperBound + 1, .min, .max] {
      let error = #expect(throws: JudgingRulesError.self) { try rules.set(number, to: wrong) }
      #expect(error?.number == number)
      #expect(error?.description.contains(number.rawValue) == true)
      #expect(rules == JudgingRules())
    }
    try rules.set(number, to: number.range.lowerBound)
    #expect(rules != JudgingRules())
  }

  @Test func aSegmentHasAWindowOfItsOwn() throws {
    var rules = JudgingRules()
    #expect(throws: JudgingRulesError(number: .pairingWindow)) {
      try rules.setPairingWindow(of: "Banepa", to: 60)
    }
    try rules.setPairingWindow(of: "Banepa", to: 86_400)
    #expect(rules.pairingWindows == ["Banepa": 86_400])
    #expect(JudgedPlace(try sampleRoute(), rules: rules).pairingWindow == 86_400)
    #expect(
      JudgedPlace(try sampleRoute("Other"), rules: rules).pairingWindow == 259_200)
  }
}
