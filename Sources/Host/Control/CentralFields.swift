public import CentralCore
import GSM
public import JSON
import Passages
import Time

extension JSONValue {
  /// A text; null where there is none.
  init(text: String?) {
    self = text.map { .text($0) } ?? .null
  }
}

/// Central's things as JSON.
public enum CentralFields {
  /// A passage that arrived.
  public static func object(_ stored: StoredPassage) -> [String: JSONValue] {
    let passage = stored.passage
    var object: [String: JSONValue] = [
      "client_id": .text(passage.clientID.description),
      "plate_number": .text(passage.plate.compact),
      "plate_display": .text(passage.plate.display),
      "vehicle_type": .text(passage.vehicleType.rawValue),
      "checkpost": .text(passage.checkpost.code),
      "recorded_at": .text(passage.recordedAt.rfc3339),
      "ranger_phone_suffix": .text(passage.suffix.digits),
      "source": .text(passage.source.rawValue), "inserted_at": .text(stored.insertedAt.rfc3339),
    ]
    object["segment"] = JSONValue(text: passage.segment)
    object["ranger"] = JSONValue(text: passage.ranger)
    object["row"] = .integer(stored.id)
    object["passage"] = .text(stored.uuid.description)
    object["channels"] = .list(stored.channels.map { .text($0.rawValue) })
    object["proven"] = .flag(stored.isProven)
    object["first_received_at"] = .text(stored.firstReceivedAt.rfc3339)
    object["corrected"] = .flag(stored.isCorrected)
    object["withdrawn_reason"] = stored.withdrawal.map { .text($0) }
    object["contradictions"] = .list(stored.contradictions.map { .text($0.rawValue) })
    object["partner_row"] = stored.partner.map { .integer($0.row) } ?? .null
    object["is_entry"] = stored.partner.map { .flag($0.isExit) } ?? .null
    return object
  }

  /// The text of a message, also of one that came as a PDU; nil when it has none.
  public static func text(_ item: InboxItem) -> String? {
    guard item.isPDU else { return item.body }
    return ReceivedPDU(hex: item.body).message?.userData.text
  }

  /// A message of the inbox with what names it at its provider.
  public static func object(_ message: ArchivedMessage) -> [String: JSONValue] {
    var object = object(message.item)
    object["provider_id"] = .text(message.providerID)
    object["to"] = JSONValue(text: message.to)
    return object
  }

  /// A message as it was written so; nil where something of it is missing.
  public static func message(_ value: JSONValue) -> ArchivedMessage? {
    guard let provider = value["provider"]?.text, let id = value["provider_id"]?.text,
      let received = value["received_at"]?.text.flatMap({ WallTime(rfc3339: $0) }),
      let body = value["pdu"]?.text ?? value["body"]?.text
    else { return nil }
    return ArchivedMessage(
      InboxItem(
        id: value["id"]?.integer ?? 0, provider: provider, from: value["from"]?.text ?? "",
        body: body, isPDU: value["pdu"]?.text != nil, receivedAt: received),
      providerID: id, to: value["to"]?.text)
  }

  /// A message of the inbox.
  public static func object(_ item: InboxItem) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "id": .integer(item.id), "provider": .text(item.provider), "from": .text(item.from),
      item.isPDU ? "pdu" : "body": .text(item.body),
      "received_at": .text(item.receivedAt.rfc3339), "state": .text(item.state.rawValue),
      "times_received": .integer(Int64(item.timesReceived)),
    ]
    if item.isPDU { object["body"] = JSONValue(text: text(item)) }
    object["error"] = JSONValue(text: item.reason)
    object["message"] = JSONValue(text: item.words)
    object["client_id"] = JSONValue(text: item.clientID)
    object["warnings"] = .list(item.warnings.map { .text($0.rawValue) })
    object["dismissed_at"] = JSONValue(text: item.dismissal?.at.rfc3339)
    object["dismissed_by"] = JSONValue(text: item.dismissal?.author)
    return object
  }
}
