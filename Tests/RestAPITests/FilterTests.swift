import RestAPI
import RestSQL
import Testing

@Suite struct FilterTests {
  @Test(arguments: [
    ("plate_number=eq.BA1", "(t0.\"plate_number\" = ?2)"),
    ("plate_number=neq.BA1", "(t0.\"plate_number\" <> ?2)"),
    ("recorded_at=gt.2026-01-01T00:00:00Z", "(t0.\"recorded_at\" > ?2)"),
    ("recorded_at=gte.2026-01-01", "(t0.\"recorded_at\" >= ?2)"),
    ("recorded_at=lt.2026-01-01T05:45:00%2B05:45", "(t0.\"recorded_at\" < ?2)"),
    ("recorded_at=lte.2026-01-01%2000:00:00", "(t0.\"recorded_at\" <= ?2)"),
    ("matched_passage_id=is.null", "(t0.\"matched_passage_id\" IS NULL)"),
    ("matched_passage_id=not.is.null", "(NOT (t0.\"matched_passage_id\" IS NULL))"),
    ("matched_passage_id=is.not_null", "(NOT (t0.\"matched_passage_id\" IS NULL))"),
    ("is_entry=is.true", "(t0.\"is_entry\" IS TRUE)"),
    ("is_entry=is.FALSE", "(t0.\"is_entry\" IS FALSE)"),
    ("is_entry=is.unknown", "(t0.\"is_entry\" IS NULL)"),
    ("source=in.(app,sms)", "(t0.\"source\" IN (?2, ?3))"),
    ("source=in.(app,app)", "(t0.\"source\" IN (?2))"),
    ("source=in.()", "FALSE"),
    ("source=not.in.()", "(NOT FALSE)"),
    ("plate_number=like.BA*", "(t0.\"plate_number\" GLOB ?2)"),
    ("plate_number=ilike.*ba%25", "(t0.\"plate_number\" LIKE ?2 ESCAPE '\\')"),
    (
      "or=(source.eq.app,and(source.eq.sms,is_entry.is.true))",
      "((t0.\"source\" = ?2) OR ((t0.\"source\" = ?3) AND (t0.\"is_entry\" IS TRUE)))"
    ),
    (
      "not.and=(source.eq.app,not.or(is_entry.is.true,is_entry.is.false))",
      "(NOT ((t0.\"source\" = ?2) AND (NOT ((t0.\"is_entry\" IS TRUE) OR (t0.\"is_entry\" IS FALSE)))))"
    ),
  ])
  func condition(query: String, sql: String) throws {
    let told = try Reading.condition(query)
    #expect(told == "(\(sql))")
  }

  @Test(arguments: [
    ("id=eq.\(Reading.client)", true), ("client_id=in.(\(Reading.client))", true),
    ("client_id=eq.\(Reading.client)&plate_number=like.*A*", true),
    ("and=(source.eq.app,id.eq.\(Reading.client))", true),
    ("client_id=neq.\(Reading.client)", false), ("id=not.eq.\(Reading.client)", false),
    ("or=(id.eq.\(Reading.client),source.eq.app)", false), ("plate_number=eq.BA1", false),
    ("", false),
  ])
  func isKeyed(query: String, expected: Bool) throws {
    let read = try Reading.read(query)
    #expect(read.table.isKeyed(by: read.filter) == expected)
  }

  @Test func severalOfOneColumnAllCount() throws {
    let sql = try Reading.condition("recorded_at=gte.2026-01-01&recorded_at=lt.2026-02-01")
    #expect(sql == "((t0.\"recorded_at\" >= ?2) AND (t0.\"recorded_at\" < ?3))")
  }

  @Test(arguments: [
    ("plate_number=eq.a%22b", RestValue.text("a\"b")),
    ("plate_number=eq.%22a%22", .text("\"a\"")),
    ("plate_number=eq.", .text("")),
    ("plate_number=eq.a.b.c", .text("a.b.c")),
    ("plate_number=eq.null", .text("null")),
    ("plate_number=eq.a+b", .text("a b")),
    ("plate_number=eq.a%2Bb", .text("a+b")),
    ("plate_number=eq.%E0%A4%AC%E0%A4%BE", .text("बा")),
    ("plate_number=eq.100%", .text("100%")),
    ("plate_number=eq.%zz", .text("%zz")),
    ("plate_number=eq.%ff", .text("\u{FFFD}")),
    ("plate_number=eq.'%20OR%201=1--", .text("' OR 1=1--")),
    ("plate_number=eq.;DROP%20TABLE%20passages", .text(";DROP TABLE passages")),
    ("plate_number=in.(%22a,b%22)", .text("a,b")),
    ("plate_number=in.(%22a%5C%22)%22)", .text("a\")")),
    ("or=(plate_number.eq.%22a,b)%22)", .text("a,b)")),
    ("plate_number=like.*a_%25", .text("*a?*")),
    ("plate_number=like.a%5B%3F%5C_%5C%25", .text("a[[][?]_%")),
    ("id=eq.5B0B1D3E000040008000000000000001", .text("5b0b1d3e-0000-4000-8000-000000000001")),
    ("recorded_at=eq.2026-01-01T05:45:00.0005%2B05:45", .time(1_767_225_600_000_500)),
    ("recorded_at=eq.2026-01-01T00:00Z", .time(1_767_225_600_000_000)),
    ("is_entry=eq.yes", .flag(true)),
  ])
  func value(query: String, value: RestValue) throws {
    let statement = try Reading.sqlite("select=id&" + query)
    #expect(statement.parameters.dropFirst().first == value)
    #expect(!statement.text.contains("DROP") && !statement.text.contains("--"))
  }

