public import CentralCore
public import JSON
import Passages
import Time

extension JSONValue {
  /// A number; null where there is none.
  fileprivate init(number: Double?) {
    self = number.map { .number($0) } ?? .null
  }
}

/// What central judged, as JSON.
public enum JudgingFields {
  /// A violation, in one line of a list.
  public static func object(_ stored: StoredViolation) -> [String: JSONValue] {
    let violation = stored.violation
    var object = finding(violation.finding)
    object["violation"] = .text(stored.uuid.description)
    object["number"] = .integer(violation.finding.entry.row)
    object["vehicle_type"] = .text(stored.vehicleType.rawValue)
    object["standing"] = .text(violation.isRetracted ? "retracted" : "standing")
    object["finality"] = .text(violation.finality.rawValue)
    object["since"] = .text(violation.since.rfc3339)
    object["revision"] = .integer(violation.revision)
    object["confirmed_at"] = JSONValue(text: violation.confirmedAt?.rfc3339)
    object["confirmed_by"] = JSONValue(text: stored.confirmedBy)
    object["changed_final_at"] = JSONValue(text: violation.changedFinalAt?.rfc3339)
    object["entry_passage"] = .text(stored.entry.description)
    object["exit_passage"] = .text(stored.exit.description)
    let outcome = stored.outcome
    object["outcome"] = JSONValue(text: outcome?.kind.rawValue)
    object["fine_amount"] = JSONValue(number: outcome?.fine.map { Double($0) / 100 })
    object["outcome_notes"] = JSONValue(text: outcome?.notes)
    object["outcome_by"] = JSONValue(text: outcome?.author)
    object["outcome_at"] = JSONValue(text: outcome?.at.rfc3339)
    return object
  }

  /// What was found.
  static func finding(_ finding: ViolationFinding) -> [String: JSONValue] {
    [
      "kind": .text(finding.kind.rawValue), "plate_number": .text(finding.plate),
      "plate_display": .text(display(finding.plate)), "segment": .text(finding.segment),
      "entry_post": .text(finding.entry.post.code),
      "entry_at": .text(WallTime(epochSeconds: finding.entry.earliest).rfc3339),
      "exit_post": .text(finding.exit.post.code),
      "exit_at": .text(WallTime(epochSeconds: finding.exit.latest).rfc3339),
      "seconds": .integer(finding.seconds), "limit_seconds": .integer(finding.limitSeconds),
      "is_far": .flag(finding.isFar),
      "doubts": .list(finding.doubts.map { .text($0.rawValue) }),
    ]
  }

  static func display(_ plate: String) -> String {
    (try? Plate(plate))?.display ?? plate
  }

  /// An alert.
  public static func object(_ stored: StoredAlert) -> [String: JSONValue] {
    let alert = stored.alert
    let entry = alert.entry
    var object: [String: JSONValue] = [
      "alert": .text(stored.uuid.description), "number": .integer(entry.row),
      "plate_number": .text(entry.place.plate), "plate_display": .text(display(entry.place.plate)),
      "vehicle_type": .text(stored.vehicleType.rawValue),
      "entry_post": .text(entry.place.post.code),
      "entry_at": .text(WallTime(epochSeconds: entry.place.second).rfc3339),
      "exit_post": .text(entry.opposite.code),
      "due_at": .text(WallTime(epochSeconds: entry.dueAt).rfc3339),
      "expires_at": .text(WallTime(epochSeconds: entry.expiresAt).rfc3339),
      "raised_at": .text(alert.raisedAt.rfc3339), "unheard": .flag(alert.isUnheard),
      "entry_passage": .text(stored.entry.description),
    ]
    object["segment"] = JSONValue(text: stored.segment)
    object["ending"] = JSONValue(text: alert.ending?.name)
    object["ended_at"] = JSONValue(text: alert.endedAt?.rfc3339)
    return object
  }

  /// All that a violation rests on.
  public static func object(_ evidence: ViolationEvidence) -> [String: JSONValue] {
    var object = object(evidence.violation)
    object["tolerance_seconds"] = .integer(1)
    let segment = evidence.segment
    object["distance_km"] = thousandth(segment?.distanceMetres)
    object["min_speed_kmh"] = thousandth(segment?.minimumMetresPerHour)
    object["max_speed_kmh"] = thousandth(segment?.maximumMetresPerHour)
    object["speed_kmh"] = JSONValue(
      number: segment.flatMap { segment in
        SpeedCheck.kilometresPerHour(
          travelSeconds: evidence.violation.violation.finding.seconds, on: segment)
      })
    object["entry"] = .object(JudgingFields.object(evidence.entry))
    object["exit"] = .object(JudgingFields.object(evidence.exit))
    object["revisions"] = .list(
      evidence.revisions.map { .object(revision($0, evidence)) })
    object["contradicting_texts"] = .list(evidence.contradicting.map { .integer($0) })
    object["history"] = .list(evidence.notes.map { .object(note($0)) })
    return object
  }

