public import JSON
public import NodeCore
import Passages
import Time

/// Passages of a queue page by page.
public enum QueuePages {
  /// Calls `body` for each that is meant, up to so many.
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
}

/// Passages of the queue and their texts as JSON and in words.
public enum QueueFields {
  /// How it stands, for a table.
  public static func status(_ item: QueueItem) -> String {
    item.parkedReason == nil ? item.status.rawValue : "\(item.status.rawValue), parked"
  }

  /// How its text stands, for a table.
  public static func text(_ item: QueueItem) -> String {
    if item.isTexted { return item.isUndelivered ? "undelivered" : "sent" }
    if item.passage.isUndated { return "undated" }
    return item.textDue != nil ? "waiting" : item.textAttempts > 0 ? "unknown" : "-"
  }

  /// A passage as JSON.
  public static func object(_ item: QueueItem) -> [String: JSONValue] {
    let passage = item.passage
    var object: [String: JSONValue] = [
      "queue_id": .integer(item.queueID), "client_id": .text(passage.clientID.description),
      "plate_number": .text(passage.plate.compact), "plate_number_raw": .text(passage.plate.raw),
      "vehicle_type": .text(passage.vehicleType.rawValue),
      "checkpost": .text(passage.checkpost.code),
      "recorded_at": .text(passage.recordedAt.rfc3339),
      "ranger_phone_suffix": .text(passage.suffix.digits), "status": .text(item.status.rawValue),
      "attempts": .integer(Int64(item.attempts)), "texted": .flag(item.isTexted),
      "text": .text(text(item)), "created_at": .text(item.createdAt.rfc3339),
      "v1": .text(passage.v1Body), "priority": .integer(Int64(item.priority)),
    ]
    object["content_client_id"] = passage.contentClientID.map { .text($0.description) }
    object["segment"] = passage.segment.map { .text($0) }
    object["ranger"] = passage.ranger.map { .text($0) }
    object["photo_path"] = passage.photoPath.map { .text($0) }
    object["last_error"] = item.lastError.map { .text($0) }
    if item.isOutdated { object["outdated"] = .flag(true) }
    if passage.isUndated { object["undated"] = .flag(true) }
    object["parked_reason"] = item.parkedReason.map { .text($0) }
    return object
  }

  /// A text as JSON.
  public static func object(_ text: TextRecord) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "text_id": .integer(text.id), "recipient": .text(text.recipient), "body": .text(text.body),
      "begun_at": .text(text.begunAt.rfc3339), "outcome": .text(text.outcome),
      "message_references": .list(text.references.map { .integer(Int64($0)) }),
    ]
    object["outcome_at"] = text.outcomeAt.map { .text($0.rfc3339) }
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
