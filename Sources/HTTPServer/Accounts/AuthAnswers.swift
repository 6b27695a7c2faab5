import Accounts
import Hummingbird
import JSON
import NIOCore
import Time

/// Answers in the form of GoTrue.
enum AuthAnswers {
  /// What somebody gets who signed in.
  static func tokens(_ tokens: GrantedTokens) -> Response {
    var response = Response.json(
      .ok,
      [
        "access_token": .text(tokens.accessToken), "token_type": "bearer",
        "expires_in": .integer(tokens.claims.expiresAt - tokens.claims.issuedAt),
        "expires_at": .integer(tokens.claims.expiresAt),
        "refresh_token": .text(tokens.refreshToken), "user": user(tokens.account),
      ])
    // RFC 6749, 5.1.
    response.headers[.cacheControl] = "no-store"
    return response
  }

  /// An account as its owner sees it.
  static func user(_ account: Account) -> JSONValue {
    let made = JSONValue.text(account.createdAt.rfc3339)
    return [
      "id": .text(account.id.text), "aud": .text(TokenClaims.audience),
      "role": .text(TokenClaims.databaseRole), "email": .text(account.login.address),
      "email_confirmed_at": made, "confirmed_at": made, "phone": .text(account.phone ?? ""),
      "app_metadata": [
        "provider": "email", "providers": ["email"], "role": .text(account.role.rawValue),
      ],
      "user_metadata": ["full_name": .text(account.fullName)], "identities": [],
      "created_at": made, "updated_at": .text(account.updatedAt.rfc3339), "is_anonymous": false,
    ]
  }

  static func refusal(_ refusal: GrantRefusal) -> Response {
    var response = Response.json(
      HTTPResponse.Status(code: refusal.status),
      [
        "code": .integer(Int64(refusal.status)), "error_code": .text(refusal.code),
        "msg": .text(refusal.message),
      ])
    response.set("x-sb-error-code", refusal.code)
    response.headers[.cacheControl] = "no-store"
    if let seconds = refusal.retryAfter { response.headers[.retryAfter] = String(seconds) }
    return response
  }
}

extension AccessRefusal {
  /// The answer, as PostgREST or the gateway in front of it gives it.
  var response: Response {
    var body: [String: JSONValue] = ["message": .text(message)]
    if let code {
      body["code"] = .text(code)
      body["details"] = .null
      body["hint"] = .null
    }
    var response = Response.json(HTTPResponse.Status(code: status), .object(body))
    if let challenge { response.headers[.wwwAuthenticate] = challenge }
    if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
    return response
  }
}

extension Response {
  /// An answer in JSON.
  static func json(_ status: HTTPResponse.Status, _ value: JSONValue) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: JSONText.line(value))))
  }

  mutating func set(_ name: String, _ value: String) {
    if let name = HTTPFields.Element.Name(name) { headers[name] = value }
  }
}
