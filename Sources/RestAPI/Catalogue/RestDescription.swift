/// What there is to ask for, in the form in which PostgREST describes it at its root (OpenAPI 2.0): made from the
/// ``Catalogue`` and the policies that serve.
public enum RestDescription {
  /// The media type of the description.
  public static let mediaType = "application/openapi+json; charset=utf-8"

  /// The description.
  ///
  /// - Parameters:
  ///   - version: That of the program.
  ///   - host: The name and port at which the tables are, as the caller knows them; nil where that is not known.
  public static func document(version: String, host: String? = nil) -> RestJSON {
    var paths: [String: RestJSON] = [
      "/": [
        "get": [
          "tags": ["Introspection"], "summary": "OpenAPI description (this document)",
          "produces": ["application/openapi+json", "application/json"],
          "responses": ["200": ["description": "OK"], "default": failure],
        ]
      ]
    ]
    var definitions: [String: RestJSON] = ["error": error]
    var parameters = shared
    for table in Catalogue.tables {
      paths["/\(table.name)"] = path(table)
      definitions[table.name] = definition(table)
      for column in table.columns {
        parameters["rowFilter.\(table.name).\(column.name)"] = filter(column)
      }
      for method in [RestMethod.post, .patch] where RestPolicy.isWritable(table, by: method) {
        parameters["body.\(method.rawValue.lowercased()).\(table.name)"] = body(table, method)
      }
    }
    var document: [String: RestJSON] = [
      "swagger": "2.0", "basePath": "/rest/v1", "schemes": ["https", "http"],
      "info": [
        "title": "checkpost: tables of the central", "version": .text(version),
        "description":
          "Tables as PostgREST has them; who may see and write which rows follows from who signed in.",
      ],
      "consumes": ["application/json", "text/csv"],
      "paths": .object(paths), "definitions": .object(definitions),
      "parameters": .object(parameters),
      "securityDefinitions": [
        "apikey": ["type": "apiKey", "in": "header", "name": "apikey"],
        "bearer": [
          "type": "apiKey", "in": "header", "name": "Authorization",
          "description": "Bearer and the token of the account",
        ],
      ],
    ]
    if let host { document["host"] = .text(host) }
    return .object(document)
  }

  // MARK: - Paths

  private static func path(_ table: RestTable) -> RestJSON {
    let filters = table.columns.map {
      RestJSON.reference("parameters/rowFilter.\(table.name).\($0.name)")
    }
    let rows: RestJSON = [
      "type": "array", "items": .reference("definitions/\(table.name)"),
    ]
    var methods: [String: RestJSON] = [
      "get": operation(
        table, "reads rows",
        filters
          + ["select", "order", "range", "rangeUnit", "offset", "limit", "preferCount"].map {
            .reference("parameters/\($0)")
          },
        ["200": answer("OK", rows), "206": answer("Partial Content", rows)],
        told: ["application/json", "application/vnd.pgrst.object+json", "text/csv"])
    ]
    if RestPolicy.isWritable(table, by: .post) {
      methods["post"] = operation(
        table, "puts rows in, all or none of them",
        ["body.post.\(table.name)", "select", "on_conflict", "columns", "preferPost"].map {
          .reference("parameters/\($0)")
        },
        [
          "200": answer("OK: every row was merged into one that was there"),
          "201": answer("Created"),
        ])
    }
    if RestPolicy.isWritable(table, by: .patch) {
      methods["patch"] = operation(
        table, "changes rows",
        filters
          + ["body.patch.\(table.name)", "select", "preferReturn"].map {
            .reference("parameters/\($0)")
          },
        ["200": answer("OK: the rows"), "204": answer("No Content")])
    }
    if RestPolicy.isWritable(table, by: .delete) {
      methods["delete"] = operation(
        table, "removes rows",
        filters + ["select", "preferReturn"].map { .reference("parameters/\($0)") },
        ["200": answer("OK: the rows"), "204": answer("No Content")])
    }
    return .object(methods)
  }

  /// - Parameter types: Of what is told, where something always is. What is written is told to those alone who prefer
  ///   it, so that no type goes with every answer of that kind, and nothing is promised of their bodies.
  private static func operation(
    _ table: RestTable, _ summary: String, _ parameters: [RestJSON],
    _ answers: [String: RestJSON], told types: [String] = []
  ) -> RestJSON {
    var operation: [String: RestJSON] = [
      "tags": [.text(table.name)], "summary": .text(summary), "parameters": .list(parameters),
      "responses": .object(answers.merging(["default": failure]) { own, _ in own }),
    ]
    if !types.isEmpty { operation["produces"] = .list(types.map { .text($0) }) }
    return .object(operation)
  }

  private static func answer(_ words: String, _ schema: RestJSON? = nil) -> RestJSON {
    var answer: [String: RestJSON] = ["description": .text(words)]
    if let schema { answer["schema"] = schema }
    return .object(answer)
  }

