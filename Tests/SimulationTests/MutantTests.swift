import Mutants
import Testing

/// Faults that are built in on purpose are in a build of their own alone, where days are lived until each
/// is caught: `make prove-mutants`.
@Suite struct MutantTests {
  @Test func noneIsInThisBuild() {
    #expect(!Mutant.areBuiltIn)
    for mutant in Mutant.allCases { #expect(!mutant.isActive, "\(mutant)") }
  }

  @Test func eachHasItsName() {
    for mutant in Mutant.allCases {
      let words = "\(mutant)".map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }
      #expect(mutant.rawValue == words.joined())
    }
  }
}
