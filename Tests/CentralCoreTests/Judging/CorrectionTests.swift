import CentralCore
import Passages
import Testing
import Time

struct CorrectionTests {
  private func correction(
    _ observation: Observation, at second: Int64, plate: String? = nil
  ) throws -> ReceivedCorrection {
    var correction = ReceivedCorrection(
      of: observation.clientID, madeAt: WallTime(epochSeconds: judgedMorning + second))
    correction.plate = try plate.map { try Plate($0) }
    return correction
  }

  private func places(_ centre: IncrementalCentre) -> [ContentKey] {
    centre.records.keys.sorted().compactMap { centre.records[$0]?.place }
  }

  /// The text of a passage says what was recorded, also when it comes after the correction.
  @Test func aTextThatComesLaterDoesNotUndoACorrection() throws {
    let upload = try sighting(0)
    let text = try sighting(0, channel: .text, received: 9_000)
    let right = try correction(upload, at: 100, plate: "ba 1 pa 9999")
    var first = IncrementalCentre(try samplePlaces())
    first.receive(upload)
    first.correct(right)
    first.receive(text)
    var last = IncrementalCentre(try samplePlaces())
    last.correct(right)
    last.receive(text)
    last.receive(upload)
    for centre in [first, last] {
      #expect(centre.records.count == 1)
      #expect(places(centre).map(\.plate) == ["BA1PA9999"])
      #expect(centre.records[1]?.received.plate == "BA1PA1234")
      #expect(centre.records[1]?.content.isCorrected == true)
      #expect(centre.records[1]?.content.rawPlate == "ba 1 pa 9999")
      #expect(centre.contradictions == 0)
    }
  }

  @Test func theOneThatWasMadeLastCounts() throws {
    let upload = try sighting(0)
    let early = try correction(upload, at: 100, plate: "BA1PA1")
    let late = try correction(upload, at: 200, plate: "BA1PA2")
    for order in [[early, late], [late, early], [late, early, late]] {
      var centre = IncrementalCentre(try samplePlaces())
      centre.receive(upload)
      for correction in order { centre.correct(correction) }
      #expect(places(centre).map(\.plate) == ["BA1PA2"])
      #expect(centre.records[1]?.corrections == [early, late])
    }
  }

  /// What is taken for another one is known nevertheless, and goes with the vehicle.
  @Test func thePhotographThatWasPutRightLastCounts() throws {
    let upload = try sighting(0, photo: "a.jpg")
    var (right, none) = (try correction(upload, at: 100), try correction(upload, at: 200))
    right.photoPath = "b.jpg"
    none.photoPath = ""
    for (corrections, expected) in [
      ([], "a.jpg"), ([right], "b.jpg"), ([none, right], nil as String?), ([right, none], nil),
    ] {
      var centre = IncrementalCentre(try samplePlaces())
      centre.receive(upload)
      for correction in corrections { centre.correct(correction) }
      #expect(centre.records[1]?.content.photoPath == expected)
      let known = corrections.contains(right) ? ["a.jpg", "b.jpg"] : ["a.jpg"]
      #expect(centre.records[1]?.photoPaths == known)
    }
  }

  @Test func typePostAndTimeCanBeCorrected() throws {
    let upload = try sighting(0)
    var right = try correction(upload, at: 100)
    right.vehicleType = .bus
    right.post = try CheckpostCode("BNP-B")
    right.recordedAt = WallTime(milliseconds: (judgedMorning + 77) * 1_000 + 5)
    var centre = IncrementalCentre(try samplePlaces())
    centre.receive(upload)
    centre.correct(right)
    #expect(
      places(centre) == [
        ContentKey(
          post: try CheckpostCode("BNP-B"), plate: "BA1PA1234", second: judgedMorning + 77)
      ])
    #expect(centre.records[1]?.content.vehicleType == .bus)
    #expect(centre.records[1]?.content.recordedAt == right.recordedAt)
  }

  /// A violation belongs to its entry. When the entry is taken to another vehicle, which had an exit without
  /// an entry, its violation is changed, not made a second time.
  @Test func aCorrectionMovesAPassageBetweenTwoVehicles() throws {
    let entry = try sighting(0, plate: "BA1PA1")
    var centre = IncrementalCentre(try samplePlaces())
    centre.receive(entry)
    centre.receive(try sighting(1_000, "BNP-B", plate: "BA1PA1"))
    centre.receive(try sighting(6_000, "BNP-B", plate: "BA1PA2"))
    #expect(centre.pairs == [PassagePair(entry: 1, exit: 2)])
    #expect(centre.violations[1]?.finding.kind == .speeding)
    centre.correct(try correction(entry, at: 100, plate: "BA1PA2"))
    #expect(centre.pairs == [PassagePair(entry: 1, exit: 3)])
    #expect(centre.violations.count == 1)
    #expect(centre.violations[1]?.finding.kind == .overstay)
    #expect(centre.violations[1]?.finding.plate == "BA1PA2")
    #expect(centre.revisions.map(\.change) == [.made, .changed])
    #expect(centre.revisions.map(\.cause) == [.arrival, .correction])
    #expect(centre.revisions.last?.before?.plate == "BA1PA1")
  }

  /// Where it was the only passage of its vehicle, what was told of that vehicle is taken back.
  @Test func aCorrectionLeavesNothingBehind() throws {
    let entry = try sighting(0, plate: "BA1PA1")
    let exit = try sighting(1_000, "BNP-B", plate: "BA1PA1")
    var centre = IncrementalCentre(try samplePlaces())
    centre.receive(entry)
    centre.receive(exit)
    centre.correct(try correction(exit, at: 2_000, plate: "BA1PA2"))
    #expect(centre.pairs.isEmpty)
    #expect(centre.violations[1]?.isRetracted == true)
    #expect(Set(centre.waiting.keys) == [1, 2])
    centre.correct(try correction(exit, at: 3_000, plate: "BA1PA1"))
    #expect(centre.violations[1]?.isRetracted == false)
    #expect(centre.revisions.map(\.change) == [.made, .retracted, .renewed])
    #expect(centre.revisions.map(\.number) == [1, 2, 3])
    #expect(Set(centre.waiting.keys) == [])
  }
}