  private static func thousandth(_ value: Int64?) -> JSONValue {
    JSONValue(number: value.map { Double($0) / 1_000 })
  }

  private static func revision(
    _ revision: ViolationRevision, _ evidence: ViolationEvidence
  ) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "revision": .integer(revision.number), "change": .text(revision.change.rawValue),
      "cause": .text(revision.cause.rawValue), "at": .text(revision.at.rfc3339),
      "was_final": .text(revision.wasFinal.rawValue),
    ]
    object["caused_by"] = .list(
      evidence.origins(of: revision).compactMap(\.record.identities.first)
        .map { .text($0.description) })
    object["before"] = revision.before.map { JSONValue.object(finding($0)) } ?? .null
    object["after"] = revision.after.map { JSONValue.object(finding($0)) } ?? .null
    return object
  }

  private static func note(_ note: ViolationNote) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "what": .text(note.kind.rawValue), "at": .text(note.at.rfc3339),
      "revision": .integer(note.revision),
    ]
    object["by"] = JSONValue(text: note.author)
    return object
  }

  /// All that is known of a passage, as it came.
  public static func object(_ evidence: PassageEvidence) -> [String: JSONValue] {
    var object = evidence.passage.map { CentralFields.object($0) } ?? [:]
    object["records"] = .list(evidence.records.map { .object(record($0)) })
    return object
  }

  private static func record(_ evidence: RecordEvidence) -> [String: JSONValue] {
    let record = evidence.record
    return [
      "record": .integer(record.number), "times_reported": .integer(evidence.times),
      "last_reported_at": .text(evidence.lastAt.rfc3339),
      "reports": .list(evidence.reports.map { .object(report($0)) }),
      "corrections": .list(record.corrections.map { .object(correction($0)) }),
    ]
  }

  private static func report(_ report: RecordEvidence.Report) -> [String: JSONValue] {
    let observation = report.observation
    var object: [String: JSONValue] = [
      "client_id": .text(observation.clientID.description),
      "checkpost": .text(observation.post.code), "plate": .text(observation.plate.raw),
      "vehicle_type": .text(observation.vehicleType.rawValue),
      "recorded_at": .text(observation.recordedAt.rfc3339),
      "ranger_phone_suffix": .text(observation.suffix.digits),
      "channel": .text(observation.channel.rawValue), "proven": .flag(observation.isProven),
      "received_at": .text(observation.receivedAt.rfc3339),
      "clock": .text(observation.clock.name),
      "clock_seconds": observation.clock.seconds.map { .integer($0) } ?? .null,
    ]
    object["ranger"] = JSONValue(text: observation.ranger)
    object["photo_path"] = JSONValue(text: observation.photoPath)
    object["inbox_id"] = report.origin.inboxID.map { JSONValue.integer($0) } ?? .null
    object["from"] = JSONValue(text: report.sender)
    object["provider"] = JSONValue(text: report.provider)
    object["ranger_name"] = JSONValue(text: report.ranger)
    object["warnings"] = .list(report.warnings.map { .text($0.rawValue) })
    return object
  }

  private static func correction(_ correction: ReceivedCorrection) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "client_id": .text(correction.clientID.description),
      "made_at": .text(correction.madeAt.rfc3339),
    ]
    object["plate"] = JSONValue(text: correction.plate?.raw)
    object["vehicle_type"] = JSONValue(text: correction.vehicleType?.rawValue)
    object["checkpost"] = JSONValue(text: correction.post?.code)
    object["recorded_at"] = JSONValue(text: correction.recordedAt?.rfc3339)
    object["photo_path"] = JSONValue(text: correction.photoPath)
    object["author"] = JSONValue(text: correction.author)
    return object
  }
}

extension OverdueAlert.Ending {
  /// A name that stays.
  public var name: String {
    switch self {
    case .left: "left"
    case .seenAgain: "seen_again"
    case .withdrawn: "withdrawn"
    case .expired: "expired"
    }
  }
}

extension ClockQuality {
  /// What is known of a clock, by a name that stays.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .within: "within"
    case .unset: "unset"
    }
  }

  /// The seconds by which it may be wrong, where that was told.
  public var seconds: Int64? {
    if case .within(let seconds) = self { Int64(seconds) } else { nil }
  }
}
