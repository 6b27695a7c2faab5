import Hummingbird
import RestAPI

extension ServedRoute {
  /// Every route but those of tables and of providers.
  static let all: [ServedRoute] =
    accounts + [matchPassage, checkOverstay, createRanger, changes, health, description]
    + StorageOperation.allCases.map(\.route)

  private static let text: RestJSON = ["type": "string"]
  private static let json = "application/json"

  private static func object(_ properties: [String: RestJSON], _ required: [String] = [])
    -> RestJSON
  {
    var schema: [String: RestJSON] = ["type": "object", "properties": .object(properties)]
    if !required.isEmpty { schema["required"] = .list(required.map { .text($0) }) }
    return .object(schema)
  }

  // MARK: - Accounts

  static let token = ServedRoute(
    method: .post, path: "/auth/v1/token", part: .accounts,
    summary: "tokens for a name and a password, or for the last refresh token", isOpen: true,
    values: [
      Value(
        name: "grant_type", isRequired: true,
        schema: ["type": "string", "enum": ["password", "refresh_token"]])
    ],
    bodies: [json: object(["email": text, "password": text, "refresh_token": text])])

  static let user = ServedRoute(
    method: .get, path: "/auth/v1/user", part: .accounts, summary: "the account of a token")

  static let changeUser = ServedRoute(
    method: .put, path: "/auth/v1/user", part: .accounts,
    summary: "gives one's own account another password",
    bodies: [json: object(["password": text], ["password"])])

  static let changeAnother = ServedRoute(
    method: .put, path: "/auth/v1/admin/users/{id}", part: .accounts,
    summary: "gives an account another password; for an admin and the service",
    bodies: [json: object(["password": text], ["password"])])

  static let logout = ServedRoute(
    method: .post, path: "/auth/v1/logout", part: .accounts, summary: "ends sessions",
    values: [
      Value(name: "scope", schema: ["type": "string", "enum": ["global", "local", "others"]])
    ],
    answers: [Answer(status: 204, words: "signed out")])

  static let keys = ServedRoute(
    method: .get, path: "/auth/v1/.well-known/jwks.json", part: .accounts,
    summary: "the public keys by which tokens are checked", isOpen: true)

  static let accountHealth = ServedRoute(
    method: .get, path: "/auth/v1/health", part: .accounts, summary: "that it is there",
    isOpen: true)

  private static let accounts = [
    token, user, changeUser, changeAnother, logout, keys, accountHealth,
  ]

  // MARK: - Functions

  static let matchPassage = ServedRoute(
    method: .post, path: "/functions/v1/match-passage", part: .functions,
    summary: "whether two passages are one travel",
    bodies: [
      json: object(
        [
          "entry_passage_id": ["type": "string", "format": "uuid"],
          "exit_passage_id": ["type": "string", "format": "uuid"],
        ], ["entry_passage_id", "exit_passage_id"])
    ])

  static let checkOverstay = ServedRoute(
    method: .post, path: "/functions/v1/check-overstay", part: .functions,
    summary: "looks for vehicles that ought to have left; for an admin and the service")

  static let createRanger = ServedRoute(
    method: .post, path: "/functions/v1/create-ranger", part: .accounts,
    summary: "makes the account of a ranger; for an admin and the service",
    bodies: [
      json: object(
        [
          "username": text, "password": text, "full_name": text,
          "phone_number": ["type": "string", "nullable": true],
          "assigned_checkpost_id": ["type": "string", "nullable": true],
        ], ["username", "password", "full_name"])
    ],
    answers: [Answer(status: 201, words: "the account", type: json)])

  // MARK: - Others

  static let changes = ServedRoute(
    method: .get, path: "/events/v1", part: .changes,
    summary:
      "passages, violations and alerts as they change, for those who may read them, as server-sent events",
    values: [
      Value(
        name: "tables",
        schema: [
          "type": "string",
          "pattern":
            "^(vehicle_passages|violations|proactive_overstay_alerts)(,(vehicle_passages|violations|proactive_overstay_alerts))*$",
        ]),
      Value(
        name: "Last-Event-ID", place: "header",
        schema: ["type": "string", "pattern": "^[0-9]{1,15}-[0-9]{1,15}$"]),
    ],
    answers: [
      Answer(status: 200, words: "events, until it ends", type: "text/event-stream", schema: text)
    ])

  static let health = ServedRoute(
    method: .get, path: "/healthz", part: .health, summary: "whether all is well", isOpen: true,
    answers: [
      Answer(
        status: 200, words: "what comes in is kept", type: json,
        schema: object(["status": ["type": "string", "enum": ["ok", "degraded"]]], ["status"])),
      Answer(status: 503, words: "nothing that comes in can be kept", type: json),
    ])

  static let description = ServedRoute(
    method: .get, path: "/openapi.json", part: .description, summary: "this description",
    isOpen: true)
}
