import CentralCore
import Control

extension JudgedReport {
  /// What a service counted.
  init(_ tally: JudgingTally) {
    self.init()
    (texts, repeated, refused) = (tally.texts, tally.repeated, tally.refused)
    (overRate, notKept) = (tally.overRate, tally.notKept)
    (paired, parted) = (tally.paired, tally.parted)
    (overdue, overdueEnded) = (tally.overdue, tally.overdueEnded)
    violations = ViolationFinding.Kind.allCases.map { kind in
      let counts = tally.violations[kind] ?? JudgingTally.Violations()
      return Violations(
        kind: kind.rawValue, found: counts.found, changed: counts.changed,
        retracted: counts.retracted, final: counts.final)
    }
    let ends = JudgingTally.latencyEnds.map { Int64?($0) } + [nil]
    latency = zip(ends, tally.latencies).map { Latency(mostMilliseconds: $0, count: $1) }
  }
}
