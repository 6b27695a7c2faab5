import SimulationKit
import Testing

/// What has to hold on a simulated day, by number.
@Suite struct InvariantTests {
  @Test func eachHasItsNumber() {
    #expect(Invariant.allCases.map(\.rawValue) == Array(1...24) + [30])
    #expect(Invariant.textAllowed.name == "I12")
  }

  @Test func eachSaysWhatItIs() {
    #expect(Set(Invariant.allCases.map(\.sentence)).count == Invariant.allCases.count)
    #expect(Invariant.allCases.allSatisfy { !$0.sentence.isEmpty })
  }

  /// A post without a server has nothing but texts: what rangers do beside recording is there, too.
  @Test func aDayHasMoreThanPassages() throws {
    var settings = WorldSettings(seed: 7)
    settings.hasServer = false
    settings.endsOnline = false
    (settings.serverFaults, settings.struggles, settings.blips) = (0, 0, 0)
    (settings.powerCuts, settings.diskFaults) = (0, 0)
    settings.corrections = 3
    settings.textsOpposite = true
    settings.heartbeatAfter = .seconds(900)
    settings.startsUnset = true
    settings.budgets = (15, 60, 300)
    let report = try Life.live(settings)
    #expect(report.violations == [])
    #expect(report.opposite > 0)
    #expect(report.heartbeats > 0)
    #expect(report.fired["started_unset"] ?? 0 > 0)
  }
}
