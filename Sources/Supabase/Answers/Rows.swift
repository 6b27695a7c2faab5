import JSON
import NodeCore
import Passages
import Time

/// A passage as the server tells it.
enum StoredRow {
  static let columns =
    "id,client_id,checkpost_id,plate_number,vehicle_type,recorded_at,matched_passage_id,photo_path"

  static func passage(_ row: JSONValue) -> StoredOnServer? {
    guard let serverID = row["id"]?.text, let clientID = row["client_id"]?.text,
      let checkpostID = row["checkpost_id"]?.text, let plate = row["plate_number"]?.text,
      let recordedAt = row["recorded_at"]?.text.flatMap({ WallTime(rfc3339: $0) })
    else { return nil }
    return StoredOnServer(
      serverID: serverID, clientID: clientID, checkpostID: checkpostID, plate: plate,
      vehicleType: row["vehicle_type"]?.text, recordedAt: recordedAt,
      matchedID: row["matched_passage_id"]?.text, photoPath: row["photo_path"]?.text)
  }
}

/// A passage of the opposite post as the server tells it.
enum RemoteRow {
  static let columns = "id,client_id,plate_number,vehicle_type,recorded_at,checkposts(code)"
  /// The post of the passage that it is paired with, where that may be one of a third post.
  static let partner = ",partner:matched_passage_id(checkpost_id)"

  /// A page of rows. A row that cannot be read (a plate of other letters) is left out, and counted; so is one that
  /// ended a travel from our own post.
  static func page(_ rows: [JSONValue], without ownPost: String) -> RemotePage {
    RemotePage(
      passages: rows.filter { $0["partner"]?["checkpost_id"]?.text != ownPost }
        .compactMap(passage),
      last: rows.reversed().lazy.compactMap(place).first, rows: rows.count)
  }

  private static func passage(_ row: JSONValue) -> RemotePassage? {
    guard let clientID = row["client_id"]?.text.flatMap({ ClientID($0) }),
      let plate = row["plate_number"]?.text.flatMap({ try? Plate($0) }), let place = place(row),
      let recordedAt = WallTime(rfc3339: place.recordedAt)
    else { return nil }
    let code = row["checkposts"]?["code"]?.text
    return RemotePassage(
      clientID: clientID, serverID: place.id, plate: plate.compact,
      vehicleType: row["vehicle_type"]?.text.flatMap { VehicleType(name: $0) },
      checkpost: code.flatMap { try? CheckpostCode($0) }, recordedAt: recordedAt, origin: .server)
  }

  /// Only what can be asked for again: a time and a UUID.
  private static func place(_ row: JSONValue) -> PullPlace? {
    guard let recordedAt = row["recorded_at"]?.text, WallTime(rfc3339: recordedAt) != nil,
      let id = row["id"]?.text, ClientID(id) != nil
    else { return nil }
    return PullPlace(recordedAt: recordedAt, id: id)
  }
}

/// Users, posts and segments as the server tells them.
enum DirectoryRow {
  static func profile(_ row: JSONValue) -> ServerProfile? {
    guard let userID = row["id"]?.text else { return nil }
    let post = nested("checkposts", of: row)
    return ServerProfile(
      userID: userID, fullName: row["full_name"]?.text ?? "", role: row["role"]?.text ?? "",
      isActive: row["is_active"]?.flag ?? true, post: post.flatMap(self.post),
      segment: post.flatMap { nested("highway_segments", of: $0) }.flatMap(segment),
      phone: row["phone_number"]?.text)
  }

  static func post(_ row: JSONValue) -> ServerPost? {
    guard let id = row["id"]?.text, let code = row["code"]?.text else { return nil }
    return ServerPost(
      id: id, code: code, name: row["name"]?.text ?? code,
      position: Int(row["position_index"]?.integer ?? 0), segmentIDs: names(row["segment_ids"]))
  }

  static func segment(_ row: JSONValue) -> ServerSegment? {
    guard let id = row["id"]?.text, let distance = number(row["distance_km"]),
      let slowest = number(row["min_speed_kmh"]), let fastest = number(row["max_speed_kmh"])
    else { return nil }
    return ServerSegment(
      id: id, name: row["name"]?.text ?? "", distanceKilometres: distance,
      minimumKilometresPerHour: slowest, maximumKilometresPerHour: fastest,
      checkpostIDs: names(row["checkpost_ids"]))
  }

  /// Names that can be asked for again: UUIDs, and not very many; nil where there is no such column.
  private static func names(_ value: JSONValue?) -> [String]? {
    value?.list.map { list in
      list.prefix(Limits.namesAtOnce).compactMap(\.text).filter { ClientID($0) != nil }
    }
  }

  /// The row that another one refers to: an object, or a list of one where the server does not know that
  /// there is only one.
  private static func nested(_ name: String, of row: JSONValue) -> JSONValue? {
    guard let value = row[name], value != .null else { return nil }
    return value.list?.first ?? (value.object == nil ? nil : value)
  }

  /// A decimal, which some servers write as a text so that no digit is lost. Their databases know numbers
  /// that are none as well (`NaN`, `Infinity`), which nothing can be counted with, nor kept as JSON.
  private static func number(_ value: JSONValue?) -> Double? {
    let number = value?.number ?? value?.text.flatMap { Double($0) }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }
}

/// A token as the server tells it.
enum SessionRow {
  static func session(_ row: JSONValue) -> GrantedSession? {
    guard let access = row["access_token"]?.text, let refresh = row["refresh_token"]?.text,
      let seconds = row["expires_in"]?.number, seconds >= 1, let user = row["user"]?["id"]?.text,
      !access.isEmpty, !refresh.isEmpty
    else { return nil }
    let lasts = min(Duration.seconds(min(seconds, 1e9)), Limits.tokenLasts)
    return GrantedSession(
      accessToken: Token(access), refreshToken: Token(refresh), lasts: lasts, userID: user)
  }
}
