public import JSON
public import NodeCore
import Passages
import Time

/// Passages of a queue page by page.
public enum QueuePages {
  /// Calls `body` for each that is meant, oldest first, up to so many.
  public static func forEach(
    _ store: any NodeStore, _ query: QueueQuery, limit: Int, _ body: (QueueItem) throws -> Void
  ) throws {
    var query = query
    var left = limit
    while left > 0 {
      let page = try store.list(query)
      guard let last = page.last else { return }
      for item in page.prefix(left) { try body(item) }
      left -= page.count
      query.afterID = last.queueID
    }
  }

  /// The newest of those that are meant, up to so many, the newest last.
  public static func newest(
    _ store: any NodeStore, _ query: QueueQuery, limit: Int,
    where isMeant: (QueueItem) -> Bool = { _ in true }
  ) throws -> [QueueItem] {
    var query = query
    query.beforeID = query.beforeID ?? .max
    var found: [QueueItem] = []
    while found.count < limit {
      let page = try store.list(query)
      guard let last = page.last else { break }
      found += page.filter(isMeant).prefix(limit - found.count)
      query.beforeID = last.queueID
    }
    return found.reversed()
  }
}

/// Passages of the queue and their texts as JSON and in words.
public enum QueueFields {
  /// How its text stands: `sent`, `undelivered`, `undated`, `waiting`, `unknown` or `-`.
  public static func text(_ item: QueueItem) -> String {
    if item.isTexted { return item.isUndelivered ? "undelivered" : "sent" }
    if item.passage.isUndated { return "undated" }
    return item.textDue != nil ? "waiting" : item.textAttempts > 0 ? "unknown" : "-"
  }

  /// A passage as JSON.
  ///
  /// - Parameters:
  ///   - states: what the configuration says of when a passage is done.
  ///   - now: now, by the clocks of its store; nil where it is not told when its text is due.
  public static func object(
    _ item: QueueItem, _ states: PassageStates, at now: Moment? = nil
  ) -> [String: JSONValue] {
    let passage = item.passage
    let reason = states.reason(of: item)
    var object: [String: JSONValue] = [
      "queue_id": .integer(item.queueID), "client_id": .text(passage.clientID.description),
      "plate": .text(passage.plate.display),
      "plate_number": .text(passage.plate.compact), "plate_number_raw": .text(passage.plate.raw),
      "vehicle_type": .text(passage.vehicleType.rawValue),
      "checkpost": .text(passage.checkpost.code),
      "recorded_at": .text(passage.recordedAt.rfc3339),
      "ranger_phone_suffix": .text(passage.suffix.digits), "status": .text(item.status.rawValue),
      "attempts": .integer(Int64(item.attempts)), "texted": .flag(item.isTexted),
      "text": .text(text(item)), "created_at": .text(item.createdAt.rfc3339),
      "v1": .text(passage.v1Body), "priority": .integer(Int64(item.priority)),
      "state": .text(reason.state.rawValue), "state_reason": .text(reason.rawValue),
      "upload_attempts": .integer(Int64(item.attempts)),
      "text_attempts": .integer(Int64(item.textAttempts)),
      "text_refusals": .integer(Int64(item.refusals)),
    ]
    object["remedy"] = remedy(reason, of: item).map { .text($0) }
    object["on_hold_reason"] = item.onHoldReason.map { .text($0) }
    object["withdrawn_at"] = item.withdrawnAt.map { .text($0.rfc3339) }
    object["withdrawn_reason"] = item.withdrawnReason.map { .text($0) }
    object["corrects"] = item.corrects.map { .integer($0) }
    object["synced_at"] = item.syncedAt.map { .text($0.rfc3339) }
    if let now, let due = item.textDue {
      object["text_due_at"] = .text(now.wall(at: due).rfc3339)
    }
    object["handed_on_at"] = item.handedOnAt.map { .text($0.rfc3339) }
    object["content_client_id"] = passage.contentClientID.map { .text($0.description) }
    object["segment"] = passage.segment.map { .text($0) }
    object["ranger"] = passage.ranger.map { .text($0) }
    object["photo_path"] = passage.photoPath.map { .text($0) }
    object["clock_source"] = item.clockSource.map { .text($0.rawValue) }
    object["clock_skew_seconds"] = item.clockSkewSeconds.map { .integer($0) }
    object["last_error"] = item.lastError.map { .text($0) }
    if item.isOutdated { object["outdated"] = .flag(true) }
    if passage.isUndated { object["undated"] = .flag(true) }
    object["parked_reason"] = item.parkedReason.map { .text($0) }
    return object
  }

