public import CentralCore
public import JSON
import Passages
import Time

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
    object["confirmed_at"] = violation.confirmedAt.map { .text($0.rfc3339) }
    object["confirmed_by"] = stored.confirmedBy.map { .text($0) }
    object["entry_passage"] = .text(stored.entry.description)
    object["exit_passage"] = .text(stored.exit.description)
    if let outcome = stored.outcome {
      object["outcome"] = .text(outcome.kind.rawValue)
      object["fine_amount"] = outcome.fine.map { .number(Double($0) / 100) }
      object["outcome_notes"] = outcome.notes.map { .text($0) }
      object["outcome_by"] = .text(outcome.author)
      object["outcome_at"] = .text(outcome.at.rfc3339)
    }
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
    object["segment"] = stored.segment.map { .text($0) }
    object["ending"] = alert.ending.map { .text($0.name) }
    object["ended_at"] = alert.endedAt.map { .text($0.rfc3339) }
    return object
  }

  /// All that a violation rests on.
  public static func object(_ evidence: ViolationEvidence) -> [String: JSONValue] {
    var object = object(evidence.violation)
    object["tolerance_seconds"] = .integer(1)
    if let segment = evidence.segment {
      object["distance_km"] = .number(Double(segment.distanceMetres) / 1_000)
      object["min_speed_kmh"] = .number(Double(segment.minimumMetresPerHour) / 1_000)
      object["max_speed_kmh"] = .number(Double(segment.maximumMetresPerHour) / 1_000)
      object["speed_kmh"] = SpeedCheck.kilometresPerHour(
        travelSeconds: evidence.violation.violation.finding.seconds, on: segment
      ).map { .number($0) }
    }
    object["entry"] = .object(JudgingFields.object(evidence.entry))
    object["exit"] = .object(JudgingFields.object(evidence.exit))
    object["revisions"] = .list(evidence.revisions.map { .object(revision($0)) })
    object["history"] = .list(evidence.notes.map { .object(note($0)) })
    return object
  }

  private static func revision(_ revision: ViolationRevision) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "revision": .integer(revision.number), "change": .text(revision.change.rawValue),
      "cause": .text(revision.cause.rawValue), "at": .text(revision.at.rfc3339),
      "was_final": .text(revision.wasFinal.rawValue),
    ]
    object["before"] = revision.before.map { .object(finding($0)) }
    object["after"] = revision.after.map { .object(finding($0)) }
    return object
  }

  private static func note(_ note: ViolationNote) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "what": .text(note.kind.rawValue), "at": .text(note.at.rfc3339),
      "revision": .integer(note.revision),
    ]
    object["by"] = note.author.map { .text($0) }
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
    object["ranger"] = observation.ranger.map { .text($0) }
    object["photo_path"] = observation.photoPath.map { .text($0) }
    object["inbox_id"] = report.origin.inboxID.map { .integer($0) }
    object["from"] = report.sender.map { .text($0) }
    object["provider"] = report.provider.map { .text($0) }
    object["ranger_name"] = report.ranger.map { .text($0) }
    if !report.warnings.isEmpty {
      object["warnings"] = .list(report.warnings.map { .text($0.rawValue) })
    }
    return object
  }

  private static func correction(_ correction: ReceivedCorrection) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "client_id": .text(correction.clientID.description),
      "made_at": .text(correction.madeAt.rfc3339),
    ]
    object["plate"] = correction.plate.map { .text($0.raw) }
    object["vehicle_type"] = correction.vehicleType.map { .text($0.rawValue) }
    object["checkpost"] = correction.post.map { .text($0.code) }
    object["recorded_at"] = correction.recordedAt.map { .text($0.rfc3339) }
    object["photo_path"] = correction.photoPath.map { .text($0) }
    object["author"] = correction.author.map { .text($0) }
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
