public import CentralCore
import Passages
public import Time

/// What the driver is given of a violation: what was seen, what is allowed and what came of it, in the driver's
/// language. What could make it wrong and who could have forged it is for the person who decides, in ``EvidenceReport``.
public struct DriverSheet: Hashable, Sendable {
  /// One thing that is known.
  public typealias Fact = EvidenceReport.Fact

  /// A photograph of one end.
  public struct Photograph: Hashable, Sendable {
    /// Where it lies, as the passage names it; nil where none was taken.
    public var path: String?
    /// Of what it is: the post and the time.
    public var caption: String
  }

  /// The language of what it says.
  public var language: SheetLanguage
  /// What was broken.
  public var title: String
  /// What names the violation.
  public var identifier: String
  /// Its number in the list.
  public var number: Int64
  /// How it stands, in a sentence.
  public var standing: String
  /// Whether it does not stand any more.
  public var isRetracted: Bool
  /// The vehicle as its plate was written, the road, the travel and the rule.
  public var facts: [Fact]
  /// One of each end, in the order of the travel.
  public var photographs: [Photograph]

  /// Puts the evidence in the words of a language.
  ///
  /// - Parameter clock: By which times are told.
  public init(_ evidence: ViolationEvidence, in language: SheetLanguage, clock: LocalClock) {
    let standing = evidence.violation.violation
    let finding = standing.finding
    let writer = SheetWriter(language: language, clock: clock, evidence: evidence)
    self.language = language
    title = (finding.kind == .speeding ? SheetLabel.speeding : .overstay).words(language)
    identifier = evidence.violation.uuid.description
    number = finding.entry.row
    isRetracted = standing.isRetracted
    let how: SheetLabel =
      standing.isRetracted
      ? .retracted : standing.finality == .provisional ? .provisional : .final
    self.standing = how.words(language)
    facts = writer.facts(of: finding)
    photographs = [(finding.entry, evidence.entry), (finding.exit, evidence.exit)].map {
      end, passage in
      let path =
        passage.passage?.passage.photoPath
        ?? passage.records.lazy.compactMap(\.record.content.photoPath).first
      return Photograph(path: path, caption: writer.place(end))
    }
  }
}

/// Writes the facts of a sheet.
private struct SheetWriter {
  let language: SheetLanguage
  let clock: LocalClock
  let evidence: ViolationEvidence

  func facts(of finding: ViolationFinding) -> [DriverSheet.Fact] {
    var facts = [
      fact(.vehicle, plate(of: finding)),
      fact(.type, type(evidence.violation.vehicleType).words(language)),
      fact(.segment, segment(finding)),
      fact(.entry, end(finding.entry)),
      fact(.exit, end(finding.exit)),
      fact(.travel, duration(finding.seconds)),
    ]
    if let segment = evidence.segment,
      let speed = SpeedCheck.kilometresPerHour(travelSeconds: finding.seconds, on: segment)
    {
      let tenths = Int64((speed * 10).rounded())
      facts.append(
        fact(
          .averageSpeed,
          SheetLabel.kilometresPerHour.words(language, "\(tenths / 10).\(tenths % 10)")))
    }
    let isFast = finding.kind == .speeding
    facts.append(
      fact(
        .allowed,
        (isFast ? SheetLabel.atLeast : .atMost).words(language, duration(finding.limitSeconds))))
    if let segment = evidence.segment {
      let limit = isFast ? segment.maximumMetresPerHour : segment.minimumMetresPerHour
      let speed = SheetLabel.kilometresPerHour.words(language, EvidenceWords.thousandths(limit))
      facts.append(fact(.limit, (isFast ? SheetLabel.atMost : .atLeast).words(language, speed)))
    }
    let rangers = EvidenceWords(clock: clock).rangers(evidence)
    if !rangers.isEmpty { facts.append(fact(.recordedBy, rangers.joined(separator: ", "))) }
    if let outcome = evidence.violation.outcome { facts.append(fact(.outcome, words(outcome))) }
    return facts
  }

  private func fact(_ label: SheetLabel, _ value: String) -> DriverSheet.Fact {
    DriverSheet.Fact(label.words(language), value)
  }

  /// The plate as it was written, and beside it in Latin letters where that looks otherwise.
  private func plate(of finding: ViolationFinding) -> String {
    let passages = [evidence.entry.passage, evidence.exit.passage].compactMap { $0?.passage.plate }
    let plates = passages + evidence.records.flatMap { $0.record.observations.map(\.plate) }
    let own = plates.filter { $0.compact == finding.plate }
    let written = own.first { $0.raw != $0.compact } ?? own.first
    guard let written else { return finding.plate }
    guard written.raw != written.compact else { return written.display }
    return written.raw.filter { $0 != " " } == written.compact
      ? written.raw : "\(written.raw) (\(written.display))"
  }

  private func segment(_ finding: ViolationFinding) -> String {
    guard let segment = evidence.segment else { return finding.segment }
    let length = SheetLabel.kilometres.words(
      language, EvidenceWords.thousandths(segment.distanceMetres))
    return "\(finding.segment), \(length)"
  }

  private func end(_ end: ViolationFinding.End) -> String {
    guard end.latest != end.earliest else { return place(end) }
    let later = SheetLabel.writtenTwice.words(language, duration(end.spread))
    return "\(place(end)); \(later)"
  }

  func place(_ end: ViolationFinding.End) -> String {
    let post = evidence.postNames[end.post].map { "\($0) (\(end.post))" } ?? "\(end.post)"
    return "\(post), \(clock.whole(WallTime(epochSeconds: end.earliest)))"
  }

  private func duration(_ seconds: Int64) -> String {
    let parts: [(Int64, SheetLabel)] = [
      (seconds / 3_600, .hours), (seconds / 60 % 60, .minutes), (seconds % 60, .seconds),
    ]
    let shown = parts.filter { $0.0 > 0 }
    return (shown.isEmpty ? [(0, .seconds)] : shown).map { $1.words(language, $0) }
      .joined(separator: " ")
  }

  /// What came of it; the notes are for the person who decides.
  private func words(_ outcome: ViolationOutcome) -> String {
    let kind: SheetLabel =
      switch outcome.kind {
      case .warned: .warned
      case .fined: .fined
      case .letGo: .letGo
      case .notFound: .notFound
      case .other: .other
      }
    let fine = outcome.fineWords.map { " " + SheetLabel.rupees.words(language, $0) } ?? ""
    return SheetLabel.byWhom.words(language, kind.words(language) + fine)
      + " \(outcome.author), \(clock.whole(outcome.at))"
  }

  private func type(_ type: VehicleType) -> SheetLabel {
    switch type {
    case .car: .car
    case .jeepSUV: .jeepSUV
    case .minibus: .minibus
    case .bus: .bus
    case .truck: .truck
    case .tanker: .tanker
    case .motorcycle: .motorcycle
    case .autoRickshaw: .autoRickshaw
    case .tractor: .tractor
    case .other: .otherVehicle
    case .pickup: .pickup
    case .van: .van
    }
  }
}