  /// By which command a person moves what nothing else moves; nil where nobody has to.
  static func remedy(_ reason: PassageReason, of item: QueueItem) -> String? {
    let number = item.queueID
    return switch reason {
    case .parked, .outdated, .notTexted: "checkpost queue retry \(number)"
    case .undelivered, .textUnknown: "checkpost queue retry \(number)"
    case .refused: "checkpost queue retry \(number)"
    case .photoRefused: "checkpost queue retry \(number) --photo"
    case .correctionRefused, .withdrawalRefused: "checkpost queue retry \(number) --correction"
    case .conflict: "checkpost queue conflicts \(number) --resolve client_wins"
    case .undated: "checkpost queue date \(number) --at TIME"
    case .waitsForServer where item.passage.isUndated: "checkpost queue date \(number) --at TIME"
    default: nil
    }
  }

  /// What an upload is, in a word for people.
  static func name(of upload: UploadRecord) -> String {
    switch upload.kind {
    case .passage: "passage"
    case .photo: "photograph"
    case .correction: upload.withdrawal == nil ? "correction" : "withdrawal"
    }
  }

  /// Where something stands on its way to the server, as JSON.
  static func object(
    _ upload: UploadRecord, of item: QueueItem, at moment: Moment
  ) -> [String: JSONValue] {
    let isStuck = upload.status == .failed && upload.isPermanent
    var object: [String: JSONValue] = [
      "kind": .text(upload.withdrawal == nil ? upload.kind.rawValue : "withdrawal"),
      "status": .text(upload.status.rawValue), "stuck": .flag(isStuck),
      "attempts": .integer(Int64(upload.attempts)),
    ]
    object["last_attempt_at"] = upload.lastAttemptAt.map { .text($0.rfc3339) }
    object["last_error"] = upload.lastError.map { .text($0) }
    object["next_at"] = upload.next.map { .text(moment.wall(at: $0).rfc3339) }
    object["synced_at"] = upload.syncedAt.map { .text($0.rfc3339) }
    if let correction = upload.correction {
      object["old_plate"] = .text(item.passage.plate.display)
      object["new_plate"] = .text(correction.plate.display)
      if let type = correction.vehicleType {
        object["old_vehicle_type"] = .text(item.passage.vehicleType.rawValue)
        object["new_vehicle_type"] = .text(type.rawValue)
      }
    }
    object["reason"] = upload.withdrawal.map { .text($0) }
    object["bytes"] = upload.photo.map { .integer(Int64($0.count)) }
    return object
  }

  /// Where a passage stands on its way to one who gets it as a text, as JSON.
  ///
  /// - Parameter moment: now, by the clocks of its store.
  public static func object(
    _ delivery: TextDeliveryRecord, at moment: Moment
  ) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "to": .text(delivery.recipient.name), "state": .text(delivery.state.rawValue),
      "text_attempts": .integer(Int64(delivery.attempts)),
      "text_refusals": .integer(Int64(delivery.refusals)),
    ]
    object["next_text_at"] = delivery.due.map { .text(moment.wall(at: $0).rfc3339) }
    object["parked_reason"] = delivery.parkedReason.map { .text($0) }
    object["last_error"] = delivery.lastError.map { .text($0) }
    return object
  }

  /// A text as JSON.
  public static func object(_ text: TextRecord) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "text_id": .integer(text.id), "recipient": .text(text.recipient), "body": .text(text.body),
      "begun_at": .text(text.begunAt.rfc3339), "outcome": .text(text.outcome),
      "message_references": .list(text.references.map { .integer(Int64($0)) }),
    ]
    object["to"] = text.to.map { .text($0.name) }
    object["outcome_at"] = text.outcomeAt.map { .text($0.rfc3339) }
    if text.isHeartbeat { object["heartbeat"] = .flag(true) }
    object["error"] = text.error.map { .text($0) }
    object["settled_by"] = text.settledBy.map { .text($0.rawValue) }
    object["modem"] = text.modemName.map { .text($0) }
    // Of what may be on air, that nothing was reported is told too.
    if let delivery = text.delivery {
      object["delivery"] = .text(delivery.rawValue)
    } else if ["accepted", "unknown"].contains(text.outcome) {
      object["delivery"] = "unknown"
    }
    return object
  }
}
