import JSON
import Time

/// What stands before all services: it looks at the key of the project and at the token.
enum Gateway {
  /// What a token comes to.
  enum Verdict: Hashable {
    case accepted(ModelCaller)
    case wrong(code: String, message: String)
  }

  static let noKey = ModelResponse(
    401,
    [
      "message": "No API key found in request",
      "hint": "No `apikey` request header or url param was found.",
    ])

  static let unknownKey = ModelResponse(
    401,
    [
      "message": "Invalid API key",
      "hint": "Double check your Supabase `anon` or `service_role` API key.",
    ])

  static let noRoute = ModelResponse(
    404, ["message": "no Route matched with those values"])

  /// What a service says to a token that it does not take.
  static func refusal(of verdict: Verdict, in area: ModelArea) -> ModelResponse {
    guard case .wrong(let code, let message) = verdict else { return noRoute }
    switch area {
    case .files:
      return ObjectStore.refusal(
        "403", "Unauthorized",
        message == "JWT expired" ? "\"exp\" claim timestamp check failed" : message,
        code: "InvalidJWT")
    case .functions:
      return ModelResponse(401, ["code": 401, "message": "Invalid JWT"], type: "application/json")
    case .tables, .signIn:
      var response = ModelResponse(401, SQLError(code, message).body)
      response.headers.append(
        .init(
          "WWW-Authenticate",
          "Bearer error=\"invalid_token\", error_description=\"\(message)\""))
      return response
    }
  }
}
