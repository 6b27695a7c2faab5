import JSON
import Time

/// What faults answer.
extension ModelFault {
  /// The answer in place of the server's own; nil where the request is done, or dropped.
  func answer(to request: ModelRequest, area: ModelArea, at now: WallTime) -> ModelResponse? {
    switch self {
    case .internalError: Self.database(500, "XX000", "internal error")
    case .badGateway: Self.page(502, "Bad Gateway", "cloudflare")
    case .noDatabase:
      Self.database(503, "PGRST001", "Database client error. Retrying the connection.")
    case .poolTimeout:
      Self.database(504, "PGRST003", "Timed out acquiring connection from connection pool.")
    case .deadlock: Self.database(500, "40P01", "deadlock detected")
    case .statementTimeout:
      Self.database(500, "57014", "canceling statement due to statement timeout")
    case .diskFull:
      Self.database(503, "53100", "could not extend file: No space left on device")
    case .originDown: Self.page(521, "Web server is down", "cloudflare")
    case .paused: ModelResponse(540, ["message": "Project paused"])
    case .databaseTimeout:
      ModelResponse(
        544, ["statusCode": "544", "error": "DatabaseTimeout", "message": "Database timed out"])
    case .busy: Self.tooMany("7")
    case .busyUntil: Self.tooMany(Timestamp.httpDate(now + .seconds(90)))
    case .busyWithoutEnd: Self.tooMany(nil)
    case .busyForever: Self.tooMany("1000000000")
    case .unpaid:
      ModelResponse(
        402, ["message": "Service for this project is restricted due to: exceed_db_size_quota"])
    case .readOnly:
      Self.database(405, "25006", "cannot execute INSERT in a read-only transaction")
    case .missingReference: Self.unknownRanger(request)
    case .denied: Self.notAllowed(request)
    case .staleSchema: Self.stale(request)
    case .requestTimeout: Self.page(408, "Request Time-out", nil)
    case .tooLarge: Self.page(413, "Request Entity Too Large", "nginx")
    case .firewall: Self.page(403, "Sorry, you have been blocked", "cloudflare")
    case .keyRevoked: Gateway.unknownKey
    case .issuedInFuture: Self.token("PGRST303", "JWT issued at future", area)
    case .expired: Self.token("PGRST303", "JWT expired", area)
    case .portal: Self.page(200, "Sign in to the network", nil)
    case .portalRedirect: Self.moved(302, "http://portal.invalid/login")
    case .portalStatus: Self.page(511, "Network Authentication Required", nil)
    case .redirect: Self.moved(307, "https://elsewhere.invalid" + request.target)
    case .wrongJSON: ModelResponse(200, ["status": "ok", "version": 3])
    case .resetBefore: ModelResponse(status: 0, delivery: .reset)
    case .silent: ModelResponse(status: 0, delivery: .silence)
    case .dropped, .resetAfter, .silentAfter, .truncated, .slow, .twice, .huge, .brokenJSON,
      .clockAhead, .untold:
      nil
    }
  }

  /// What becomes of the server's own answer.
  func spoil(_ response: inout ModelResponse, at now: WallTime) {
    switch self {
    case .resetAfter: response = ModelResponse(status: 0, delivery: .reset)
    case .silentAfter: response = ModelResponse(status: 0, delivery: .silence)
    case .truncated: response.delivery = .cut(after: response.body.count / 2)
    case .slow: response.delivery = .slow(.seconds(10))
    case .huge:
      response.body += [UInt8](repeating: UInt8(ascii: " "), count: 10_000_000)
    case .brokenJSON: response.body = Array("{\"id\": \"".utf8) + response.body.prefix(20)
    case .untold:
      response.body = []
      response.headers.removeAll { $0.name == "Content-Type" }
    case .clockAhead:
      response.headers.removeAll { $0.name == "Date" }
      response.headers.append(.init("Date", Timestamp.httpDate(now + .seconds(31_536_000))))
    default: break
    }
  }

  private static func database(_ status: Int, _ code: String, _ message: String) -> ModelResponse {
    ModelResponse(status, SQLError(code, message).body)
  }

  private static func tooMany(_ retryAfter: String?) -> ModelResponse {
    var response = ModelResponse(429, ["message": "API rate limit exceeded"])
    if let retryAfter { response.headers.append(.init("Retry-After", retryAfter)) }
    return response
  }

  /// Only what adds a row refers to anything.
  private static func unknownRanger(_ request: ModelRequest) -> ModelResponse? {
    guard request.method == "POST", request.target.contains("/vehicle_passages") else { return nil }
    return database(
      409, "23503",
      "insert or update on table \"vehicle_passages\" violates foreign key constraint"
        + " \"vehicle_passages_ranger_id_fkey\"")
  }

  /// Reading is another right.
  private static func notAllowed(_ request: ModelRequest) -> ModelResponse? {
    guard ["POST", "PATCH"].contains(request.method) else { return nil }
    let table = Query(request.target).path.split(separator: "/").last.map(String.init) ?? ""
    return database(
      403, "42501", "new row violates row-level security policy for table \"\(table)\"")
  }

  private static func stale(_ request: ModelRequest) -> ModelResponse {
    let table = Query(request.target).path.split(separator: "/").last.map(String.init) ?? ""
    if request.method == "GET" || request.method == "HEAD" {
      return database(
        404, "PGRST205", "Could not find the table 'public.\(table)' in the schema cache")
    }
    return database(
      400, "PGRST204", "Could not find the 'client_id' column of '\(table)' in the schema cache")
  }

  private static func token(_ code: String, _ message: String, _ area: ModelArea) -> ModelResponse {
    Gateway.refusal(of: .wrong(code: code, message: message), in: area)
  }

  private static func moved(_ status: Int, _ location: String) -> ModelResponse {
    var response = page(status, "Moved", nil)
    response.headers.append(.init("Location", location))
    return response
  }

  private static func page(_ status: Int, _ title: String, _ server: String?) -> ModelResponse {
    var headers: [ModelResponse.Header] = [.init("Content-Type", "text/html; charset=utf-8")]
    if let server { headers.append(.init("Server", server)) }
    let body =
      "<!DOCTYPE html>\n<html><head><title>\(title)</title></head>"
      + "<body><h1>\(title)</h1></body></html>\n"
    return ModelResponse(status: status, headers: headers, body: Array(body.utf8))
  }
}
