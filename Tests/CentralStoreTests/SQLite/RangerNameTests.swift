import CentralCore
import CentralSQLite
import Passages
import Testing
import Time

/// Uploads name a ranger by the identifier of the profile; people are shown the name.
struct RangerNameTests {
  private func observation(_ post: String, _ second: Int64, _ ranger: String) throws -> Observation
  {
    let message = try V1Message.decode("V1|\(post)|BA1PA1234|CAR|\(second)|0000", window: nil)
    return Observation(
      of: Passage(received: message, segment: nil, ranger: ranger), channel: .upload,
      isProven: true,
      receivedAt: WallTime(epochSeconds: second + 5))
  }

  @Test func whoeverUploadedIsNamed() throws {
    let place = try SQLitePlace()
    let bench = try Bench(place)
    let start: Int64 = 1_709_120_000
    // The profile of +9779841114567, and one that nobody has.
    let sita = ClientID.derived(kind: "profile", name: "9779841114567").description
    let nobody = "00000000-0000-4000-8000-000000000000"
    try bench.store.take(
      [
        PassageArrival(try observation("BNP-A", start, sita)),
        PassageArrival(try observation("BNP-B", start + 1_000, nobody)),
        PassageArrival(try observation("BNP-B", start + 9_000, "Hari")),
      ], at: bench.wall)
    #expect(
      try bench.store.passages(PassageQuery()).map(\.passage.ranger) == ["Sita", nobody, "Hari"])
    let found = try #require(try bench.store.violations(ViolationQuery()).first)
    let evidence = try #require(try bench.store.violation(found.uuid))
    #expect(evidence.rangerNames == [sita: "Sita", nobody: nobody])
  }
}
