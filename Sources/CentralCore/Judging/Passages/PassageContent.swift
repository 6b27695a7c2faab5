public import Passages
public import Time

/// What is known of a passage from all that came of it. What came later adds to it and never takes
/// anything away; where two say different things the one that is better founded counts, and it is flagged.
public struct PassageContent: Hashable, Sendable {
  /// What two reports of one passage may differ in.
  public enum Contradiction: String, CaseIterable, Hashable, Sendable, Codable {
    /// The kind of vehicle.
    case vehicleType = "vehicle_type"
    /// The photograph.
    case photo
    /// Another passage came under one of its identities.
    case identity
    /// It was recorded at another post, and somebody moved it.
    case post
  }

  /// The plate, compact.
  public var plate: String
  /// The plate as it was read or typed, in the form that says most.
  public var rawPlate: String
  /// What kind of vehicle it is; `other` where no report says more.
  public var vehicleType: VehicleType
  /// When it passed, to the millisecond where a report says that.
  public var recordedAt: WallTime
  /// Who recorded it, as far as known, the best founded first.
  public var rangers: [String] = []
  /// Where its photograph lies.
  public var photoPath: String?
  /// How it came, each channel once.
  public var channels: [Observation.Channel] = []
  /// Whether it is proven of one report who sent it.
  public var isProven = false
  /// How wrong the clock may have been; nil where nobody says.
  public var clockSeconds: Int64?
  /// When the first report came.
  public var firstReceivedAt: WallTime
  /// Whether something of it was corrected.
  public var isCorrected = false
  /// Why it was withdrawn; nil where nobody did that.
  public var withdrawal: String?
  /// What reports of it differ in.
  public var contradictions: [Contradiction] = []

  /// Whether it rests on nothing but texts of which nobody knows who sent them.
  public var isTextAlone: Bool { !isProven && channels == [.text] }

  /// What records that are one passage say together; there is at least one, in the order of
  /// ``RecognisedPassage/records``.
  init(of records: [PassageRecord]) {
    let first = records[0]
    let observations = records.flatMap(\.observations).sorted { $0.goesBefore($1) }
    let corrections = records.flatMap(\.corrections).sorted { $0.isBefore($1) }
    let best = first.observations[0]

    plate = first.place.plate
    let spoken = observations.first { $0.plate.compact == first.place.plate && $0.isSpelled }
    rawPlate =
      corrections.last { $0.plate != nil }?.plate?.raw ?? spoken?.plate.raw ?? first.place.plate
    recordedAt = first.corrections.last { $0.recordedAt != nil }?.recordedAt ?? best.recordedAt
    firstReceivedAt = observations.map(\.receivedAt).min() ?? best.receivedAt
    isProven = observations.contains(where: \.isProven)
    isCorrected = !corrections.isEmpty
    withdrawal = corrections.last { $0.withdrawal != nil }?.withdrawal
    channels = Observation.Channel.allCases.filter { channel in
      observations.contains { $0.channel == channel }
    }

    let types = PassageContent.distinct(observations.map(\.vehicleType).filter { $0 != .other })
    vehicleType = corrections.last { $0.vehicleType != nil }?.vehicleType ?? types.first ?? .other
    rangers = PassageContent.distinct(observations.compactMap(\.ranger))
    let photos = PassageContent.distinct(observations.compactMap(\.photoPath))
    let right = corrections.last { $0.photoPath != nil }?.photoPath
    photoPath = right.map { $0.isEmpty ? nil : $0 } ?? photos.first
    clockSeconds = observations.founded.compactMap(\.clockSeconds).min()

    if types.count > 1 { contradictions.append(.vehicleType) }
    if photos.count > records.count { contradictions.append(.photo) }
    if records.contains(where: \.isContradicted) { contradictions.append(.identity) }
    if records.contains(where: \.isMoved) { contradictions.append(.post) }
  }

  private static func distinct<Value: Equatable>(_ values: [Value]) -> [Value] {
    var distinct: [Value] = []
    for value in values where !distinct.contains(value) { distinct.append(value) }
    return distinct
  }
}

extension Observation {
  /// Whether the plate is written with more than its compact form.
  fileprivate var isSpelled: Bool { plate.raw != plate.compact }

  fileprivate var clockSeconds: Int64? {
    if case .within(let seconds) = clock { seconds } else { nil }
  }
}
