import CentralCore
import Passages
import RestAPI
import Testing
import Time

/// By whom a passage was written down of which a text names the last digits alone, as the API tells it.
@Suite struct WireRangerTests {
  private static let passages = "vehicle_passages?select=ranger_id&order=recorded_at"

  private func people(_ world: inout WireWorld) -> [RestJSON] {
    world.rows(Self.passages, as: .service).map { $0["ranger_id"] ?? .null }
  }

  private func ranger(
    _ name: String, _ phone: String, _ post: String, since: Int64? = nil
  ) throws -> DirectoryEntry {
    .ranger(
      Ranger(name: name, phone: try number(phone), checkpost: try CheckpostCode(post)),
      since: since.map { WallTime(epochSeconds: $0) })
  }

  @Test(arguments: StoreKind.shipped) func whoWasThereThenIsTold(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let start = WireWorld.start.epochSeconds
    for (post, second, digits) in [
      ("BNP-A", 0, "4567"), ("BNP-A", 10, "0000"), ("BNP-B", 20, "4567"),
    ] {
      _ = try world.store.keep([
        InboundMessage(
          provider: "twilio", providerID: "\(second)", from: "+9779800000009",
          text: "V1|\(post)|BA1PA\(second)|CAR|\(start + Int64(second))|\(digits)",
          receivedAt: WallTime(epochSeconds: start + 100))
      ])
    }
    var rules = CentralRules()
    rules.ingress = .open
    _ = try world.store.process(rules: rules, at: WallTime(epochSeconds: start + 100))
    let sita = RestJSON.text(WireWorld.sita)
    #expect(people(&world) == [sita, .null, .null])

    _ = try world.store.put([try ranger("Sita", "+9779801234567", "BNP-B")])
    #expect(people(&world) == [sita, .null, sita])
    _ = try world.store.put([try ranger("Maya", "+9779851234567", "BNP-A")])
    _ = try world.store.put([try ranger("Gita", "+9779861234567", "BNP-B")])
    #expect(people(&world) == [sita, .null, sita])
    _ = try world.store.put([try ranger("Gita", "+9779861234567", "BNP-B", since: start - 1_000)])
    let gita = RestJSON.text(
      ClientID.derived(kind: "profile", name: "9779861234567").description)
    #expect(people(&world) == [sita, .null, gita])
  }
}