  private static let failure: RestJSON = [
    "description": "What is wrong", "schema": .reference("definitions/error"),
  ]

  /// A refusal; a caller who may not ask at all is told the message alone.
  private static let error: RestJSON = [
    "type": "object", "required": ["message"],
    "properties": [
      "code": ["type": "string", "x-nullable": true], "message": ["type": "string"],
      "details": ["type": "string", "x-nullable": true],
      "hint": ["type": "string", "x-nullable": true],
    ],
  ]

  // MARK: - Rows

  private static func definition(_ table: RestTable) -> RestJSON {
    var properties: [String: RestJSON] = [:]
    for column in table.columns { properties[column.name] = property(column, of: table) }
    return [
      "type": "object", "properties": .object(properties),
      "required": .list(
        table.columns.filter { !$0.isNullable && $0.fallback == nil }.map { .text($0.name) }),
    ]
  }

  private static func property(_ column: RestColumn, of table: RestTable) -> RestJSON {
    var property = column.schema
    var notes: [String] = []
    if column.name == table.columns.first?.name { notes.append("This is a Primary Key.<pk/>") }
    if let reference = table.references.first(where: { $0.column == column.name }) {
      notes.append(
        "This is a Foreign Key to `\(reference.target).id`.<fk table='\(reference.target)' column='id'/>"
      )
    }
    if !notes.isEmpty {
      property["description"] = .text("Note:\n" + notes.joined(separator: "\n"))
    }
    switch column.fallback {
    case .uuid: property["default"] = "gen_random_uuid()"
    case .now: property["default"] = "now()"
    case .value(.flag(let flag)): property["default"] = .flag(flag)
    case .value(.integer(let number)): property["default"] = .number("\(number)")
    case .value(.text(let text)) where column.kind == .text: property["default"] = .text(text)
    case .value, nil: break
    }
    return .object(property)
  }

  private static func body(_ table: RestTable, _ method: RestMethod) -> RestJSON {
    let columns = table.columns.filter { method == .post ? $0.mayBeGiven : $0.mayBeChanged }
    var properties: [String: RestJSON] = [:]
    for column in columns { properties[column.name] = .object(column.schema) }
    for name in RestBody.beside(table)
    where method == .post ? name != RestBody.since : name != RestBody.suffix {
      properties[name] = ["type": "string", "x-nullable": true]
      if name == RestBody.since {
        properties[name] = ["type": "string", "format": "date-time", "x-nullable": true]
      }
    }
    var schema: [String: RestJSON] = [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
    ]
    if method == .post {
      schema["required"] = .list(
        columns.filter { !$0.isNullable && $0.fallback == nil }.map { .text($0.name) })
    }
    return [
      "name": .text(table.name), "in": "body", "required": true, "schema": .object(schema),
      "description": .text(method == .post ? "a row, or a list of rows" : "the new values"),
    ]
  }

  // MARK: - Parameters

  private static func filter(_ column: RestColumn) -> RestJSON {
    [
      "name": .text(column.name), "in": "query", "required": false, "type": "string",
      "pattern": .text(column.filterPattern),
      "description": .text("a condition: \(column.operators.joined(separator: ", "))"),
    ]
  }

  private static func parameter(
    _ name: String, in place: String = "query", _ words: String, _ more: [String: RestJSON]
  ) -> RestJSON {
    .object(
      [
        "name": .text(name), "in": .text(place), "required": false, "type": "string",
        "description": .text(words),
      ].merging(more) { $1 })
  }

  private static var shared: [String: RestJSON] {
    let number: [String: RestJSON] = [
      "type": "integer", "minimum": 0, "maximum": .number("\(RestLimits.offset)"),
    ]
    return [
      "select": parameter("select", "columns, name:column, column::type and relation(…)", [:]),
      "order": parameter("order", "column.desc.nullslast,…", [:]),
      "limit": parameter("limit", "how many rows; \(RestLimits.rows) at most are told", number),
      "offset": parameter("offset", "how many rows are passed over", number),
      "on_conflict": parameter("on_conflict", "the columns by which a row is the same", [:]),
      "columns": parameter("columns", "the keys of the body that count", [:]),
      "range": parameter("Range", in: "header", "which rows: 0-499", [:]),
      "rangeUnit": parameter("Range-Unit", in: "header", "items", [:]),
      "preferReturn": parameter(
        "Prefer", in: "header",
        "what is told of the rows: return=representation or return=minimal; what is not known counts for nothing",
        [:]),
      "preferCount": parameter(
        "Prefer", in: "header", "whether all rows are counted: count=exact", [:]),
      "preferPost": parameter(
        "Prefer", in: "header",
        "what is told (return=representation, minimal or headers-only), and what becomes of rows that are there"
          + " (resolution=ignore-duplicates or merge-duplicates)", [:]),
    ]
  }
}

