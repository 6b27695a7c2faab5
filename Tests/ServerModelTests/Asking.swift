import JSON
import ServerModel
import Testing
import Time

/// A client of a model, signed in or not.
struct Asking {
  var model = ServerModel.pilot()
  var now = WallTime(epochSeconds: 1_767_225_600)
  var token: String?

  static let clientID = "903f6178-1d77-5a73-b651-63f83b997eb3"
  static let other = "dc136851-5076-5884-95f0-9a051d552b52"

  /// Signed in as the ranger at the eastern post.
  static func east() throws -> Asking {
    var asking = Asking()
    try asking.signIn("sita@bnp.local", "east-gate-1")
    return asking
  }

  @discardableResult
  mutating func signIn(_ email: String, _ password: String) throws -> String {
    let answer = grant("password", ["email": .text(email), "password": .text(password)])
    token = try #require(answer.json?["access_token"]?.text)
    return try #require(answer.json?["refresh_token"]?.text)
  }

  mutating func grant(_ type: String, _ body: JSONValue) -> ModelResponse {
    model.handle(
      ModelRequest(
        "POST", "/auth/v1/token?grant_type=\(type)", headers: ["apikey": "model-anon-key"],
        body: Array(JSONText.line(body).utf8)), at: now)
  }

  mutating func ask(
    _ method: String, _ target: String, _ body: JSONValue? = nil, prefer: String? = nil,
    headers: [String: String] = [:]
  ) -> ModelResponse {
    var all = headers.merging(["apikey": "model-anon-key"]) { first, _ in first }
    if let token { all["Authorization"] = "Bearer \(token)" }
    if let prefer { all["Prefer"] = prefer }
    return model.handle(
      ModelRequest(
        method, target, headers: all, body: body.map { Array(JSONText.line($0).utf8) } ?? []),
      at: now)
  }

  /// What the eastern post pushes, changed by `changes`.
  static func passage(_ changes: [String: JSONValue] = [:]) -> JSONValue {
    .object(
      [
        "client_id": .text(clientID), "plate_number": "BA1PA1234",
        "plate_number_raw": "BA 1 PA 1234", "vehicle_type": "car",
        "checkpost_id": .text(ServerModel.Pilot.east),
        "segment_id": .text(ServerModel.Pilot.segment),
        "ranger_id": .text(ServerModel.Pilot.eastRanger),
        "recorded_at": "2026-01-01T00:00:00.412Z", "source": "app",
      ].merging(changes) { _, new in new })
  }

  /// Puts in the passage of the other post that `passage` belongs to, without anyone's rights.
  mutating func putWestern(
    _ recordedAt: String, plate: String = "BA1PA1234", clientID: String = other
  ) {
    let row = Self.passage([
      "client_id": .text(clientID), "checkpost_id": .text(ServerModel.Pilot.west),
      "ranger_id": .text(ServerModel.Pilot.westRanger), "recorded_at": .text(recordedAt),
      "plate_number": .text(plate),
    ])
    let isTaken = model.put(row.object ?? [:], into: "vehicle_passages")
    #expect(isTaken)
  }

  static let passages = "/rest/v1/vehicle_passages"
  static let once = "/rest/v1/vehicle_passages?on_conflict=client_id"
  static let ignoring = "resolution=ignore-duplicates,return=representation"
}
