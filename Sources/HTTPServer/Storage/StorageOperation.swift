import Hummingbird
import RestAPI

/// What may be asked of the storage of photographs: the table by which requests are told apart, and by which they are
/// described.
enum StorageOperation: CaseIterable, Hashable, Sendable {
  case list, listByCursor, remove, removeOne, info, read, look, keep, replace
  case link, links, readByLink, linkForUpload, keepByLink
  case buckets, bucket

  /// What a request names.
  struct Target: Hashable {
    var operation: StorageOperation
    /// The bucket, as it stands in the path; empty where none does.
    var bucket = ""
    /// The name of the photograph, likewise.
    var name = ""
  }

  var method: HTTPRequest.Method {
    switch self {
    case .list, .listByCursor, .link, .links, .linkForUpload, .keep: .post
    case .replace, .keepByLink: .put
    case .remove, .removeOne: .delete
    case .look: .head
    case .info, .read, .readByLink, .buckets, .bucket: .get
    }
  }

  /// The path below `/storage/v1/`.
  var path: String {
    switch self {
    case .list: "object/list/{bucket}"
    case .listByCursor: "object/list-v2/{bucket}"
    case .remove: "object/{bucket}"
    case .info: "object/info/{bucket}/{name}"
    case .removeOne, .read, .look, .keep, .replace: "object/{bucket}/{name}"
    case .links: "object/sign/{bucket}"
    case .link, .readByLink: "object/sign/{bucket}/{name}"
    case .linkForUpload, .keepByLink: "object/upload/sign/{bucket}/{name}"
    case .buckets: "bucket"
    case .bucket: "bucket/{bucket}"
    }
  }

  /// Whether a token in the address says what may be done, and nobody has to say who they are.
  var isByLink: Bool { self == .readByLink || self == .keepByLink }

  /// What a request asks for; nil where there is no such route.
  ///
  /// - Parameter parts: Of the path below `/storage/v1/`.
  static func found(_ method: HTTPRequest.Method, _ parts: [String]) -> Target? {
    // What may be read with a token is asked for by either name.
    if parts.count == 4, parts[0] == "object", ["authenticated", "public"].contains(parts[1]) {
      return found(method, [parts[0]] + parts[2...])
    }
    if parts.count == 5, parts[0] == "object", parts[1] == "info",
      ["authenticated", "public"].contains(parts[2])
    {
      return found(method, Array(parts[..<2]) + parts[3...])
    }
    let fitting = allCases.compactMap { operation in
      operation.fit(parts).map { (operation: operation, target: $0.target, words: $0.words) }
    }
    // The path with more words of its own is meant: no bucket has the name of one.
    let most = fitting.map(\.words).max()
    let meant = fitting.filter { $0.words == most }
    let found =
      meant.first { $0.operation.method == method }
      ?? meant.first { method == .head && $0.operation.method == .get }
    return found?.target
  }

  private func fit(_ parts: [String]) -> (target: Target, words: Int)? {
    let own = path.split(separator: "/")
    guard own.count == parts.count else { return nil }
    var target = Target(operation: self)
    var words = 0
    for (own, part) in zip(own, parts) {
      switch own {
      case "{bucket}": target.bucket = part
      case "{name}": target.name = part
      default:
        guard own == part else { return nil }
        words += 1
      }
    }
    return (target, words)
  }

