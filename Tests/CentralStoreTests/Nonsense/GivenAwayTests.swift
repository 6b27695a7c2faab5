import CentralCore
import Passages
import Storage
import Testing
import Time

/// Numbers that another program gave away already.
@Suite struct GivenAwayTests {
  /// The violation is judged on, and its next revision takes the next number.
  @Test(arguments: StoreKind.shipped) func aRevisionTakesTheNextNumber(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let place = try #require(bench.place as? any SQLPlace)
    func take(_ seconds: [(Int64, String)]) throws {
      _ = try bench.store.take(
        try seconds.map { PassageArrival(try sighting($0.0, $0.1, plate: "BA1PA1")) },
        at: WallTime(epochSeconds: judgedMorning + 10_000))
    }
    try take([(0, "BNP-A"), (600, "BNP-B")])
    let table = place is SQLitePlace ? "violation_revisions" : "revisions"
    for number in [2, Int64.max] {
      try place.execute(
        """
        CREATE TEMP TABLE others AS SELECT * FROM \(table) WHERE number = 1;
        UPDATE others SET number = \(number), change = 'changed';
        INSERT INTO \(table) SELECT * FROM others;
        DROP TABLE others;
        """)
    }
    // A second ranger wrote the exit down later.
    try take([(630, "BNP-B")])
    let stored = try #require(try bench.store.violations(ViolationQuery()).first)
    #expect(stored.violation.finding.seconds == 630)
    let evidence = try #require(try bench.store.violation(stored.uuid))
    #expect(evidence.revisions.contains { $0.number == 3 && $0.change == .changed })
  }
}