extension RestColumn {
  /// The values of the column as a schema of JSON.
  fileprivate var schema: [String: RestJSON] {
    var schema: [String: RestJSON] = ["format": .text(kind.name)]
    switch kind {
    case .uuid:
      schema["type"] = "string"
      schema["format"] = "uuid"
    case .text:
      schema["type"] = "string"
      switch rule {
      case .oneOf(let words): schema["enum"] = .list(words.map { .text($0) })
      case .characters(let counts):
        (schema["minLength"], schema["maxLength"]) =
          (.number("\(counts.lowerBound)"), .number("\(counts.upperBound)"))
      case .name:
        (schema["minLength"], schema["maxLength"]) = (1, .number("\(RestLimits.nameCharacters)"))
        schema["pattern"] = "^[^\\x00-\\x1f\\x7f]+$"
      case .code: schema["pattern"] = "^[A-Z0-9-]{1,10}$"
      default: break
      }
    case .timestamp:
      schema["type"] = "string"
      schema["pattern"] = .text("^\(RestColumn.dayPattern)T\(RestColumn.timePattern)(Z|\\+00:00)$")
    case .flag: schema["type"] = "boolean"
    case .integer:
      schema["type"] = "integer"
      (schema["minimum"], schema["maximum"]) = (.number("\(Int32.min)"), .number("\(Int32.max)"))
    case .short:
      schema["type"] = "integer"
      (schema["minimum"], schema["maximum"]) = (.number("\(Int16.min)"), .number("\(Int16.max)"))
      if case .within(let range) = rule {
        (schema["minimum"], schema["maximum"]) =
          (.number("\(Int(range.lowerBound))"), .number("\(Int(range.upperBound))"))
      }
    case .words:
      schema["type"] = "array"
      schema["items"] = rule == .uuids ? ["type": "string", "format": "uuid"] : ["type": "string"]
    case .numeric(let precision, let scale):
      let whole = String(repeating: "9", count: precision - scale)
      let most = scale > 0 ? "\(whole).\(String(repeating: "9", count: scale))" : whole
      schema["type"] = "number"
      schema["minimum"] = .number("-\(most)")
      schema["maximum"] = .number(most)
      switch rule {
      case .above(let least):
        schema["minimum"] = .number("\(Int(least))")
        schema["exclusiveMinimum"] = true
      case .atLeast(let least): schema["minimum"] = .number("\(Int(least))")
      case .within(let range):
        (schema["minimum"], schema["maximum"]) =
          (.number("\(Int(range.lowerBound))"), .number("\(Int(range.upperBound))"))
      default: break
      }
    }
    if isNullable { schema["x-nullable"] = true }
    return schema
  }

  /// The operators that the column may be asked by.
  fileprivate var operators: [String] {
    let compared = ["eq", "neq", "gt", "gte", "lt", "lte", "isdistinct", "in", "is"]
    return switch kind {
    case .text: compared + ["like", "ilike", "match", "imatch"]
    case .words: RestFilter.ListComparison.allCases.map(\.rawValue) + ["is"]
    default: compared
    }
  }

  fileprivate static let dayPattern = "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
  fileprivate static let timePattern = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?"

  /// What a condition on the column looks like.
  fileprivate var filterPattern: String {
    let value: String
    switch kind {
    case .uuid: value = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    case .text: value = "[^\\x00]{0,200}"
    case .timestamp: value = "\(RestColumn.dayPattern)T\(RestColumn.timePattern)Z"
    case .flag: value = "(true|false)"
    case .integer: value = "-?[0-9]{1,9}"
    case .short: value = "-?[0-9]{1,4}"
    case .numeric(let precision, let scale):
      value = "-?[0-9]{1,\(precision - scale)}" + (scale > 0 ? "(\\.[0-9]{1,\(scale)})?" : "")
    case .words:
      return "^(not\\.)?((cs|cd|ov)\\.\\{([a-z0-9_-]+(,[a-z0-9_-]+)*)?\\}|is\\.(null|not_null))$"
    }
    let truth = kind == .flag ? "null|not_null|true|false|unknown" : "null|not_null"
    var parts = ["(eq|neq|gt|gte|lt|lte)\\.\(value)", "is\\.(\(truth))"]
    if kind == .text {
      parts.append("(like|ilike)\\.[A-Za-z0-9 ]*[*%]?[A-Za-z0-9 ]*")
    } else {
      parts.append("in\\.\\(\(value)(,\(value))*\\)")
    }
    return "^(not\\.)?(\(parts.joined(separator: "|")))$"
  }
}

extension RestJSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .flag(value) }
  /// A number.
  public init(integerLiteral value: Int) { self = .number("\(value)") }
  /// A list.
  public init(arrayLiteral elements: RestJSON...) { self = .list(elements) }
  /// An object.
  public init(dictionaryLiteral elements: (String, RestJSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }

  /// Something that stands elsewhere in the same document.
  public static func reference(_ place: String) -> RestJSON { ["$ref": .text("#/\(place)")] }
}
