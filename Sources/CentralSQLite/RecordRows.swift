import CentralCore
import GRDB
import Passages
import Time

/// Records with their reports and corrections, as rows.
enum RecordRows {
  /// What a record is read from: its own columns, and those of one report.
  private static let columns = """
    r.number, r.received_post, r.received_plate, r.received_second, r.passage, r.uuid, r.client_id,
    r.inbox_id, r.is_contradicted, r.corrections, r.inserted_at_ms, o.client_id, o.post, o.plate_raw,
    o.plate, o.vehicle_type, o.recorded_at_ms, o.ranger, o.suffix, o.photo_path, o.channel, o.is_proven, o.clock,
    o.received_at_ms
    """
  private static let ofReport = 11

  private static let select =
    "SELECT \(columns) FROM records r CROSS JOIN observations o ON o.record = r.number WHERE "

  /// The records of a vehicle within some seconds at so many posts: a place may have more than two.
  static func ofVehicle(posts: Int) -> String {
    let places = repeatElement("?", count: posts).joined(separator: ", ")
    return select
      + """
      r.plate = ? AND r.second BETWEEN ? AND ? AND r.post IN (\(places)) AND \(isJudged)
      ORDER BY r.number, o.n
      """
  }

  static let ofPlate = select + "r.plate = ? AND \(isJudged) ORDER BY r.number, o.n"

  /// Whether a record is judged: it was not set aside, and can be read.
  private static let isJudged =
    "NOT r.is_aside AND \(Schema.readable(plate: "r.plate", post: "r.post", second: "r.second"))"
  static let ofNumber = select + "r.number = ? ORDER BY o.n"
  static let ofPassage =
    select + "(r.number = ?1 OR r.passage = ?1 AND r.passage <> r.number) ORDER BY r.number, o.n"

  static func records(
    _ sql: String, _ arguments: StatementArguments, _ database: Database
  ) throws -> [JudgedRecord] {
    var records: [JudgedRecord] = []
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: sql), arguments: arguments)
    var own: Row?
    var reports: [Observation] = []
    while let row = try rows.next() {
      if let last = own, last[0] as Int64 != row[0] {
        records.append(try record(last, reports, database))
        reports = []
        own = row.copy()
      }
      if own == nil { own = row.copy() }
      reports.append(try observation(row, from: ofReport))
    }
    if let own { records.append(try record(own, reports, database)) }
    return records
  }

  private static func record(
    _ row: Row, _ reports: [Observation], _ database: Database
  ) throws -> JudgedRecord {
    var reader = RowReader(row)
    let number: Int64 = reader.next()
    let received = ContentKey(
      post: reader.post(), plate: reader.next(), second: reader.number())
    let (passage, uuid, client) = (
      reader.optional() as Int64?, reader.identity(), reader.identity()
    )
    let inbox: Int64? = reader.optional()
    let isContradicted: Bool = reader.next()
    let count: Int = reader.next()
    let record = PassageRecord(
      number: number, received: received, observations: reports,
      corrections: count == 0 ? [] : try corrections(of: number, database),
      isContradicted: isContradicted)
    guard let record else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a record has no report")
    }
    return JudgedRecord(
      record, row: passage, uuid: uuid, clientID: client, inboxID: inbox,
      insertedAt: reader.time())
  }

  static func observation(_ row: Row, from column: Int) throws -> Observation {
    var reader = RowReader(row, from: column)
    let client = reader.identity()
    let post = reader.post()
    let plate = plate(raw: reader.next(), of: reader.optional())
    let type: VehicleType = reader.value(or: .other)
    let recordedAt = reader.time()
    let ranger: String? = reader.optional()
    let suffix = reader.suffix()
    let photo: String? = reader.optional()
    let channel: Observation.Channel = reader.value(or: .text)
    let isProven: Bool = reader.next()
    let clock: Int64? = reader.optional()
    return Observation(
      clientID: client, post: post, plate: plate, vehicleType: type, recordedAt: recordedAt,
      ranger: ranger, suffix: suffix, photoPath: photo, channel: channel, isProven: isProven,
      receivedAt: reader.time(), clock: ClockQuality(column: clock))
  }

  /// A plate by what was read of it, which says it itself where nothing stands beside.
  private static func plate(raw: String, of compact: String?) -> Plate {
    compact.map { Plate(stored: $0, raw: raw) } ?? (try? Plate(raw))
      ?? Plate(stored: raw, raw: raw)
  }

  static func corrections(of record: Int64, _ database: Database) throws -> [ReceivedCorrection] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT \(ofCorrection) FROM corrections WHERE record = ?"),
      arguments: [record]
    ).map { try correction($0) }
  }

  static let ofCorrection =
    "client_id, plate_raw, plate, vehicle_type, post, recorded_at_ms, author, made_at_ms, photo_path,"
    + " withdrawal"

  static func correction(_ row: Row) throws -> ReceivedCorrection {
    var reader = RowReader(row)
    let client = reader.identity()
    let (raw, compact) = (reader.optional() as String?, reader.optional() as String?)
    let plate = raw.map { self.plate(raw: $0, of: compact) }
    let type = (reader.optional() as String?).flatMap { VehicleType(rawValue: $0) }
    let post = (reader.optional() as String?).map { CheckpostCode(asItStands: $0) }
    let recordedAt = reader.optionalTime()
    let author: String? = reader.optional()
    var correction = ReceivedCorrection(of: client, madeAt: reader.time(), author: author)
    correction.plate = plate
    correction.vehicleType = type
    correction.post = post
    correction.recordedAt = recordedAt
    correction.photoPath = reader.optional()
    correction.withdrawal = reader.optional()
    return correction
  }

  static func arguments(_ correction: ReceivedCorrection) -> StatementArguments {
    [
      correction.clientID.description, correction.plate?.raw, correction.plate?.ofOtherReading,
      correction.vehicleType?.rawValue,
      correction.post?.code, correction.recordedAt?.milliseconds, correction.author,
      correction.madeAt.milliseconds, correction.photoPath, correction.withdrawal,
    ]
  }

  static func arguments(_ observation: Observation) -> StatementArguments {
    [
      observation.clientID.description, observation.post.code, observation.plate.raw,
      observation.plate.ofOtherReading, observation.vehicleType.rawValue,
      observation.recordedAt.milliseconds, observation.ranger,
      observation.suffix.digits, observation.photoPath, observation.channel.rawValue,
      observation.isProven, observation.clock.column,
    ]
  }
}

extension Plate {
  /// The compact form, where it does not follow from what was read.
  var ofOtherReading: String? { (try? Plate(raw))?.compact == compact ? nil : compact }
}

extension ClockQuality {
  init(column: Int64?) {
    self =
      switch column {
      case nil: .unknown
      case .some(-1): .unset
      case .some(let seconds): .within(seconds: seconds)
      }
  }

  var column: Int64? {
    switch self {
    case .unknown: nil
    case .unset: -1
    case .within(let seconds): max(0, seconds)
    }
  }
}
