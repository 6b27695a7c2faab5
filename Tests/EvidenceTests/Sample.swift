import CentralCore
import Evidence
import Passages
import Time

/// A violation of which one end came by text alone and the other by two rangers, with a correction.
struct Sample {
  let entryAt: Int64 = 1_709_120_000
  var kind = ViolationFinding.Kind.speeding
  var plate = "BA 1 PA 1234"
  var entryChannel = Observation.Channel.text
  var isEntryProven = false
  var isRetracted = false
  var finality = Finality.provisional
  /// When Maya confirmed it.
  var confirmedAt: WallTime?
  var clock = ClockQuality.unknown
  var textRanger: String?
  var warnings: [IntakeWarning] = []
  var notes: [ViolationNote] = []
  var outcome: ViolationOutcome?
  var postNames: [String: String] = [:]
  /// Whether another doubt came after it was found.
  var hasSecondRevision = false

  func observation(
    _ post: String, _ second: Int64, _ channel: Observation.Channel, isProven: Bool,
    ranger: String? = nil
  ) throws -> Observation {
    let message = try V1Message.decode(
      "V1|\(post)|\(try Plate(plate).compact)|CAR|\(second)|4567", window: nil)
    var observation = Observation(
      of: Passage(received: message, segment: "Banepa", ranger: ranger), channel: channel,
      isProven: isProven, receivedAt: WallTime(epochSeconds: second + 400), clock: clock)
    observation.plate = try Plate(plate)
    return observation
  }

  func record(
    _ number: Int64, _ observation: Observation, sender: String? = nil, times: Int64 = 1
  ) throws -> RecordEvidence {
    var record = PassageRecord(number: number, first: observation)
    if number == 2 {
      var correction = ReceivedCorrection(
        of: observation.clientID, madeAt: WallTime(epochSeconds: entryAt + 900), author: "Hari")
      correction.vehicleType = .bus
      _ = record.add(correction)
    }
    let at = observation.receivedAt
    return RecordEvidence(
      record: record,
      reports: [
        .init(
          observation, origin: PassageArrival.Origin(inboxID: sender.map { _ in 7 }),
          sender: sender,
          provider: sender.map { _ in "modem" }, insertedAt: at,
          ranger: sender == nil ? nil : textRanger, warnings: sender == nil ? [] : warnings)
      ], times: times, lastAt: at)
  }

  func evidence() throws -> ViolationEvidence {
    let (a, b) = (try CheckpostCode("BNP-A"), try CheckpostCode("BNP-B"))
    let finding = ViolationFinding(
      kind: kind, plate: try Plate(plate).compact, segment: "Banepa",
      entry: .init(row: 1, post: a, earliest: entryAt, latest: entryAt),
      exit: .init(row: 2, post: b, earliest: entryAt + 1_000, latest: entryAt + 1_020),
      seconds: 1_020,
      limitSeconds: 1_800, isFar: false, doubts: [.byTextAlone])
    let standing = StandingViolation(
      finding, isRetracted: isRetracted, since: WallTime(epochSeconds: entryAt + 1_500),
      finality: finality, confirmedAt: confirmedAt, revision: 1)
    let entry = try observation(
      "BNP-A", entryAt, entryChannel, isProven: isEntryProven)
    let exits = [
      try observation("BNP-B", entryAt + 1_000, .upload, isProven: true, ranger: "Gita"),
      try observation("BNP-B", entryAt + 1_020, .upload, isProven: true, ranger: "Hari"),
    ]
    return ViolationEvidence(
      violation: StoredViolation(
        uuid: .derived(kind: "violation", name: "sample"), violation: standing,
        entry: entry.clientID,
        exit: exits[0].clientID, vehicleType: .car,
        confirmedBy: confirmedAt.map { _ in "Maya" }, outcome: outcome),
      revisions: try revisions(finding), notes: notes,
      segment: try Segment(
        name: "Banepa", distanceKilometres: 30.25, minimumKilometresPerHour: 20,
        maximumKilometresPerHour: 60),
      entry: PassageEvidence(
        passage: nil, records: [try record(1, entry, sender: "+9779801000001", times: 3)]),
      exit: PassageEvidence(
        passage: nil, records: try exits.enumerated().map { try record(Int64($0 + 2), $1) }),
      postNames: try Dictionary(
        uniqueKeysWithValues: postNames.map { (try CheckpostCode($0.key), $0.value) }))
  }

  private func revisions(_ finding: ViolationFinding) throws -> [ViolationRevision] {
    let made = ViolationRevision(
      entry: 1, number: 1, change: .made, cause: .arrival,
      at: WallTime(epochSeconds: entryAt + 1_500), before: nil, after: finding,
      wasFinal: .provisional)
    guard hasSecondRevision else { return [made] }
    var later = finding
    later.doubts = []
    return [
      made,
      ViolationRevision(
        entry: 1, number: 2, change: .changed, cause: .arrival,
        at: WallTime(epochSeconds: entryAt + 1_600), before: finding, after: later,
        wasFinal: .provisional),
    ]
  }

  func report(_ clock: LocalClock = .utc) throws -> EvidenceReport {
    EvidenceReport(try evidence(), clock: clock)
  }
}
