import CentralCore
import CentralPostgreSQL
import Passages
import PostgreSQL
import TestSupport
import Time

/// A row of the deployed table, as psql, PostgREST or another program inserts it.
struct PlainRow: Hashable {
  static let sita = "0d000000-0000-4000-8000-00000000000a"
  static let ram = "0d000000-0000-4000-8000-00000000000b"

  var client: String
  var plate = "BA1PA1234"
  var type = "car"
  var post = "BNP-A"
  var second: Int64
  var milliseconds: Int64 = 0
  var ranger = PlainRow.sita
  var source = "app"
  var photo: String?
  var received: Int64?

  /// A row so many seconds after the morning.
  init(_ second: Int64, _ post: String = "BNP-A", client: Int, plate: String = "BA1PA1234") {
    self.client = PlainRow.uuid(client)
    self.second = judgedMorning + second
    self.post = post
    self.plate = plate
  }

  /// A report as another program would write it down; nil where the deployed table cannot say it.
  init?(_ report: Observation) {
    guard report.post.code != "LONE", report.channel != .operated else { return nil }
    client = report.clientID.description
    plate = report.plate.raw
    type = report.vehicleType.rawValue
    post = report.post.code
    second = report.recordedAt.epochSeconds
    milliseconds = report.recordedAt.milliseconds - second * 1_000
    ranger = report.suffix.digits == "9801" ? PlainRow.ram : PlainRow.sita
    source = report.channel == .text ? "sms" : "app"
    photo = report.photoPath
    received = report.receivedAt.milliseconds
  }

  static func uuid(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// The same report as the schema understands the row.
  func understood() throws -> Observation {
    let passage = try Passage(
      recording: try Plate(plate), vehicleType: VehicleType(name: type) ?? .other,
      checkpost: try CheckpostCode(post), recordedAt: time,
      suffix: PhoneSuffix(ranger == PlainRow.ram ? "9801" : "4567") ?? .unknown,
      identity: ClientID(client), ranger: ranger, photoPath: photo)
    return Observation(
      of: passage, channel: source == "sms" ? .text : .upload, isProven: source != "sms",
      receivedAt: WallTime(milliseconds: received ?? time.milliseconds))
  }

  var time: WallTime { WallTime(milliseconds: second * 1_000 + milliseconds) }

  /// Inserts it, and returns how many rows that made.
  @discardableResult
  func insert(
    _ connection: PostgreSQLConnection, _ conflict: String = ""
  ) throws(PostgreSQLError) -> Int {
    try connection.query(
      """
      INSERT INTO public.vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, segment_id,
          recorded_at, ranger_id, source, photo_path, server_received_at)
        SELECT $1::uuid, $2, $3, c.id, c.segment_id, $5::timestamptz, $6::uuid, $7, $8, $9::timestamptz
        FROM public.checkposts c WHERE c.code = $4 \(conflict)
      """,
      [
        .text(client), .text(plate), .text(type), .text(post), .time(time), .text(ranger),
        .text(source), .text(photo), .time(received.map { WallTime(milliseconds: $0) } ?? time),
      ]
    ).affected
  }
}

extension PostgreSQLConnection {
  /// The first column of a query, as texts.
  func texts(_ query: String) throws(PostgreSQLError) -> [String?] {
    var texts: [String?] = []
    for row in try self.query("SELECT q.t::text AS t FROM (\(query)) AS q(t)").rows {
      texts.append(try row.optional("t", .text))
    }
    return texts
  }
}
