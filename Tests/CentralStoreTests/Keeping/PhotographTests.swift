import CentralCore
import Passages
import Testing
import Time

/// Photographs that go with what they are of, and no others.
@Suite struct PhotographTests {
  private let now = WallTime(epochSeconds: 1_770_000_000)

  private func sighting(_ number: UInt64, _ plate: String, photo: String?) throws -> PassageArrival
  {
    PassageArrival(
      Observation(
        clientID: ClientID(random: number, number), post: try CheckpostCode("BNP-A"),
        plate: try Plate(plate), vehicleType: .car,
        recordedAt: now + .seconds(Int64(number) * 1_000), ranger: nil,
        suffix: try #require(PhoneSuffix("4567")), photoPath: photo, channel: .upload,
        isProven: true, receivedAt: now, clock: .unknown))
  }

  /// Whoever names another one's photograph has it removed with the own vehicle neither by its name nor by
  /// a path that ends with it.
  @Test(arguments: StoreKind.all) func anothersPhotographStays(_ kind: StoreKind) throws {
    let place = try kind.place()
    let store = try place.open()
    defer { try? store.close() }
    let victim = ClientID(random: 1, 1)
    try store.take(
      [
        sighting(1, "BA1PA1", photo: "passage-photos/shared.jpg"),
        sighting(2, "BA2PA2", photo: "shared.jpg"),
        sighting(3, "BA2PA2", photo: "zz/\(victim).jpg"),
        sighting(4, "BA2PA2", photo: "\(victim).jpg"),
        sighting(5, "BA2PA2", photo: "../../etc/passwd"),
        sighting(6, "BA2PA2", photo: "passage-photos/own.jpg"),
        sighting(7, "BA2PA2", photo: "\(ClientID(random: 7, 7)).jpg"),
      ], at: now)
    let keeping = try #require(store as? any KeepingStore)
    let erased = try keeping.erase(
      ErasureOrder(plate: "BA2PA2"), rules: JudgingRules(), at: now)
    #expect(erased.dropped.passages == 6)
    #expect(
      try keeping.droppedPhotographs(limit: 9) == ["\(ClientID(random: 7, 7)).jpg", "own.jpg"])
    #expect(erased.dropped.photographs == 2)
  }

  /// A passage names it in either form, is what it is called after, or a correction names it, also one whose
  /// passage is still to come.
  @Test(arguments: StoreKind.all) func whatBelongsToSomethingIsKnown(_ kind: StoreKind) throws {
    let place = try kind.place()
    let store = try place.open()
    defer { try? store.close() }
    var right = ReceivedCorrection(of: ClientID(random: 1, 1), madeAt: now + .seconds(5_000))
    right.photoPath = "right.jpg"
    var early = ReceivedCorrection(of: ClientID(random: 9, 9), madeAt: now)
    early.photoPath = "passage-photos/early.jpg"
    try store.take(
      [
        sighting(1, "BA1PA1", photo: "passage-photos/one.jpg"),
        sighting(2, "BA2PA2", photo: "two.jpg"), sighting(3, "BA3PA3", photo: nil),
        sighting(4, "BA4PA4", photo: "zz/other.jpg"), PassageArrival(right), PassageArrival(early),
      ], at: now)
    let keeping = try #require(store as? any KeepingStore)
    let known = ["one.jpg", "two.jpg", "right.jpg", "early.jpg", "\(ClientID(random: 3, 3)).jpg"]
    let others = ["other.jpg", "orphan.jpg", "\(ClientID(random: 8, 8)).jpg"]
    let named = try keeping.namedPhotographs(among: (known + others).compactMap { PhotoName($0) })
    #expect(named.map(\.text).sorted() == known.sorted())
    #expect(try keeping.namedPhotographs(among: []).isEmpty)
  }

  @Test func namesAreOfOneForm() {
    for path in ["a.jpg", "passage-photos/a.jpg"] {
      #expect(PhotoName(path: path)?.text == "a.jpg")
    }
    for path in [
      "", "/a.jpg", "zz/a.jpg", "passage-photos/zz/a.jpg", ".a.jpg", "..", "a b.jpg", "a\u{0}.jpg",
      "passage-photos", "passage-photos/", String(repeating: "a", count: 101),
    ] where path != "passage-photos" {
      #expect(PhotoName(path: path) == nil, "\(path)")
    }
    #expect(PhotoName("\(ClientID(random: 1, 1)).jpg")?.passage == ClientID(random: 1, 1))
    #expect(PhotoName("a.jpg")?.passage == nil)
  }
}
