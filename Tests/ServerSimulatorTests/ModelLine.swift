import NodeCore
import Passages
import ServerModel
import Supabase
import Testing
import Time

/// A node's way to a model without a socket: what is asked is put into the server's words, and what
/// becomes of the answer on its way is what a client would tell.
struct ModelLine {
  var model = ServerModel.pilot()
  var now = WallTime(milliseconds: 1_767_225_600_412)
  var token: Token?
  var refreshToken: Token?
  private let api = SupabaseAPI(
    login: SupabaseAPI.Login(user: "sita", domain: "bnp.local", password: Token("east-gate-1")))

  static let place = ServerPlace(
    checkpostID: ServerModel.Pilot.east, segmentID: ServerModel.Pilot.segment,
    rangerID: ServerModel.Pilot.eastRanger)

  static func passage(
    _ plate: String = "BA 1 PA 1234", post: String = "BNP-A",
    at milliseconds: Int64 = 1_767_225_600_412
  ) throws -> Passage {
    try Passage(
      recording: Plate(plate), vehicleType: .jeepSUV, checkpost: CheckpostCode(post),
      recordedAt: WallTime(milliseconds: milliseconds), suffix: try #require(PhoneSuffix("4567")))
  }

  static func push(_ plates: String...) throws -> ServerCall {
    .push(try plates.map { PassagePush(try passage($0), at: place) })
  }

  static func signedIn() throws -> ModelLine {
    var line = ModelLine()
    try line.signIn(.password)
    return line
  }

  mutating func signIn(_ grant: ServerCall.Grant) throws {
    guard case .success(.session(let session)) = call(.signIn(grant)).result else {
      Issue.record("no session")
      return
    }
    (token, refreshToken) = (session.accessToken, session.refreshToken)
    #expect(session.userID == ServerModel.Pilot.eastRanger)
    #expect(session.lasts == .seconds(3_600))
  }

  mutating func call(_ call: ServerCall) -> ServerReply {
    do throws(ServerFailure) {
      let request = try api.request(for: call, token: token)
      let answer = model.handle(Self.asked(request), at: now)
      return api.reply(to: call, Self.told(answer, atMost: request.answerBytes))
    } catch {
      return ServerReply(.failure(error))
    }
  }

  mutating func stored(_ call: ServerCall) throws -> [StoredOnServer] {
    guard case .stored(let rows) = try self.call(call).result.get() else {
      Issue.record("no rows")
      return []
    }
    return rows
  }

  private static func asked(_ request: ServerRequest) -> ModelRequest {
    var headers = ["apikey": "model-anon-key"]
    for header in request.headers { headers[header.name] = header.value }
    headers["Authorization"] = request.token.map { "Bearer \($0.value)" }
    var body: [UInt8] = []
    switch request.body {
    case .none: break
    case .bytes(let bytes, let type): (body, headers["Content-Type"]) = (bytes, type)
    case .file(_, let count, let type):
      (body, headers["Content-Type"]) = ([UInt8](repeating: 0xFF, count: count), type)
    }
    return ModelRequest(request.method.rawValue, request.path, headers: headers, body: body)
  }

  private static func told(
    _ answer: ModelResponse, atMost bytes: Int
  ) -> Result<ServerAnswer, ServerClientError> {
    switch answer.delivery {
    case .whole: break
    case .reset, .cut: return .failure(.cutOff)
    case .silence, .slow: return .failure(.timedOut(.answer))
    }
    guard answer.body.count <= bytes else { return .failure(.tooLong) }
    let headers = Dictionary(
      answer.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    return .success(
      ServerAnswer(
        status: answer.status, contentType: headers["content-type"], headers: headers,
        body: answer.body))
  }
}
