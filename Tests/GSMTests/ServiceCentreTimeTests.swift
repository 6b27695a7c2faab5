import GSM
import SeededRandom
import Testing

/// 3GPP TS 23.040 9.2.3.11.
struct ServiceCentreTimeTests {
  private func deliver(_ stamp: String) throws -> SMSDeliver {
    let pdu = try PDU.decode(
      hex: "0400810000" + stamp + "00", direction: .mobileTerminated, tpduOnly: true)
    guard case .deliver(let message) = pdu.tpdu else {
      throw PDUError.unsupportedType("not a delivery")
    }
    return message
  }

  // The sign of the zone is bit 3 of the octet as it comes; the digit of the tens keeps three bits.
  @Test(arguments: [
    ("62304180509032", "2026-03-14T08:05:09+05:45"),
    ("62304180509000", "2026-03-14T08:05:09+00:00"),
    ("6230418050900A", "2026-03-14T08:05:09-05:00"),
    ("62304180509048", "2026-03-14T08:05:09-01:00"),
    ("62304180509021", "2026-03-14T08:05:09+03:00"),
    ("42209232959565", "2024-02-29T23:59:59+14:00"),
    ("07101000000000", "1970-01-01T00:00:00+00:00"),
    ("96211332959500", "2069-12-31T23:59:59+00:00"),
    ("99211332959500", "1999-12-31T23:59:59+00:00"),
    ("62304180509097", "2026-03-14T08:05:09+19:45"),
    ("6230418050909F", "2026-03-14T08:05:09-19:45"),
  ])
  func reads(_ stamp: String, _ expected: String) throws {
    let message = try deliver(stamp)
    let time = try #require(message.timestamp)
    #expect(time.rfc3339 == expected)
    #expect(Hex.encode(try message.encoded()) == "0400810000" + stamp + "00")
  }

  @Test func readsANegativeZoneOfZeroAsZero() throws {
    let time = try #require(try deliver("62304180509008").timestamp)
    #expect(time.quarterHours == 0)
    #expect(time.rfc3339.hasSuffix("+00:00"))
  }

  // A bad stamp costs the time and not the message.
  @Test(arguments: [
    "00000000000000", "FFFFFFFFFFFFFF", "62004180509032", "62314180509032", "62300080509032",
    "62302380509032", "62304142509032", "62304180069032", "62304180500632", "62304A80509032",
    "6230418050A032", "623041805090A2", "52209280509032",
  ])
  func hasNoTimeFor(_ stamp: String) throws {
    let message = try deliver(stamp)
    #expect(message.timestamp == nil)
    #expect(message.userData.text == "")
    // What is written back shows no time either.
    #expect(try deliver("00000000000000").timestamp == nil)
    #expect(Hex.encode(try message.encoded()) == "0400810000" + "00000000000000" + "00")
  }

  @Test func countsFromTheEpochInUTC() throws {
    let time = try #require(
      ServiceCentreTime(
        year: 2026, month: 3, day: 14, hour: 8, minute: 5, second: 9, quarterHours: 23))
    // 2026-03-14T02:20:09Z.
    #expect(time.epochSeconds == 1_773_454_809)
    let west = try #require(
      ServiceCentreTime(
        year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, quarterHours: -20))
    #expect(west.epochSeconds == 18_000)
  }

  @Test func comesBackFromTheEpoch() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<5_000 {
      let epoch = Int64.random(in: 100_000...3_155_600_000, using: &random)
      let quarters = Int.random(in: -79...79, using: &random)
      let time = try #require(ServiceCentreTime(epochSeconds: epoch, quarterHours: quarters))
      #expect(time.epochSeconds == epoch, "\(epoch) \(quarters)")
      #expect(time.quarterHours == quarters, "\(epoch) \(quarters)")
    }
  }

  @Test func endsWhereTwoDigitsEnd() {
    #expect(ServiceCentreTime(epochSeconds: -1, quarterHours: 0) == nil)
    #expect(ServiceCentreTime(epochSeconds: 0, quarterHours: -1) == nil)
    #expect(ServiceCentreTime(epochSeconds: 0, quarterHours: 0)?.year == 1970)
    #expect(
      ServiceCentreTime(epochSeconds: 3_155_759_999, quarterHours: 0)?.rfc3339
        == "2069-12-31T23:59:59+00:00")
    #expect(ServiceCentreTime(epochSeconds: 3_155_760_000, quarterHours: 0) == nil)
    #expect(ServiceCentreTime(epochSeconds: .max, quarterHours: 1) == nil)
    #expect(ServiceCentreTime(epochSeconds: .min, quarterHours: -1) == nil)
    #expect(ServiceCentreTime(epochSeconds: 1_000_000, quarterHours: 80) == nil)
    #expect(ServiceCentreTime(epochSeconds: 1_000_000, quarterHours: .max) == nil)
  }

  @Test func knowsLeapYears() {
    func exists(_ year: Int, _ month: Int, _ day: Int) -> Bool {
      ServiceCentreTime(
        year: year, month: month, day: day, hour: 0, minute: 0, second: 0, quarterHours: 0) != nil
    }
    #expect(exists(2024, 2, 29))
    #expect(exists(2000, 2, 29))
    #expect(!exists(2026, 2, 29))
    #expect(!exists(2026, 4, 31))
    #expect(!exists(2026, 13, 1))
    #expect(!exists(2026, 1, 0))
    #expect(!exists(1969, 12, 31))
    #expect(!exists(2070, 1, 1))
  }
}
