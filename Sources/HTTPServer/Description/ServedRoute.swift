import Hummingbird
import RestAPI

/// A route as it is served and as it is described: both are made from the same entry.
struct ServedRoute: Sendable {
  /// A value in the query or the header of a request.
  struct Value: Sendable {
    var name: String
    var place = "query"
    var isRequired = false
    var schema: RestJSON
  }

  /// What is answered.
  struct Answer: Sendable {
    var status: Int
    var words: String
    /// The type of its body; nil for none.
    var type: String?
    var schema: RestJSON = ["type": "object"]
  }

  var method: HTTPRequest.Method
  /// The path, with the names of its parts in braces.
  var path: String
  var part: Part
  var summary: String
  /// Whether nobody has to say who they are.
  var isOpen = false
  var values: [Value] = []
  /// The types of its body, with their schemas; empty for none.
  var bodies: [String: RestJSON] = [:]
  var isBodyRequired = true
  var answers: [Answer] = [Answer(status: 200, words: "OK", type: "application/json")]

  /// What a route is one of.
  enum Part: String, Sendable {
    case accounts, functions, photographs, changes, health, description
  }
}

extension ServedRoute {
  /// The methods by which a path is asked for, of those that there are; none of a path that there is not.
  ///
  /// - Parameter parts: Of the path.
  static func methods(at parts: [String], of all: Set<Part>) -> [HTTPRequest.Method] {
    let fitting = ServedRoute.all.compactMap { route -> (method: HTTPRequest.Method, words: Int)? in
      let own = route.path.split(separator: "/")
      guard all.contains(route.part), own.count == parts.count,
        zip(own, parts).allSatisfy({ $0 == $1 || $0.hasPrefix("{") })
      else { return nil }
      return (route.method, own.count { !$0.hasPrefix("{") })
    }
    // The path with more words of its own is meant.
    let most = fitting.map(\.words).max()
    return fitting.filter { $0.words == most }.map(\.method)
  }
}

extension Router<CallContext> {
  /// Answers a route of the table.
  func serve(
    _ route: ServedRoute, use answer: @escaping @Sendable (Request, CallContext) async -> Response
  ) {
    on(RouterPath(route.path), method: route.method) { request, context in
      await answer(request, context)
    }
  }
}

/// Everything that is answered beside tables and what providers send, in the form of OpenAPI 3.0.
enum ServiceDescription {
  /// The description of what a server has.
  static func document(version: String, parts: Set<ServedRoute.Part>) -> RestJSON {
    var paths: [String: [String: RestJSON]] = [:]
    for route in ServedRoute.all where parts.contains(route.part) {
      paths[route.path, default: [:]][route.method.rawValue.lowercased()] = operation(route)
    }
    return [
      "openapi": "3.0.3",
      "info": [
        "title": "checkpost: accounts, photographs and functions of the central",
        "version": .text(version),
        "description": "Tables are described at /rest/v1/.",
      ],
      "paths": .object(paths.mapValues { .object($0) }),
      "components": [
        "securitySchemes": [
          "apikey": ["type": "apiKey", "in": "header", "name": "apikey"],
          "bearer": ["type": "http", "scheme": "bearer"],
        ]
      ],
    ]
  }

  private static func operation(_ route: ServedRoute) -> RestJSON {
    var operation: [String: RestJSON] = [
      "tags": [.text(route.part.rawValue)], "summary": .text(route.summary),
      // A caller who shows nothing is nobody in particular, who may do little.
      "security": route.isOpen ? [] : [[:], ["apikey": []], ["bearer": []]],
    ]
    let parameters = parts(of: route.path) + route.values.map(parameter)
    if !parameters.isEmpty { operation["parameters"] = .list(parameters) }
    if !route.bodies.isEmpty {
      operation["requestBody"] = [
        "required": .flag(route.isBodyRequired),
        "content": .object(route.bodies.mapValues { ["schema": $0] }),
      ]
    }
    var answers: [String: RestJSON] = [
      "default": [
        "description": "What is wrong",
        "content": ["application/json": ["schema": ["type": "object"]]],
      ]
    ]
    for answer in route.answers {
      var described: [String: RestJSON] = ["description": .text(answer.words)]
      if let type = answer.type {
        described["content"] = .object([type: ["schema": answer.schema]])
      }
      answers["\(answer.status)"] = .object(described)
    }
    operation["responses"] = .object(answers)
    return .object(operation)
  }

  private static func parts(of path: String) -> [RestJSON] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
      let name = String(part.dropFirst().dropLast())
      var schema: [String: RestJSON] = ["type": "string"]
      switch name {
      case "bucket": schema["enum"] = [.text(APIRoutes.bucket)]
      case "name": schema["pattern"] = "^[A-Za-z0-9_-]{1,80}(\\.([jJ][pP][eE]?[gG]|[pP][nN][gG]))*$"
      case "id": schema["format"] = "uuid"
      default: break
      }
      return [
        "name": .text(name), "in": "path", "required": true, "schema": .object(schema),
      ]
    }
  }

  private static func parameter(_ value: ServedRoute.Value) -> RestJSON {
    [
      "name": .text(value.name), "in": .text(value.place), "required": .flag(value.isRequired),
      "schema": value.schema,
    ]
  }
}
