import JSON
import NodeCore
import Passages
import Supabase
import Testing
import Time

/// Values that the tests here share.
enum Samples {
  static let api = SupabaseAPI(
    login: SupabaseAPI.Login(user: "ram", domain: "bnp.local", password: Token("s3cret")))
  static let place = ServerPlace(
    checkpostID: "11111111-0000-0000-0000-000000000001",
    segmentID: "22222222-0000-0000-0000-000000000002",
    rangerID: "33333333-0000-0000-0000-000000000003")
  static let serverID = "44444444-0000-0000-0000-000000000004"

  static func passage(
    _ plate: String = "BA 1 PA 1234", _ type: VehicleType = .car,
    at milliseconds: Int64 = 1_709_123_456_412
  ) throws -> Passage {
    try Passage(
      recording: Plate(plate), vehicleType: type, checkpost: CheckpostCode("BNP-A"),
      recordedAt: WallTime(milliseconds: milliseconds), suffix: try #require(PhoneSuffix("4567")))
  }

  static func pushes(_ count: Int = 1) throws -> [PassagePush] {
    try (0..<count).map { PassagePush(try passage("BA1PA\(1_000 + $0)"), at: place) }
  }

  static let photo = PhotoPush(
    name: "\(serverID).jpg", path: "/tmp/a.jpg", count: 8_192, contentType: "image/jpeg")
  static let pull = PullQuery(
    segmentID: "s", checkpostID: "c", since: WallTime(milliseconds: 1_709_000_000_000), limit: 500)

  /// One call of each kind that asks for rows.
  static func rowCalls() throws -> [ServerCall] {
    let passage = try passage()
    return [
      .probe, .profile(user: "u"), .posts(segment: "s"), .postsNamed(["p"]), .segments(["s"]),
      .push(try pushes()),
      .push(try pushes(3)), .readBack([passage.clientID]),
      .correct(passage.clientID, PlateCorrection(plate: passage.plate)),
      .namePhoto(passage.clientID, path: "a"), .pull(pull),
      .synced(
        SyncMark(userID: "u", device: "BNP-A", through: passage.recordedAt, pending: 3)),
    ]
  }

  static let otherCalls: [ServerCall] = [
    .signIn(.password), .signIn(.refresh(Token("old"))), .upload(photo),
    .match(entry: "a", exit: "b"),
  ]

  static func allCalls() throws -> [ServerCall] { try rowCalls() + otherCalls }

  static func answer(
    _ status: Int, _ body: String, type: String? = "application/json; charset=utf-8",
    headers: [String: String] = [:]
  ) -> ServerAnswer {
    ServerAnswer(status: status, contentType: type, headers: headers, body: Array(body.utf8))
  }

  static func reply(
    to call: ServerCall, _ status: Int, _ body: String,
    type: String? = "application/json; charset=utf-8", headers: [String: String] = [:]
  ) -> ServerReply {
    api.reply(to: call, .success(answer(status, body, type: type, headers: headers)))
  }

  static func failure(
    of call: ServerCall, _ status: Int, _ body: String,
    type: String? = "application/json; charset=utf-8", headers: [String: String] = [:]
  ) -> ServerFailure? {
    if case .failure(let failure) = reply(to: call, status, body, type: type, headers: headers)
      .result
    {
      failure
    } else {
      nil
    }
  }

  /// The row of the database's answer for a passage.
  static func row(_ passage: Passage, id: String = serverID) -> JSONValue {
    [
      "id": .text(id), "client_id": .text(passage.clientID.description),
      "checkpost_id": .text(place.checkpostID), "plate_number": .text(passage.plate.compact),
      "vehicle_type": "car", "recorded_at": "2024-02-28T12:30:56.412+00:00",
      "matched_passage_id": nil, "photo_path": nil,
    ]
  }

  /// An error as PostgREST writes it.
  static func error(_ code: String, _ message: String = "m") -> String {
    JSONText.line([
      "code": .text(code), "message": .text(message), "details": nil, "hint": nil,
    ])
  }
}