  @Test(arguments: [
    ("nonsense=eq.1", "42703"),
    ("plate_number=1", "PGRST100"),
    ("plate_number", "PGRST100"),
    ("plate_number=fts.a", "0A000"),
    ("plate_number=eq", "PGRST100"),
    ("plate_number=not.not.eq.a", "PGRST100"),
    ("plate_number=is.full", "PGRST100"),
    ("plate_number=is.true", "42804"),
    ("plate_number=in.a,b", "PGRST100"),
    ("plate_number=in.(", "PGRST100"),
    ("plate_number=neq(any).{a}", "PGRST100"),
    ("plate_number=like.a%5C", "22025"),
    ("plate_number=eq.a%00b", "22P05"),
    ("id=eq.1", "22P02"),
    ("id=in.(1)", "22P02"),
    ("id=like.a*", "42883"),
    ("recorded_at=gt.yesterday", "22007"),
    ("recorded_at=gt.2026-02-30", "22008"),
    ("recorded_at=gt.2026-01-01T00:00:00%2B99", "22008"),
    ("recorded_at=gt.2026-01-01T00:00:00+05:45x", "22007"),
    ("is_entry=eq.maybe", "22P02"),
    ("checkposts.code=eq.A", "PGRST108"),
    ("or=", "PGRST100"),
    ("or=()", "PGRST100"),
    ("or=(source.eq.app", "PGRST100"),
    ("or=(source.eq.app)x", "PGRST100"),
    ("or=(source)", "PGRST100"),
    ("or=source.eq.app", "PGRST100"),
    ("or=(source.eq.app),(source.eq.sms)", "PGRST100"),
    ("or=(plate_number.eq.a(b)c)", "PGRST100"),
    ("and=(nonsense.eq.1)", "42703"),
    ("%22id%22=eq.1", "42703"),
    ("id)=eq.1", "42703"),
  ])
  func nonsense(query: String, code: String) {
    #expect(Reading.refusal("GET", "vehicle_passages", query)?.code == code)
  }

  @Test func whatIsOnlyTooMuchIsRefused() {
    let nested =
      String(repeating: "or(", count: 9) + "source.eq.a" + String(repeating: ")", count: 9)
    let many = Array(repeating: "source.eq.a", count: 129).joined(separator: ",")
    let listed = (0...1_000).map(String.init).joined(separator: ",")
    for query in [
      "or=(\(nested))", "or=(\(many))", "plate_number=in.(\(listed))",
      "plate_number=like.*a*b*c*d*e*f*g", String(repeating: "source=eq.a&", count: 65),
      "plate_number=eq." + String(repeating: "a", count: 65_536),
    ] {
      #expect(Reading.refusal("GET", "vehicle_passages", query)?.status(isAnonymous: false) == 413)
    }
    let long = "plate_number=eq." + String(repeating: "a", count: 4_097)
    #expect(Reading.refusal("GET", "vehicle_passages", long)?.code == "22001")
  }

  @Test func aPassageIsFoundByEachOfItsIdentities() throws {
    #expect(try Reading.read("client_id=eq.\(Reading.client)").isByIdentity)
    #expect(try Reading.read("source=eq.app&client_id=in.(\(Reading.client))").isByIdentity)
    #expect(try !Reading.read("client_id=neq.\(Reading.client)").isByIdentity)
    #expect(try Reading.read("or=(client_id.eq.\(Reading.client))").isByIdentity)
    #expect(try !Reading.read("plate_number=eq.BA1").isByIdentity)
    let text = try Reading.sqlite("client_id=eq.\(Reading.client)").text
    #expect(text.contains(" FROM \"api_vehicle_passages_by_identity\" AS t0"))
  }
}
