import Accounts
import EventLoop
import Events
import Hummingbird
import NIOHTTP1
import Passages
import RestAPI
import Synchronization
import Time

/// The routes of the API: tables under `/rest/v1/`, photographs under `/storage/v1/object/`, functions under
/// `/functions/v1/`. Who asks is found out before a byte of the body is taken.
final class APIRoutes: Sendable {
  let api: CentralAPI
  let clocks: any Clocks
  private let door: Door
  let refusals: RefusalLog
  let streams = StreamSeats()
  /// What changes rows, and what is looked up before anything is done.
  let rows = BlockingLane(
    name: "api", atOnce: Limits.callsAtOnce, waiting: Limits.waitingCalls)
  /// What reads, for as long as it may: a post that hands something in does not wait for it.
  let reads = BlockingLane(
    name: "api-reads", atOnce: Limits.callsAtOnce, waiting: Limits.waitingCalls)
  let files = BlockingLane(name: "photographs", waiting: Limits.waitingCalls)
  let looks = Mutex(PhotographLooks())
  let bodies = ByteBudget(
    most: Limits.heldBodyBytes, ofOne: Limits.heldBodyBytesOfOne)
  private let answers = ByteBudget(
    most: Limits.heldAnswerBytes, ofOne: Limits.heldAnswerBytesOfOne)

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
      router.on("/storage/v1/**", method: method) { [self] request, context in
        await photograph(request, context, context.parameters.getCatchAll().map(String.init))
      }
    }
    router.serve(.matchPassage) { [self] request, context in await matchPassage(request, context) }
    router.serve(.checkOverstay) { [self] request, context in await checkOverstay(request, context)
    }
    for method in [HTTPRequest.Method.get, .head] {
      router.on("/rest/v1", method: method) { [self] request, context in
        await describe(request, context)
      }
    }
    router.serve(.changes) { [self] request, context in await changes(request, context) }
  }

  // MARK: - Tables

  private func table(
    _ request: Request, _ context: CallContext, _ table: String
  ) async -> Response {
    // Whoever says how much it is need not send it first.
    guard !APIRoutes.isLarger(request, than: Limits.rowsBytes) else {
      return respond(APIRoutes.tooLarge, to: context)
    }
    let principal: RestPrincipal
    switch await entry(of: request, context) {
    case .admitted(let admitted): principal = admitted
    case .refused(let refusal): return APIRoutes.refusal(refusal)
    case .tooMany(let response): return response
    }
    let body: HeldBody
    do throws(BodyFault) {
      body = try await self.body(of: request, upTo: Limits.rowsBytes, for: principal)
    } catch {
      switch error {
      case .tooLarge: return respond(APIRoutes.tooLarge, to: context)
      case .broken: return respond(APIRoutes.broken, to: context)
      case .crowded: return respond(APIRoutes.busy, to: context)
      }
    }
    defer { withExtendedLifetime(body.share) {} }
    var headers: [String: String] = [:]
    for field in request.headers {
      let name = field.name.canonicalName
      headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
    }
    let asked = RestRequest(
      request.method.rawValue, table, query: request.uri.query ?? "", headers: headers,
      body: body.bytes)
    let now = clocks.wall()
    let isWrite = request.method != .get && request.method != .head
    let lane = isWrite ? rows : reads
    let answer = await lane.answer(for: principal.owner) { [api] in
      APIRoutes.answer(asked, as: principal, from: api.store, at: now)
    }
    guard let answer else { return respond(APIRoutes.busy, to: context) }
    if isWrite, answer.status < 300 { api.whenWritten() }
    let response = respond(answer, to: context, isHead: request.method == .head)
    // A slow reader holds it for as long.
    return held(response, answer.body.utf8.count, for: principal)
      ?? respond(APIRoutes.busy, to: context)
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

  private static let tooLarge = RestAnswer(
    RestError("54001", "the body has more than \(Limits.rowsBytes) bytes", status: 413),
    isAnonymous: false)

  private static let broken = RestAnswer(
    RestError("PGRST102", "the body cannot be read as HTTP"), isAnonymous: false)

  private static let busy = RestAnswer(.noConnection, isAnonymous: false)

  /// What there is to ask for, told to those who may ask for something.
  private func describe(_ request: Request, _ context: CallContext) async -> Response {
    let isHead = request.method == .head
    switch await entry(of: request, context) {
    case .admitted: break
    case .refused(let refusal): return APIRoutes.refusal(refusal)
    case .tooMany(let response): return response
    }
    return respond(
      .json(
        200, RestDescription.document(version: api.version).written,
        type: RestDescription.mediaType), to: context, isHead: isHead)
  }

  /// Notes that photographs were removed, and by whom.
  func noteRemoved(_ count: Int, by principal: RestPrincipal) {
    guard count > 0 else { return }
    refusals.record(
      "photographs_removed", .notice,
      "\(count) photographs were removed by \(principal.owner.prefix(8))")
  }

  // MARK: - Functions

  private func matchPassage(_ request: Request, _ context: CallContext) async -> Response {
    let principal: RestPrincipal
    switch await entry(of: request, context) {
    case .admitted(let admitted): principal = admitted
    case .refused(let refusal): return functionRefusal(refusal, to: context)
    case .tooMany(let response): return response
    }
    let body: HeldBody
    do throws(BodyFault) {
      body = try await self.body(of: request, upTo: Limits.bodyBytes, for: principal)
    } catch {
      return error == .crowded
        ? functionRefusal(503, "Try again", to: context)
        : functionRefusal(400, "Invalid JSON body", to: context)
    }
    let answer = await reads.answer(for: principal.owner) { [api] in
      func opened(_ store: some RestStore) -> RestAnswer {
        MatchFunction.answer(body.bytes, as: principal, from: store)
      }
      return opened(api.store)
    }
    return answer.map { respond($0, to: context) }
      ?? functionRefusal(503, "Try again", to: context)
  }

  private func checkOverstay(_ request: Request, _ context: CallContext) async -> Response {
    let principal: RestPrincipal
    switch await entry(of: request, context) {
    case .admitted(let admitted): principal = admitted
    case .refused(let refusal): return functionRefusal(refusal, to: context)
    case .tooMany(let response): return response
    }
    switch principal.role {
    case .anonymous: return functionRefusal(401, "Unauthorized", to: context)
    case .ranger, .post:
      return functionRefusal(
        403, "Forbidden: admin access required", to: context)
    case .admin, .service: break
    }
    let now = clocks.wall()
    guard let created = await rows.answer({ [api] in api.lookForOverdue(now) }) ?? nil else {
      return functionRefusal(500, "Overstay check failed", to: context)
    }
    let words = created == 0 ? "No new overstay alerts" : "Created \(created) overstay alerts"
    return respond(
      .json(
        200,
        RestJSON.object(["alerts_created": .number("\(created)"), "message": .text(words)]).written,
        type: "application/json"), to: context)
  }

  func functionRefusal(_ status: Int, _ words: String, to context: CallContext) -> Response {
    respond(
      .json(status, RestJSON.object(["error": .text(words)]).written, type: "application/json"),
      to: context)
  }

  func functionRefusal(_ refusal: AccessRefusal, to context: CallContext) -> Response {
    guard refusal.status == 401, refusal.code != nil else { return APIRoutes.refusal(refusal) }
    return APIRoutes.response(
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
        if let response = door.refusal(ofKey: principal.subject, for: context) {
          return .tooMany(response)
        }
      }
      return .admitted(try await asking(principal))
    } catch {
      return .refused(error)
    }
  }

  /// Whoever asks, with the UUIDs of the post and of its segment.
  func asking(_ principal: Principal) async throws(AccessRefusal) -> RestPrincipal {
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
    let place = await rows.answer { [api] () -> Result<RestPlace?, RestError> in
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
    return asking.serving(at: found)
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

  /// Why there is no body.
  enum BodyFault: Error {
    /// It is larger than is taken.
    case tooLarge
    /// It ended too early, or its chunks are none.
    case broken
    /// Too many bytes of bodies are held already.
    case crowded
  }

  /// A body, which counts until its share is let go.
  struct HeldBody: Sendable {
    var bytes: [UInt8]
    let share: ByteBudget.Share
  }

  /// Whether a request says of its body that it is larger than is taken.
  static func isLarger(_ request: Request, than most: Int) -> Bool {
    guard let told = request.headers[.contentLength] else { return false }
    let digits = told.utf8.drop { $0 == UInt8(ascii: "0") }
    return digits.count > 18 || (Int(told) ?? 0) > most
  }

  /// The body of a request, as far as there is room for it beside those of all others.
  func body(
    of request: Request, upTo most: Int, for principal: RestPrincipal
  ) async throws(BodyFault) -> HeldBody {
    let share = bodies.share(of: principal.owner)
    var bytes: [UInt8] = []
    do {
      for try await part in request.body {
        guard bytes.count + part.readableBytes <= most else { throw BodyFault.tooLarge }
        guard share.grow(by: part.readableBytes) else { throw BodyFault.crowded }
        bytes.append(contentsOf: part.readableBytesView)
      }
    } catch is HTTPParserError {
      throw .broken
    } catch let fault as BodyFault {
      throw fault
    } catch {
      throw .tooLarge
    }
    return HeldBody(bytes: bytes, share: share)
  }

  /// An answer that counts until it has left; nil where there is no room for it.
  ///
  /// - Parameter count: Bytes of its body.
  func held(_ response: Response, _ count: Int, for principal: RestPrincipal) -> Response? {
    guard count > Limits.countedAnswerBytes else { return response }
    let share = answers.share(of: principal.owner)
    guard share.grow(by: count) else { return nil }
    let body = response.body
    var held = response
    held.body = ResponseBody(contentLength: body.contentLength) { writer in
      try await body.write(writer)
      withExtendedLifetime(share) {}
    }
    return held
  }

  func respond(
    _ answer: RestAnswer, to context: CallContext, isHead: Bool = false
  ) -> Response {
    if answer.status >= 500 {
      refusals.record("api_failed", .error, "answered \(answer.status) to a request of the API")
    } else if answer.status >= 400 || answer.status == 300 {
      let code = APIRoutes.code(of: answer)
      refusals.record(
        context.isOfStorage ? "storage_refused" : "api_refused",
        [403, 413, 415].contains(answer.status) ? .warning : .notice,
        "answered \(answer.status) (\(code)) to \(context.caller.name)", reason: code,
        most: Limits.loggedOfCode)
    }
    var response = APIRoutes.response(answer, context.onceWritten)
    if answer.status == 503 || answer.status == 504 { response.headers[.retryAfter] = "5" }
    return isHead ? response.createHeadResponse() : response
  }

  /// The code by which an answer refuses. All there are are ours.
  private static func code(of answer: RestAnswer) -> String {
    let body = RestJSON(Array(answer.body.utf8))?.object
    return body?["code"]?.text ?? body?["statusCode"]?.text ?? "\(answer.status)"
  }

  static func response(
    _ answer: RestAnswer, _ onceWritten: @escaping @Sendable () async throws -> Void = {}
  ) -> Response {
    var headers = HTTPFields()
    for field in answer.fields {
      guard let name = HTTPFields.Element.Name(field.name) else { continue }
      headers[name] = field.value
    }
    return Response(
      status: HTTPResponse.Status(code: answer.status), headers: headers,
      body: inParts(ByteBuffer(string: answer.body), onceWritten))
  }

  /// A body that is handed on in parts, as fast as it is read at the other end.
  ///
  /// - Parameter onceWritten: Waits for the part before: only then it is known whether there is room for another.
  static func inParts(
    _ bytes: ByteBuffer, _ onceWritten: @escaping @Sendable () async throws -> Void
  ) -> ResponseBody {
    guard bytes.readableBytes > Limits.countedAnswerBytes else {
      return ResponseBody(byteBuffer: bytes)
    }
    return ResponseBody(contentLength: bytes.readableBytes) { writer in
      var rest = bytes
      while let part = rest.readSlice(length: min(rest.readableBytes, Limits.countedAnswerBytes)),
        part.readableBytes > 0
      {
        try await writer.write(part)
        try await onceWritten()
      }
      try await writer.finish(nil)
    }
  }
}

extension RestPrincipal {
  /// For whom something is done, where it is counted how much that is.
  var owner: String { user ?? key ?? "" }
}