  /// How it is described.
  var route: ServedRoute {
    var route = ServedRoute(
      method: method, path: "/storage/v1/\(path)", part: .photographs, summary: summary)
    route.isOpen = isByLink
    let list: RestJSON = ["type": "array", "items": ["type": "object"]]
    let image: RestJSON = ["type": "string", "format": "binary"]
    let seconds: RestJSON = [
      "type": "integer", "minimum": 1, "maximum": .number("\(Limits.linkSeconds)"),
    ]
    let json = "application/json"
    switch self {
    case .list:
      route.bodies = [
        json: [
          "type": "object",
          "properties": [
            "prefix": [
              "type": "string", "nullable": true, "maxLength": .number("\(Limits.storageText)"),
            ],
            "search": [
              "type": "string", "nullable": true, "maxLength": .number("\(Limits.storageText)"),
            ],
            "limit": ["type": "integer", "nullable": true, "minimum": 1, "maximum": 1_000],
            "offset": [
              "type": "integer", "nullable": true, "minimum": 0,
              "maximum": .number("\(Limits.listedOffset)"),
            ],
            "sortBy": [
              "type": "object", "nullable": true,
              "properties": [
                "column": [
                  "type": "string", "nullable": true,
                  "enum": ["name", "created_at", "updated_at", "last_accessed_at", .null],
                ],
                "order": [
                  "type": "string", "nullable": true, "enum": ["", "asc", "desc", .null],
                ],
              ],
            ],
          ],
        ]
      ]
      route.answers = [
        ServedRoute.Answer(status: 200, words: "photographs", type: json, schema: list)
      ]
    case .listByCursor:
      route.bodies = [
        json: [
          "type": "object",
          "properties": [
            "prefix": [
              "type": "string", "nullable": true, "maxLength": .number("\(Limits.storageText)"),
            ],
            "limit": ["type": "integer", "nullable": true, "minimum": 1, "maximum": 1_000],
            "cursor": [
              "type": "string", "nullable": true,
              "pattern": "^([A-Za-z0-9_-][A-Za-z0-9_.-]{0,99})?$",
            ],
            "with_delimiter": ["type": "boolean", "nullable": true],
          ],
        ]
      ]
    case .remove:
      route.bodies = [
        json: [
          "type": "object", "required": ["prefixes"],
          "properties": [
            "prefixes": [
              "type": "array", "minItems": 1, "maxItems": 1_000, "items": ["type": "string"],
            ]
          ],
        ]
      ]
      route.answers = [
        ServedRoute.Answer(status: 200, words: "those that are gone", type: json, schema: list)
      ]
    case .read, .readByLink:
      route.answers = [
        ServedRoute.Answer(status: 200, words: "the photograph", type: "image/*", schema: image)
      ]
    case .look: route.answers = [ServedRoute.Answer(status: 200, words: "it is there")]
    case .keep, .replace, .keepByLink: route.bodies = ["image/jpeg": image, "image/png": image]
    case .link:
      route.bodies = [
        json: ["type": "object", "required": ["expiresIn"], "properties": ["expiresIn": seconds]]
      ]
    case .links:
      route.bodies = [
        json: [
          "type": "object", "required": ["expiresIn", "paths"],
          "properties": [
            "expiresIn": seconds,
            "paths": [
              "type": "array", "minItems": 1, "maxItems": 1_000, "items": ["type": "string"],
            ],
          ],
        ]
      ]
      route.answers = [
        ServedRoute.Answer(status: 200, words: "addresses", type: json, schema: list)
      ]
    case .buckets:
      route.answers = [ServedRoute.Answer(status: 200, words: "buckets", type: json, schema: list)]
    case .removeOne, .info, .linkForUpload, .bucket: break
    }
    if isByLink {
      route.values = [
        ServedRoute.Value(name: "token", isRequired: true, schema: ["type": "string"])
      ]
    }
    return route
  }

  private var summary: String {
    switch self {
    case .list: "photographs, a page of them"
    case .listByCursor: "photographs, page by page behind the last name"
    case .remove: "removes photographs; an admin and the service do"
    case .removeOne: "removes a photograph; an admin and the service do"
    case .info: "what a photograph is"
    case .read: "a photograph"
    case .look: "whether a photograph is there"
    case .keep: "keeps a photograph"
    case .replace: "keeps a photograph in place of one that is there"
    case .link: "an address that shows a photograph for a while"
    case .links: "the same of several"
    case .readByLink: "the photograph of such an address"
    case .linkForUpload: "an address at which a photograph is taken for a while"
    case .keepByLink: "keeps the photograph of such an address"
    case .buckets: "the bucket that there is"
    case .bucket: "what the bucket takes"
    }
  }
}
