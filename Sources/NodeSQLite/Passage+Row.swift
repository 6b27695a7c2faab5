import GRDB
import Passages
import Time

extension Passage {
  /// The passage of a row of `passages`.
  init(row: Row) throws {
    let id: Int64 = row["id"]
    let content: String = row["content_client_id"]
    let given: String = row["client_id"]
    guard let client = ClientID(given), let contentID = ClientID(content),
      let type = VehicleType(rawValue: row["vehicle_type"]),
      let suffix = PhoneSuffix(row["ranger_phone_suffix"] as String),
      let source = Source(rawValue: row["source"])
    else {
      throw UnreadableRow(queueID: id)
    }
    self.init(
      clientID: client, contentClientID: contentID == client ? nil : contentID,
      plate: try Plate(row["plate_number_raw"] as String), vehicleType: type,
      checkpost: try CheckpostCode(row["checkpost"] as String), segment: row["segment"],
      recordedAt: WallTime(milliseconds: row["recorded_at_ms"]), suffix: suffix,
      ranger: row["ranger"], photoPath: row["photo_path"], source: source, v1Body: row["v1_body"])
    isUndated = row["undated"]
  }
}
