import RestAPI
import Testing

@Suite struct ValueTests {
  @Test(arguments: [
    ("{5B0B1D3E-0000-4000-8000-000000000001}", true), ("5b0b1d3e000040008000000000000001", true),
    ("5b0b-1d3e-0000-4000-8000-0000-0000-0001", true),
    ("5b0b1d3e-0000-4000-8000-00000000001", false),
    ("{5b0b1d3e-0000-4000-8000-000000000001", false), ("", false), ("{}", false), ("{", false),
    ("5b0b1d3e-0000-4000-8000-00000000000g", false),
    ("-5b0b1d3e-0000-4000-8000-000000000001", false),
    ("5b0b1d3e-0000-4000-8000-000000000001-", false),
    ("5b0b1d3e--0000-4000-8000-000000000001", false),
  ])
  func identifiers(text: String, isOne: Bool) {
    #expect(
      RestIdentifier.canonical(text) == (isOne ? "5b0b1d3e-0000-4000-8000-000000000001" : nil))
  }

  @Test(arguments: [
    (0 as Int64, "1970-01-01T00:00:00+00:00"), (-1, "1969-12-31T23:59:59.999999+00:00"),
    (1_767_225_600_412_000, "2026-01-01T00:00:00.412+00:00"),
    (1_767_225_600_000_100, "2026-01-01T00:00:00.0001+00:00"),
  ])
  func moments(micros: Int64, text: String) {
    #expect(RestMoment.text(micros) == text)
  }

  @Test func jsonIsReadAndWritten() throws {
    let text = "{\"a\":[1,-0.50,1e5,true,false,null],\"b\":\"x\\\"\\\\\\n\\u0007é🚙\",\"c\":{}}"
    let value = try #require(RestJSON(Array(text.utf8)))
    #expect(value.written == text)
    #expect(RestJSON(Array("\"\\ud83d\\ude99\\/\"".utf8)) == .text("🚙/"))
    #expect(RestJSON(Array("{\"a\":1,\"a\":2}".utf8))?.object?["a"] == .number("2"))
    #expect(RestJSON([0x22, 0xFF, 0x22]) == nil)
  }

  @Test(arguments: [
    ("1", RestValue.integer(1)), ("\" 7 \"", .integer(7)), ("\"+7\"", .integer(7)),
  ])
  func integers(json: String, value: RestValue) throws {
    let body = "{\"user_id\":\"\(Reading.user)\",\"device_id\":\"a\",\"pending_count\":\(json)}"
    guard
      case .insert(let insert) = try Reading.plan(
        "POST", "sync_metadata", body: body, as: Reading.ranger)
    else { return }
    #expect(insert.rows.first?["pending_count"] == value)
  }

  @Test(arguments: [
    ("1.0", "22P02"), ("\"1e3\"", "22P02"), ("\"0x10\"", "22P02"), ("\"\"", "22P02"),
    ("2147483648", "22003"), ("true", "22P02"), ("[]", "22P02"),
  ])
  func badIntegers(json: String, code: String) {
    let body = "{\"user_id\":\"\(Reading.user)\",\"device_id\":\"a\",\"pending_count\":\(json)}"
    #expect(
      Reading.refusal("POST", "sync_metadata", body: body, as: Reading.ranger)?.code == code)
  }

  @Test(arguments: [
    ("\"nan\"", "22P02"), ("\"0x1p3\"", "22P02"), ("1e300", "22003"), ("100000000", "22003"),
  ])
  func badAmounts(json: String, code: String) {
    let body =
      "{\"violation_id\":\"\(Reading.client)\",\"outcome_type\":\"fined\",\"fine_amount\":\(json),"
      + "\"recorded_by\":\"\(Reading.user)\"}"
    #expect(
      Reading.refusal("POST", "violation_outcomes", body: body, as: Reading.ranger)?.code == code)
  }

  /// A text that reads as a value is one, as PostgreSQL takes it; a list or an object is no text, whatever it says.
  @Test(
    arguments: [
      ("{}", "22P02"), ("[]", "22P02"), ("{\"a\":1}", "22P02"), ("7", nil), ("true", nil),
      ("\"paid\"", nil),
    ] as [(String, String?)])
  func whatIsNoText(json: String, code: String?) {
    for (method, table) in [("PATCH", "violation_outcomes"), ("PATCH", "parks")] {
      let column = table == "parks" ? "name" : "notes"
      #expect(
        Reading.refusal(method, table, body: "{\"\(column)\":\(json)}")?.code == code, "\(table)")
    }
  }
}
