import CentralCore
import Passages
import Testing
import Time

/// A text whose passage the tables of the store refuse, because they have rules of their own, keeps nobody else
/// waiting.
@Suite struct RefusedTextTests {
  /// What makes the store refuse one plate: an exception that a trigger raises, or a constraint.
  private static let rules: [(kind: String, rule: String)] = [
    (
      "SQLite",
      """
      CREATE TRIGGER own_rule BEFORE INSERT ON passages WHEN NEW.plate_number = 'BA1PA1244'
        BEGIN SELECT RAISE(ABORT, 'not that one'); END;
      """
    ),
    (
      "PostgreSQL",
      """
      CREATE FUNCTION public.own_rule() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.plate_number = 'BA1PA1244' THEN RAISE EXCEPTION 'not that one'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER own_rule BEFORE INSERT ON public.vehicle_passages
        FOR EACH ROW EXECUTE FUNCTION public.own_rule();
      """
    ),
    (
      "PostgreSQL",
      "ALTER TABLE public.vehicle_passages ADD CONSTRAINT own_rule CHECK (plate_number <> 'BA1PA1244')"
    ),
  ]

  @Test(arguments: rules.indices) func oneIsSetAsideAndTheOthersAreTaken(_ index: Int) throws {
    let (kind, rule) = Self.rules[index]
    let place: any SQLPlace
    switch kind {
    case "SQLite": place = try SQLitePlace()
    case _ where StoreKind.shipped.contains { $0.testDescription == kind }:
      place = try PostgreSQLPlace()
    case _: return
    }
    let bench = try Bench(place)
    try place.execute(rule)
    for number in 0..<40 { try bench.keep(text(number), id: "SM\(number)") }
    var done: [ProcessedMessage] = []
    while case let more = try bench.process(), !more.isEmpty { done += more }
    #expect(done.count == 40)
    var query = InboxQuery()
    query.limit = 100
    let items = try bench.store.inbox(query)
    let refused = items.filter { $0.state == .undecodable }
    #expect(refused.map(\.body) == [text(10)])
    #expect(refused.first?.reason == "store")
    #expect(items.count { $0.state == .decoded } == 39)
    #expect(try bench.clientIDs().count == 39)
    // When the rule is gone an operator lets it through.
    try place.execute(
      kind == "SQLite"
        ? "DROP TRIGGER own_rule"
        : """
        DROP TRIGGER IF EXISTS own_rule ON public.vehicle_passages;
        ALTER TABLE public.vehicle_passages DROP CONSTRAINT IF EXISTS own_rule
        """)
    let id = try #require(refused.first?.id)
    #expect(try bench.reprocess(id).count == 1)
    #expect(try bench.clientIDs().count == 40)
  }
}
