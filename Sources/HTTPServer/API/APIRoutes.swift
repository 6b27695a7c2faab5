import Accounts
import EventLoop
import Events
import Hummingbird
import Passages
import RestAPI
import Time

/// The routes of the API: tables under `/rest/v1/`, photographs under `/storage/v1/object/`, functions under
/// `/functions/v1/`. Who asks is found out before a byte of the body is taken.
final class APIRoutes: Sendable {
  let api: CentralAPI
  let clocks: any Clocks
  private let door: Door
  private let refusals: RefusalLog
  let rows = BlockingLane(name: "api", waiting: Limits.waitingCalls)
  let files = BlockingLane(name: "photographs", waiting: Limits.waitingCalls)

  init(_ api: CentralAPI, clocks: any Clocks, door: Door, refusals: RefusalLog) {
    self.api = api
    self.clocks = clocks
    self.door = door
    self.refusals = refusals
  }

  func add(to router: Router<CallContext>) {
    let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]
    for method in methods {
      router.on("/rest/v1/:table", method: method) { [self] request, context in
        await table(request, context, context.parameters.get("table") ?? "")
      }
      router.on("/storage/v1/object/**", method: method) { [self] request, context in
        await photograph(request, context, context.parameters.getCatchAll().map(String.init))
      }
      router.on("/functions/v1/match-passage", method: method) { [self] request, context in
        await matchPassage(request, context)
      }
      router.on("/functions/v1/check-overstay", method: method) { [self] request, context in
        await checkOverstay(request, context)
      }
    }
  }

  // MARK: - Tables

  private func table(
    _ request: Request, _ context: CallContext, _ table: String
  ) async -> Response {
    let principal: RestPrincipal
    switch await entry(of: request, context) {
    case .admitted(let admitted): principal = admitted
    case .refused(let refusal): return APIRoutes.refusal(refusal)
    case .tooMany(let response): return response
    }
    let body: [UInt8]
    do throws(BodyFault) {
      body = try await APIRoutes.body(of: request, upTo: Limits.rowsBytes)
    } catch {
      return respond(
        RestAnswer(
          RestError("54001", "the body has more than \(Limits.rowsBytes) bytes", status: 413),
          isAnonymous: principal.isAnonymous))
    }
    var headers: [String: String] = [:]
    for field in request.headers {
      let name = field.name.canonicalName
      headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
    }
    let asked = RestRequest(
      request.method.rawValue, table, query: request.uri.query ?? "", headers: headers, body: body)
    let now = clocks.wall()
    let answer = await rows.run { [api] in
      APIRoutes.answer(asked, as: principal, from: api.store, at: now)
    }
    guard let answer else { return respond(APIRoutes.busy) }
    let isWrite = request.method != .get && request.method != .head
    if isWrite, answer.status < 300 { api.whenWritten() }
    return respond(answer, isHead: request.method == .head)
  }

  private static func answer(
    _ request: RestRequest, as principal: RestPrincipal, from store: any RestStore,
    at now: WallTime
  ) -> RestAnswer {
    func opened(_ store: some RestStore) -> RestAnswer {
      RestHandler.answer(request, as: principal, from: store, at: now)
    }
    return opened(store)
  }

  private static let busy = RestAnswer(
    RestError("PGRST003", "Timed out acquiring connection from connection pool."),
    isAnonymous: false)

  // MARK: - Functions

  private func matchPassage(_ request: Request, _ context: CallContext) async -> Response {
    guard request.method == .post else { return functionRefusal(405, "Method not allowed") }
    let principal: RestPrincipal
    switch await entry(of: request, context) {
    case .admitted(let admitted): principal = admitted
    case .refused(let refusal): return functionRefusal(refusal)
    case .tooMany(let response): return response
    }
    guard let body = try? await APIRoutes.body(of: request, upTo: Limits.bodyBytes) else {
      return functionRefusal(400, "Invalid JSON body")
    }
    let answer = await rows.run { [api] in
      func opened(_ store: some RestStore) -> RestAnswer {
        MatchFunction.answer(body, as: principal, from: store)
      }
      return opened(api.store)
    }
    return answer.map { respond($0) } ?? functionRefusal(503, "Try again")
  }

  private func checkOverstay(_ request: Request, _ context: CallContext) async -> Response {
    guard request.method == .post else { return functionRefusal(405, "Method not allowed") }
    let principal: RestPrincipal
    switch await entry(of: request, context) {
    case .admitted(let admitted): principal = admitted
    case .refused(let refusal): return functionRefusal(refusal)
    case .tooMany(let response): return response
    }
    switch principal.role {
    case .anonymous: return functionRefusal(401, "Unauthorized")
    case .ranger, .post: return functionRefusal(403, "Forbidden: admin access required")
    case .admin, .service: break
    }
    let now = clocks.wall()
    guard let created = await rows.run({ [api] in api.lookForOverdue(now) }) ?? nil else {
      return functionRefusal(500, "Overstay check failed")
    }
    let words = created == 0 ? "No new overstay alerts" : "Created \(created) overstay alerts"
    return respond(
      .json(
        200,
        RestJSON.object(["alerts_created": .number("\(created)"), "message": .text(words)]).written,
        type: "application/json"))
  }

  func functionRefusal(_ status: Int, _ words: String) -> Response {
    respond(
      .json(status, RestJSON.object(["error": .text(words)]).written, type: "application/json"))
  }

  func functionRefusal(_ refusal: AccessRefusal) -> Response {
    guard refusal.status == 401, refusal.code != nil else { return APIRoutes.refusal(refusal) }
    return respond(
      .json(401, "{\"code\":401,\"message\":\"Invalid JWT\"}", type: "application/json"))
  }

  // MARK: - Who asks

  /// Whether a request is let in.
  enum Entry {
    case admitted(RestPrincipal)
    case refused(AccessRefusal)
    /// Whoever asks does so more often than is taken.
    case tooMany(Response)
  }

  /// Finds out who makes a request, and whether they may make one more.
  func entry(of request: Request, _ context: CallContext) async -> Entry {
    do throws(AccessRefusal) {
      let principal = try await api.authenticator.principal(
        of: Credentials(
          key: APIRoutes.field(request, "apikey"), authorization: request.headers[.authorization],
          address: context.caller.address.map { "\($0)" }))
      if principal.role != .anonymous {
        let subject: String =
          switch principal.proof {
          case .session: principal.account?.text ?? "session"
          case .key(let prefix): prefix
          }
        if let response = door.refusal(ofKey: subject, for: context) { return .tooMany(response) }
      }
      return .admitted(try await asking(principal))
    } catch {
      return .refused(error)
    }
  }

  /// Whoever asks, with the UUIDs of the post and of its segment.
  private func asking(_ principal: Principal) async throws(AccessRefusal) -> RestPrincipal {
    let role: RestPrincipal.Role =
      switch principal.role {
      case .anonymous: .anonymous
      case .ranger: .ranger
      case .post: .post
      case .admin: .admin
      case .service: .service
      }
    var asking = RestPrincipal(role, user: principal.account?.text)
    if case .key(let prefix) = principal.proof { asking.key = prefix }
    guard let code = principal.post?.code else { return asking }
    let place = await rows.run { [api] () -> Result<RestPlace?, RestError> in
      do throws(RestError) {
        return .success(try api.store.place(ofPost: code))
      } catch {
        return .failure(error)
      }
    }
    guard case .success(let found) = place else {
      throw AccessRefusal(
        status: 503, code: "PGRST000", message: "Could not look up who asks", retryAfter: 5)
    }
    asking.post = found?.post
    asking.segment = found?.segment
    return asking
  }

  static func field(_ request: Request, _ name: String) -> String? {
    HTTPFields.Element.Name(name).flatMap { request.headers[$0] }
  }

  /// What is answered to who is not let in.
  static func refusal(_ refusal: AccessRefusal) -> Response {
    var body: [String: RestJSON] = ["message": .text(refusal.message)]
    if let code = refusal.code {
      body["code"] = .text(code)
      body["details"] = .null
      body["hint"] = .null
    }
    var response = response(.json(refusal.status, RestJSON.object(body).written))
    if let challenge = refusal.challenge { response.headers[.wwwAuthenticate] = challenge }
    if let seconds = refusal.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
    return response
  }

  // MARK: - Bodies and answers

  /// The body is larger than is taken, or did not come whole.
  struct BodyFault: Error {}

  static func body(of request: Request, upTo most: Int) async throws(BodyFault) -> [UInt8] {
    do {
      let buffer = try await request.body.collect(upTo: most)
      return Array(buffer.readableBytesView)
    } catch {
      throw BodyFault()
    }
  }

  func respond(_ answer: RestAnswer, isHead: Bool = false) -> Response {
    if answer.status >= 500 {
      refusals.record("api_failed", .error, "answered \(answer.status) to a request of the API")
    }
    var response = APIRoutes.response(answer)
    if answer.status == 503 || answer.status == 504 { response.headers[.retryAfter] = "5" }
    return isHead ? response.createHeadResponse() : response
  }

  static func response(_ answer: RestAnswer) -> Response {
    var headers = HTTPFields()
    for field in answer.fields {
      guard let name = HTTPFields.Element.Name(field.name) else { continue }
      headers[name] = field.value
    }
    return Response(
      status: HTTPResponse.Status(code: answer.status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
  }
}
