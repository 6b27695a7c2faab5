import ServerModel
import SimulationKit
import Testing

/// Every fault has its number, and what a day does is in the list.
@Suite struct FaultCatalogueTests {
  @Test func everyNumberIsThereOnce() {
    #expect(CataloguedFault.all.map(\.number) == Array(1...64))
  }

  @Test func aFaultIsMadeOrItSaysWhyNot() {
    for fault in CataloguedFault.all {
      #expect(fault.names.isEmpty != (fault.absence == nil), "F\(fault.number)")
    }
  }

  @Test(arguments: ModelFault.allCases) func everyFaultOfTheServerHasItsNumber(_ fault: ModelFault)
  {
    #expect(CataloguedFault.all.contains { $0.names.contains(fault.rawValue) })
  }

  @Test func whatADayCountsIsInTheList() throws {
    let names = Set(CataloguedFault.all.flatMap(\.names))
    for seed in UInt64(1)...4 {
      let report = try Life.live(WorldSettings(seed: seed))
      #expect(Set(report.fired.keys).subtracting(names).isEmpty)
    }
  }
}
