import Hummingbird
import RestAPI

/// What is answered to a request for which there is no route, in the form of the service that it was meant for.
struct UnknownRoute {
  /// The answer.
  let response: Response

  /// - Parameters:
  ///   - hasTables: Whether there are tables to ask for.
  ///   - hasAccounts: Whether somebody may sign in.
  init(_ request: Request, hasTables: Bool, hasAccounts: Bool) {
    let parts = request.uri.path.split(separator: "/").map(String.init)
    var answer: RestAnswer
    switch (parts.first, parts.count) {
    case ("rest", 3...) where hasTables && parts[1] == "v1":
      answer = UnknownRoute.table(request.method, Array(parts.dropFirst(2)))
    case ("auth", 3...) where hasAccounts && parts[1] == "v1":
      answer = UnknownRoute.account(parts.dropFirst(2).joined(separator: "/"))
    case ("functions", 3...) where hasTables || hasAccounts:
      answer = UnknownRoute.json(
        404, ["code": "NOT_FOUND", "message": "Requested function was not found"])
    case ("storage", _) where hasTables:
      answer = UnknownRoute.json(
        404, ["statusCode": "404", "error": "not_found", "message": "There is no such route"])
    case ("rest", 2) where hasTables && parts[1] == "v1":
      answer = UnknownRoute.json(405, ["message": "Method not allowed"])
      answer.fields.append(.init("Allow", "GET, HEAD"))
    default: answer = UnknownRoute.json(404, ["message": "There is no such route"])
    }
    var kinds: Set<ServedRoute.Part> = [.description, .health]
    if hasTables { kinds.formUnion([.changes, .functions, .photographs]) }
    if hasAccounts { kinds.insert(.accounts) }
    let methods = ServedRoute.methods(at: parts, of: kinds)
    if !methods.isEmpty {
      // What is there is asked for in another way.
      if answer.status == 404 {
        // A function says what is wrong under a name of its own.
        let name = parts.first == "functions" ? "error" : "message"
        answer = UnknownRoute.json(405, [name: "Method not allowed"])
      }
      answer.fields.append(.init("Allow", methods.map(\.rawValue).joined(separator: ", ")))
    }
    if request.method == .head { answer.body = "" }
    response = APIRoutes.response(answer)
  }

  private static func json(_ status: Int, _ members: [String: RestJSON]) -> RestAnswer {
    .json(status, RestJSON.object(members).written)
  }

  /// What PostgREST answers to what is no request for rows.
  private static func table(_ method: HTTPRequest.Method, _ path: [String]) -> RestAnswer {
    if path[0] == "rpc", path.count == 2 { return RestHandler.unknownFunction(path[1]) }
    guard path.count == 1 else { return json(404, ["message": "There is no such route"]) }
    return RestHandler.answer(toMethod: method.rawValue, of: path[0])
  }

  /// What GoTrue answers: what is there is asked for in another way.
  private static func account(_ path: String) -> RestAnswer {
    let known = ["token", "user", "logout", "health", ".well-known/jwks.json"]
    guard known.contains(path) else {
      return json(404, ["code": .number("404"), "error_code": "not_found", "msg": "Not found"])
    }
    return json(
      405,
      ["code": .number("405"), "error_code": "method_not_allowed", "msg": "Method not allowed"])
  }
}
