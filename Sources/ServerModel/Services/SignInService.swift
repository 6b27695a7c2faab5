import JSON
import SeededRandom
import Time

/// The service that signs users in: GoTrue's grants, with rotating refresh tokens.
struct SignInService: Sendable {
  struct User: Hashable, Sendable {
    var id: String
    var email: String
    var password: String
    var isBanned = false
  }

  /// A sign-in, with the refresh tokens that it handed out, oldest first. The last one counts.
  struct Session: Sendable {
    var user: String
    var tokens: [String]
    /// When the last one was handed out.
    var rotatedAt: WallTime
    var isRevoked = false
  }

  struct AccessToken: Hashable, Sendable {
    var user: String
    var issuedAt: WallTime
    var expiresAt: WallTime
  }

  private(set) var users: [String: User] = [:]
  private var sessions: [Int: Session] = [:]
  private var sessionOf: [String: Int] = [:]
  private(set) var accessTokens: [String: AccessToken] = [:]
  private var lastSession = 0
  /// When tokens were asked for, as far back as the limit looks.
  private var asked: [WallTime] = []
  private var random: SplitMix64

  init(random: SplitMix64) {
    self.random = random
  }

  mutating func add(_ user: User) { users[user.email.lowercased()] = user }

  mutating func change(_ email: String, _ change: (inout User) -> Void) {
    guard var user = users[email.lowercased()] else { return }
    change(&user)
    users[email.lowercased()] = user
  }

  /// Ends the sessions of a user: no refresh token of them is taken any more.
  mutating func revoke(user: String) {
    for (number, session) in sessions where session.user == user {
      sessions[number]?.isRevoked = true
    }
  }

  /// Forgets every session, as after its time limit.
  mutating func forgetSessions() {
    sessions = [:]
    sessionOf = [:]
  }

  /// Takes a token that an administrator made for a machine.
  mutating func take(_ token: String, of user: String, lasting: Duration, at now: WallTime) {
    accessTokens[token] = AccessToken(user: user, issuedAt: now, expiresAt: now + lasting)
  }

  /// Takes an access token no more.
  mutating func withdraw(_ token: String) { accessTokens[token] = nil }

  mutating func answer(
    _ request: ModelRequest, _ query: Query, settings: ServerModel.Settings, at now: WallTime
  ) -> ModelResponse {
    guard request.method == "POST" else {
      return Self.refusal(405, "method_not_allowed", "Method not allowed")
    }
    asked.removeAll { now - $0 >= .seconds(300) }
    guard asked.count < settings.grantsPerFiveMinutes else {
      return Self.refusal(429, "over_request_rate_limit", "Request rate limit reached")
    }
    asked.append(now)
    guard let body = JSONText.decode(request.body)?.object else {
      return Self.refusal(400, "bad_json", "Could not parse request body as JSON")
    }
    switch query["grant_type"] {
    case "password": return password(body, settings, at: now)
    case "refresh_token": return refresh(body, settings, at: now)
    default:
      return Self.refusal(400, "validation_failed", "unsupported_grant_type")
    }
  }

  private mutating func password(
    _ body: [String: JSONValue], _ settings: ServerModel.Settings, at now: WallTime
  ) -> ModelResponse {
    guard let email = body["email"]?.text, let password = body["password"]?.text,
      let user = users[email.lowercased()], user.password == password
    else {
      return Self.refusal(400, "invalid_credentials", "Invalid login credentials")
    }
    guard !user.isBanned else { return Self.refusal(400, "user_banned", "User is banned") }
    lastSession += 1
    sessions[lastSession] = Session(user: user.id, tokens: [], rotatedAt: now)
    return grant(lastSession, rotates: true, user, settings, at: now)
  }

  private mutating func refresh(
    _ body: [String: JSONValue], _ settings: ServerModel.Settings, at now: WallTime
  ) -> ModelResponse {
    guard let token = body["refresh_token"]?.text, !token.isEmpty else {
      return Self.refusal(400, "validation_failed", "refresh_token required")
    }
    guard let number = sessionOf[token], let session = sessions[number],
      let generation = session.tokens.firstIndex(of: token)
    else {
      return Self.refusal(
        400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
    }
    let alreadyUsed = Self.refusal(
      400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
    guard !session.isRevoked else { return alreadyUsed }
    guard let user = users.values.first(where: { $0.id == session.user }) else {
      return Self.refusal(400, "session_not_found", "Session not found")
    }
    guard !user.isBanned else { return Self.refusal(400, "user_banned", "User is banned") }
    let age = session.tokens.count - 1 - generation
    if age == 0 { return grant(number, rotates: true, user, settings, at: now) }
    // Whoever lost an answer shows the one before the last; it gets the last once more.
    if age == 1 || now - session.rotatedAt < settings.reuseInterval {
      return grant(number, rotates: false, user, settings, at: now)
    }
    sessions[number]?.isRevoked = true
    return alreadyUsed
  }

  private mutating func grant(
    _ number: Int, rotates: Bool, _ user: User, _ settings: ServerModel.Settings, at now: WallTime
  ) -> ModelResponse {
    if rotates {
      let token = String(Identifiers.hexadecimal(random.next()).prefix(12))
      sessions[number]?.tokens.append(token)
      sessions[number]?.rotatedAt = now
      sessionOf[token] = number
    }
    let access =
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + Identifiers.hexadecimal(random.next()) + "."
      + Identifiers.hexadecimal(random.next())
    let lasts = settings.accessTokenLasts
    // Long expired ones are never accepted again.
    if accessTokens.count > 1_000 {
      accessTokens = accessTokens.filter { now - $0.value.expiresAt < .seconds(3_600) }
    }
    accessTokens[access] = AccessToken(user: user.id, issuedAt: now, expiresAt: now + lasts)
    return ModelResponse(
      200,
      [
        "access_token": .text(access), "token_type": "bearer",
        "expires_in": .integer(lasts.wholeSeconds),
        "expires_at": .integer((now + lasts).epochSeconds),
        "refresh_token": .text(sessions[number]?.tokens.last ?? ""),
        "user": [
          "id": .text(user.id), "aud": "authenticated", "role": "authenticated",
          "email": .text(user.email),
        ],
      ], type: "application/json")
  }

  static func refusal(_ status: Int, _ code: String, _ message: String) -> ModelResponse {
    var response = ModelResponse(
      status, ["code": .integer(Int64(status)), "error_code": .text(code), "msg": .text(message)],
      type: "application/json")
    response.headers.append(.init("x-sb-error-code", code))
    return response
  }
}
