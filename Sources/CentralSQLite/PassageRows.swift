import CentralCore
import GRDB
import Passages
import Time

/// The recognised passages, as rows.
enum PassageRows {
  /// Nothing is written where the row says it already.
  static let write = """
    INSERT INTO passages (id, uuid, client_id, plate_number, plate_number_raw, vehicle_type,
      checkpost, segment, recorded_at_ms, ranger_phone_suffix, ranger, photo_path, source, channels,
      is_proven, is_corrected, is_dated, contradictions, inbox_id, first_received_at_ms,
      inserted_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET plate_number = excluded.plate_number,
      plate_number_raw = excluded.plate_number_raw, vehicle_type = excluded.vehicle_type,
      checkpost = excluded.checkpost, segment = excluded.segment,
      recorded_at_ms = excluded.recorded_at_ms,
      ranger_phone_suffix = excluded.ranger_phone_suffix, ranger = excluded.ranger,
      photo_path = excluded.photo_path, source = excluded.source, channels = excluded.channels,
      is_proven = excluded.is_proven, is_corrected = excluded.is_corrected,
      is_dated = excluded.is_dated, contradictions = excluded.contradictions,
      first_received_at_ms = excluded.first_received_at_ms
    WHERE (plate_number, plate_number_raw, vehicle_type, checkpost, segment, recorded_at_ms,
      ranger_phone_suffix, ranger, photo_path, source, channels, is_proven, is_corrected, is_dated,
      contradictions, first_received_at_ms) IS NOT (excluded.plate_number,
      excluded.plate_number_raw, excluded.vehicle_type, excluded.checkpost, excluded.segment,
      excluded.recorded_at_ms, excluded.ranger_phone_suffix, excluded.ranger, excluded.photo_path,
      excluded.source, excluded.channels, excluded.is_proven, excluded.is_corrected,
      excluded.is_dated, excluded.contradictions, excluded.first_received_at_ms)
    """

  static func arguments(_ passage: StandingPassage) -> StatementArguments {
    let content = passage.content
    return [
      passage.name.row, passage.name.uuid.description, passage.name.clientID.description,
      content.plate, content.rawPlate, content.vehicleType.rawValue, passage.place.post.code,
      passage.segment, content.recordedAt.milliseconds, passage.suffix.digits,
      content.rangers.first, content.photoPath, content.channels == [.text] ? "sms" : "app",
      content.channels.column, content.isProven, content.isCorrected, passage.isDated,
      content.contradictions.column, passage.inboxID, content.firstReceivedAt.milliseconds,
      passage.insertedAt.milliseconds,
    ]
  }

  /// What a passage is read from; the sender of its first message at the end.
  static let select = """
    SELECT p.id, p.uuid, p.client_id, p.plate_number, p.plate_number_raw, p.vehicle_type, p.checkpost,
      p.segment, p.recorded_at_ms, p.ranger_phone_suffix, p.ranger, p.photo_path, p.source,
      p.is_dated, p.inserted_at_ms, p.first_received_at_ms, p.channels, p.is_proven, p.is_corrected,
      p.contradictions, p.partner, p.is_entry, i.sender,
      iif(p.is_dated = 0 AND p.is_corrected = 1, (SELECT withdrawal FROM corrections
        WHERE record = p.id AND withdrawal IS NOT NULL ORDER BY made_at_ms DESC LIMIT 1), NULL)
    FROM passages p LEFT JOIN inbox i ON i.id = p.inbox_id
    """

  static let ofIdentity = """
    \(select) WHERE p.id = (SELECT r.passage FROM identities JOIN records r ON r.number = record
      WHERE identities.client_id = ?)
    """

  static func passage(
    _ row: Row, _ rangers: inout RangerNames, _ database: Database
  ) throws -> StoredPassage {
    var reader = RowReader(row)
    let id: Int64 = reader.next()
    let (uuid, client) = (reader.identity(), reader.identity())
    let plate = Plate(stored: reader.next(), raw: reader.next())
    let type: VehicleType = reader.value(or: .other)
    let post = reader.post()
    let segment: String? = reader.optional()
    let recordedAt = reader.time()
    let suffix = reader.suffix()
    let named: String? = reader.optional()
    let photo: String? = reader.optional()
    let isText = reader.next() as String == "sms"
    let isDated: Bool = reader.next()
    let (insertedAt, firstReceivedAt) = (reader.time(), reader.time())
    let ranger =
      try named.map { try rangers.name(of: $0, database) }
      ?? rangers.name(
        at: post, suffix, isDated ? recordedAt : firstReceivedAt, sender: row[22], database)
    let passage = Passage(
      client, plate, type, post, recordedAt, suffix, segment: segment, ranger: ranger,
      photoPath: photo, isText: isText, isDated: isDated || (row[23] as String?) != nil)
    var stored = StoredPassage(
      id: id, uuid: uuid, passage: passage, insertedAt: insertedAt,
      firstReceivedAt: firstReceivedAt)
    stored.channels = (reader.next() as String).values()
    stored.isProven = reader.next()
    stored.withdrawal = row[23]
    stored.isCorrected = reader.next()
    stored.contradictions = (reader.next() as String).values()
    if let partner: Int64 = reader.optional() {
      stored.partner = StoredPassage.Partner(row: partner, isExit: reader.next())
    }
    return stored
  }
}
