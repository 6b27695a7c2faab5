import SeededRandom
import Testing
import Time

/// RFC 3339 5.6.
struct RFC3339Tests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2024-02-28T12:30:56Z", 1_709_123_456_000),
    ("2024-02-28T12:30:56.412Z", 1_709_123_456_412), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
    ("2000-02-29T23:59:59Z", 951_868_799_000), ("1969-12-31T23:59:59.500Z", -500),
    ("1969-12-31T23:59:59Z", -1_000), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("2024-02-28T12:30:56.007Z", 1_709_123_456_007),
  ])
  func readsAndPrints(_ text: String, _ milliseconds: Int64) throws {
    let time = try #require(WallTime(rfc3339: text))
    #expect(time.milliseconds == milliseconds)
    #expect(time.rfc3339 == text)
  }

  @Test(arguments: [
    ("2024-02-28T18:15:56+05:45", 345), ("2024-02-28T07:30:56-05:00", -300),
    ("2024-02-29T02:30:56+14:00", 840), ("2024-02-28T12:00:56-00:30", -30),
    ("2024-02-29T12:29:56+23:59", 1_439), ("2024-02-27T12:31:56-23:59", -1_439),
  ])
  func countsTheOffset(_ text: String, _ offset: Int) throws {
    let time = try #require(WallTime(rfc3339: text))
    #expect(time.epochSeconds == 1_709_123_456)
    #expect(time.rfc3339(offsetMinutes: offset) == text)
  }

  @Test(arguments: [
    "2024-02-28t12:30:56z", "2024-02-28 12:30:56Z", "2024-02-28T12:30:56+00:00",
    "2024-02-28T12:30:56-00:00", "2024-02-28T12:30:56.0Z", "2024-02-28T12:30:56.0009999999Z",
  ])
  func readsOtherFormsOfTheSame(_ text: String) {
    #expect(WallTime(rfc3339: text)?.milliseconds == 1_709_123_456_000)
  }

  @Test func takesTheFractionAsAFraction() {
    #expect(WallTime(rfc3339: "2024-02-28T12:30:56.4Z")?.milliseconds == 1_709_123_456_400)
    #expect(WallTime(rfc3339: "2024-02-28T12:30:56.04Z")?.milliseconds == 1_709_123_456_040)
    #expect(WallTime(rfc3339: "2024-02-28T12:30:56.412999Z")?.milliseconds == 1_709_123_456_412)
  }

  @Test(arguments: [
    "", "2024", "2024-02-28", "2024-02-28T12:30:56", "2024-02-28T12:30Z", "2024-2-28T12:30:56Z",
    "2024-02-30T12:30:56Z", "2023-02-29T12:30:56Z", "1900-02-29T12:30:56Z", "2024-13-01T12:30:56Z",
    "2024-00-01T12:30:56Z", "2024-01-00T12:30:56Z", "2024-04-31T12:30:56Z", "2024-02-28T24:00:00Z",
    "2024-02-28T12:60:56Z", "2024-02-28T12:30:61Z", "2024-02-28T12:30:56.Z",
    "2024-02-28T12:30:56,4Z", "2024-02-28T12:30:56+24:00", "2024-02-28T12:30:56+05:60",
    "2024-02-28T12:30:56+0545", "2024-02-28T12:30:56+5:45", "2024-02-28T12:30:56 Z",
    "2024-02-28T12:30:56Z ", " 2024-02-28T12:30:56Z", "2024-02-28T12:30:56ZZ",
    "2024/02/28T12:30:56Z", "2024-02-28X12:30:56Z", "-024-02-28T12:30:56Z", "٢٠٢٤-02-28T12:30:56Z",
    "2024-02-28T12:30:56\u{0}Z", "+2024-02-28T12:30:56Z",
  ])
  func refuses(_ text: String) {
    #expect(WallTime(rfc3339: text) == nil)
  }

  // RFC 3339 5.7: a leap second is the last of a day in UTC; here it is the second before it.
  @Test func takesALeapSecondForTheSecondBefore() {
    let last = WallTime(rfc3339: "2016-12-31T23:59:59Z")
    #expect(last != nil)
    #expect(WallTime(rfc3339: "2016-12-31T23:59:60Z") == last)
    #expect(WallTime(rfc3339: "2017-01-01T05:44:60+05:45") == last)
    #expect(WallTime(rfc3339: "2016-12-31T23:58:60Z") == nil)
    #expect(WallTime(rfc3339: "2016-12-31T23:59:60+01:00") == nil)
  }

  @Test func looksAtAllOfALongText() {
    let fraction = String(repeating: "0", count: 43)
    #expect(WallTime(rfc3339: "2024-02-28T12:30:56.\(fraction)Z") != nil)
    #expect(WallTime(rfc3339: "2024-02-28T12:30:56.\(fraction)Zx") == nil)
    #expect(WallTime(rfc3339: "2024-02-28T12:30:56.\(fraction)0Zx") == nil)
    #expect(WallTime(rfc3339: "2024-02-28T12:30:56.\(fraction)0000000000Z") == nil)
  }

  @Test func bringsEveryMomentBack() throws {
    for seed in UInt64(0)..<5_000 {
      var random = SplitMix64(seed: seed)
      let milliseconds = Int64.random(
        in: -62_167_132_800_000...253_402_214_400_000, using: &random)
      let offset = Int.random(in: -1_439...1_439, using: &random)
      let time = WallTime(milliseconds: milliseconds)
      #expect(WallTime(rfc3339: time.rfc3339) == time, "seed \(seed)")
      let local = time.rfc3339(offsetMinutes: offset)
      #expect(WallTime(rfc3339: local) == time, "seed \(seed): \(local)")
    }
  }

  @Test func readsAnyTextOrRefusesIt() throws {
    let letters = Array("0123456789-:.TZ+ ")
    for seed in UInt64(0)..<5_000 {
      var random = SplitMix64(seed: seed)
      var text = Array("2024-02-28T12:30:56.412+05:45")
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<text.count, using: &random)
        text[index] = letters[Int.random(in: 0..<letters.count, using: &random)]
      }
      guard let time = WallTime(rfc3339: String(text)) else { continue }
      #expect(WallTime(rfc3339: time.rfc3339) == time, "seed \(seed): \(String(text))")
    }
  }
}
