public import RestAPI

/// Writes what a plan comes to in SQL.
public struct SQLWriter {
  private let dialect: SQLDialect
  private var parameters: [RestValue] = []
  private var aliases = 0

  private init(_ dialect: SQLDialect) {
    self.dialect = dialect
  }

  private func statement(_ text: String) -> SQLStatement {
    SQLStatement(text: text, parameters: parameters)
  }

  // MARK: - Reading

  /// The rows, each as one text: an object in JSON.
  public static func select(_ read: RestRead, _ dialect: SQLDialect) -> SQLStatement {
    var writer = SQLWriter(dialect)
    let row = writer.alias()
    var text = "SELECT \(writer.object(read.selection, of: row))"
    if dialect == .postgreSQL { text += "::text AS \"row\"" }
    text += writer.from(read, row)
    text += writer.sorted(read.order, row)
    text += writer.part(offset: read.offset, limit: read.limit)
    if dialect == .postgreSQL {
      let (whole, list) = (writer.alias(), writer.alias())
      text =
        "SELECT \(SQLWriter.bounded(list, "text")) FROM (\(SQLWriter.measured(whole)) FROM (\(text)) AS"
        + " \(whole)) AS \(list)"
    }
    return writer.statement(text)
  }

  /// Rows with the bytes that they have together with those before them.
  private static func measured(_ rows: String) -> String {
    "SELECT \(rows).\"row\", sum(octet_length(\(rows).\"row\"::text)) OVER (ROWS UNBOUNDED PRECEDING) AS"
      + " \"bytes\""
  }

  /// A row, unless they have more bytes than an answer may have. Then the statement ends with a division by zero, of
  /// which there is no other one: SQL has no way to say that something is too long. SQLite bounds texts itself.
  private static func bounded(_ rows: String, _ type: StaticString) -> String {
    let cast = "\(type)" == "text" ? "::text" : "::text::\(type)"
    return "CASE WHEN \(rows).\"bytes\" <= \(RestLimits.answerBytes) THEN \(rows).\"row\" ELSE"
      + " (1 / (\(rows).\"bytes\" * 0))\(cast) END"
  }

  /// The code with which PostgreSQL ends a statement whose answer would be too long.
  public static let tooLongState = "22012"

  private func sorted(_ order: [RestOrder], _ row: String) -> String {
    guard !order.isEmpty else { return "" }
    let orders = order.map { order in
      let text = "\(row).\"\(order.column.name)\" \(order.isDescending ? "DESC" : "ASC")"
      // Where there always is a value, SQLite sorts by an index only when nothing is said of those that have none.
      return dialect == .sqlite && !order.column.isNullable
        ? text : text + " NULLS \(order.nullsFirst ? "FIRST" : "LAST")"
    }
    return " ORDER BY \(orders.joined(separator: ", "))"
  }

  private mutating func part(offset: Int, limit: Int) -> String {
    var text = " LIMIT \(bind(.integer(Int64(limit)), "bigint"))"
    if offset > 0 { text += " OFFSET \(bind(.integer(Int64(offset)), "bigint"))" }
    return text
  }

  /// How many rows there are in all.
  public static func count(_ read: RestRead, _ dialect: SQLDialect) -> SQLStatement {
    var writer = SQLWriter(dialect)
    let row = writer.alias()
    let text = "SELECT count(*)" + writer.from(read, row)
    return writer.statement(text)
  }

  private mutating func from(_ read: RestRead, _ row: String) -> String {
    let conditions = [
      condition(read.filter, row), condition(read.visible, row), required(read.selection, row),
    ]
    return " FROM \(dialect.source(read.table, byIdentity: read.isByIdentity)) AS \(row)"
      + " WHERE \(SQLWriter.joined(conditions))"
  }

  /// Rows that are left out as they have no row along with them.
  private mutating func required(_ selection: RestSelection, _ row: String) -> String {
    var conditions: [String] = []
    for item in selection.items {
      guard case .related(let related) = item.content, related.isRequired else { continue }
      let other = alias()
      conditions.append("EXISTS (SELECT 1\(from(related, other, row)))")
    }
    return SQLWriter.joined(conditions)
  }

  private mutating func from(_ related: RestRelated, _ other: String, _ row: String) -> String {
    let relation = related.relation
    let join = "\(other).\"\(relation.there.name)\" = \(row).\"\(relation.here.name)\""
    let conditions = [
      join, condition(related.filter, other), condition(related.visible, other),
      required(related.selection, other),
    ]
    // A passage that is asked for by an identity is told as it came under that one, here as at the top.
    let byIdentity = related.filter.names("client_id")
    return " FROM \(dialect.source(relation.target, byIdentity: byIdentity)) AS \(other)"
      + " WHERE \(SQLWriter.joined(conditions))"
  }

  private mutating func object(_ selection: RestSelection, of row: String) -> String {
    var members: [String] = []
    for item in selection.items {
      let value: String
      switch item.content {
      case .column(let column): value = shown(column, "\(row).\"\(column.name)\"")
      case .cast(let column, let cast): value = told(column, "\(row).\"\(column.name)\"", as: cast)
      case .related(let related):
        if related.selection.items.isEmpty { continue }
        value = rows(related, of: row)
      }
      members.append("\(bind(.text(item.name), "text")), \(value)")
    }
    let name = dialect == .sqlite ? "json_object" : "json_build_object"
    return "\(name)(\(members.joined(separator: ", ")))"
  }

  /// The value of a column as JSON.
  private func shown(_ column: RestColumn, _ value: String) -> String {
    guard dialect == .sqlite else { return column.kind == .words ? "\(value)::json" : value }
    switch column.kind {
    case .flag: return "iif(\(value) IS NULL, NULL, json(iif(\(value), 'true', 'false')))"
    case .timestamp:
      // Both whole and what is left are counted down from below 1970.
      let rest = "((\(value) % 1000 + 1000) % 1000)"
      return "strftime('%Y-%m-%dT%H:%M:%S', (\(value) - \(rest)) / 1000, 'unixepoch')"
        + " || iif(\(value) % 1000 = 0, '', '.' || rtrim(printf('%03d', \(rest)), '0'))"
        + " || '+00:00'"
    case .numeric(_, let scale):
      // With all the digits that such a column has.
      return "iif(\(value) IS NULL, NULL, json(printf('%.\(scale)f', \(value))))"
    case .words: return "json(\(value))"
    case .uuid, .text, .integer, .short: return value
    }
  }

  /// The value of a column as something else, in JSON.
  private func told(_ column: RestColumn, _ value: String, as cast: RestCast) -> String {
    guard dialect == .sqlite else { return "CAST(\(value) AS \(cast.rawValue))" }
    switch (cast, column.kind) {
    case (.text, .timestamp):
      let rest = "((\(value) % 1000 + 1000) % 1000)"
      return "strftime('%Y-%m-%d %H:%M:%S', (\(value) - \(rest)) / 1000, 'unixepoch')"
        + " || iif(\(value) % 1000 = 0, '', '.' || rtrim(printf('%03d', \(rest)), '0'))"
        + " || '+00'"
    case (.text, .numeric(_, let scale)):
      return "iif(\(value) IS NULL, NULL, printf('%.\(scale)f', \(value)))"
    case (.text, .flag): return "iif(\(value) IS NULL, NULL, iif(\(value), 'true', 'false'))"
    case (.text, _): return "CAST(\(value) AS TEXT)"
    case (.date, _):
      let rest = "((\(value) % 1000 + 1000) % 1000)"
      return "strftime('%Y-%m-%d', (\(value) - \(rest)) / 1000, 'unixepoch')"
    case (.integer, .numeric), (.bigint, .numeric): return "CAST(round(\(value)) AS INTEGER)"
    case (.integer, _), (.bigint, _): return value
    case (.numeric, _), (.boolean, _): return shown(column, value)
    }
  }

  private mutating func rows(_ related: RestRelated, of row: String) -> String {
    let other = alias()
    let object = object(related.selection, of: other)
    let rest = from(related, other, row)
    if related.relation.isSingle {
      let row = "(SELECT \(object)\(rest) LIMIT 1)"
      // A text that comes out of another select is not known as JSON any more.
      return dialect == .sqlite ? "json(\(row))" : row
    }
    let list = alias()
    // Sorted by the key where nothing else is asked for: which of very many are told is the same every time.
    let order =
      related.order.isEmpty
      ? " ORDER BY \(other).\"id\"" : sorted(related.order, other)
    let part = part(offset: related.offset, limit: related.limit)
    let rows = "(SELECT \(object) AS \"row\"\(rest)\(order)\(part))"
    switch dialect {
    case .sqlite:
      return "json((SELECT json_group_array(json(\(list).\"row\")) FROM \(rows) AS \(list)))"
    case .postgreSQL:
      let whole = alias()
      return "(SELECT coalesce(json_agg(\(SQLWriter.bounded(list, "json"))), '[]'::json) FROM"
        + " (\(SQLWriter.measured(whole)) FROM \(rows) AS \(whole)) AS \(list))"
    }
  }

  // MARK: - Writing

  /// Puts rows into a table as it is, and tells of each that was written its `id`; of PostgreSQL also
  /// whether it was not there before.
  public static func insert(_ insert: RestInsert, _ dialect: SQLDialect) -> SQLStatement {
    var writer = SQLWriter(dialect)
    let names = Set(insert.rows.flatMap(\.keys))
    let columns = insert.table.columns.filter { names.contains($0.name) }
    var rows: [String] = []
    for row in insert.rows {
      let values = columns.map { column in
        row[column.name].map { writer.bind($0, column) } ?? "DEFAULT"
      }
      rows.append("(\(values.joined(separator: ", ")))")
    }
    let list = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let target = dialect.target(insert.table)
    var text = "INSERT INTO \(target) AS t0 (\(list)) VALUES \(rows.joined(separator: ", "))"
    switch insert.resolution {
    case .refuse: break
    case .ignore(let unique): text += " ON CONFLICT (\(SQLWriter.list(unique))) DO NOTHING"
    case .merge(let unique):
      let given = insert.given.map { "\"\($0.name)\" = excluded.\"\($0.name)\"" }
      text +=
        " ON CONFLICT (\(SQLWriter.list(unique))) DO UPDATE SET \(given.joined(separator: ", "))"
    }
    text += dialect == .postgreSQL ? " RETURNING t0.\"id\", t0.xmax = 0" : " RETURNING \"id\""
    return writer.statement(text)
  }

  /// Changes rows of a table as it is, and tells of each its `id`.
  public static func update(_ update: RestUpdate, _ dialect: SQLDialect) -> SQLStatement {
    var writer = SQLWriter(dialect)
    let row = writer.alias()
    let changes = update.changes.map { change in
      "\"\(change.column.name)\" = \(writer.bind(change.value, change.column))"
    }
    let conditions = [
      writer.condition(update.filter, row), writer.condition(update.changeable, row),
      writer.condition(update.telling.visible, row),
    ]
    return writer.statement(
      "UPDATE \(dialect.target(update.table)) AS \(row) SET \(changes.joined(separator: ", "))"
        + " WHERE \(joined(conditions)) RETURNING \"id\"")
  }

  /// Removes rows of a table as it is, and tells of each its `id`.
  public static func delete(_ delete: RestDelete, _ dialect: SQLDialect) -> SQLStatement {
    var writer = SQLWriter(dialect)
    let row = writer.alias()
    let conditions = [
      writer.condition(delete.filter, row), writer.condition(delete.removable, row),
      writer.condition(delete.telling.visible, row),
    ]
    return writer.statement(
      "DELETE FROM \(dialect.target(delete.table)) AS \(row) WHERE \(joined(conditions))"
        + " RETURNING \"id\"")
  }

  /// Rows that fulfil conditions, by a value of each that stands in the store's own form.
  ///
  /// - Parameter column: The column that is told.
  public static func keys(
    _ filters: [RestFilter], _ column: RestColumn, of table: RestTable, limit: Int,
    _ dialect: SQLDialect
  ) -> SQLStatement {
    var writer = SQLWriter(dialect)
    let row = writer.alias()
    let byIdentity = filters.contains { $0.names("client_id") }
    let conditions = filters.map { writer.condition($0, row) }
    let text =
      "SELECT \(row).\"\(column.name)\" FROM \(dialect.source(table, byIdentity: byIdentity))"
      + " AS \(row) WHERE \(joined(conditions)) LIMIT \(writer.bind(.integer(Int64(limit)), "bigint"))"
    return writer.statement(text)
  }

  private static func list(_ unique: RestTable.Unique) -> String {
    unique.columns.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

extension SQLWriter {
  // MARK: - Conditions

  private static func joined(_ conditions: [String]) -> String {
    let conditions = conditions.filter { $0 != "TRUE" }
    return conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
  }

  private mutating func condition(_ filter: RestFilter, _ row: String) -> String {
    switch filter {
    case .all(let parts):
      let told = parts.map { condition($0, row) }
      return told.isEmpty ? "TRUE" : "(\(told.joined(separator: " AND ")))"
    case .any(let parts):
      let told = parts.map { condition($0, row) }
      return told.isEmpty ? "FALSE" : "(\(told.joined(separator: " OR ")))"
    case .not(let part): return "(NOT \(condition(part, row)))"
    case .compare(let column, let comparison, let value):
      return "(\(row).\"\(column.name)\" \(SQLWriter.sign(comparison)) \(bind(value, column)))"
    case .oneOf(let column, let values):
      guard !values.isEmpty else { return "FALSE" }
      let list = values.map { bind($0, column) }.joined(separator: ", ")
      return "(\(row).\"\(column.name)\" IN (\(list)))"
    case .isNull(let column): return "(\(row).\"\(column.name)\" IS NULL)"
    case .isFlag(let column, let flag):
      return "(\(row).\"\(column.name)\" IS \(flag ? "TRUE" : "FALSE"))"
    case .like(let column, let pattern, let ignoresCase):
      return like("\(row).\"\(column.name)\"", pattern, ignoresCase: ignoresCase)
    case .isDistinct(let column, let value):
      let sign = dialect == .sqlite ? "IS NOT" : "IS DISTINCT FROM"
      return "(\(row).\"\(column.name)\" \(sign) \(bind(value, column)))"
    case .matches(let column, let pattern):
      let value = "\(row).\"\(column.name)\""
      let bound = bind(.text(pattern.text), "text")
      switch dialect {
      case .postgreSQL: return "(\(value) \(pattern.ignoresCase ? "~*" : "~") \(bound))"
      case .sqlite:
        return "\(SQLWriter.matchFunction)(\(value), \(bound), \(pattern.ignoresCase ? 1 : 0))"
      }
    case .list(let column, let comparison, let words):
      return list("\(row).\"\(column.name)\"", comparison, words)
    case .through(let column, let table, let part):
      let other = alias()
      return "(EXISTS (SELECT 1 FROM \(dialect.source(table)) AS \(other) WHERE \(other).\"id\" ="
        + " \(row).\"\(column.name)\" AND \(condition(part, other))))"
    }
  }

  /// The function of SQLite that looks for a regular expression: the text, the expression, and whether small and
  /// capital letters are the same. The program that runs a statement with it has to bring it along.
  public static let matchFunction = "checkpost_matches"

  /// A list of words, which stands in the store as JSON, against some.
  private mutating func list(
    _ value: String, _ comparison: RestFilter.ListComparison, _ words: [String]
  ) -> String {
    let bound = words.map { bind(.text($0), "text") }
    func one(_ other: String) -> String {
      switch dialect {
      case .sqlite: "EXISTS (SELECT 1 FROM json_each(\(value)) WHERE value = \(other))"
      case .postgreSQL: "(\(value)::jsonb ? \(other))"
      }
    }
    switch comparison {
    case .contains: return bound.isEmpty ? "TRUE" : "(\(bound.map(one).joined(separator: " AND ")))"
    case .overlaps: return bound.isEmpty ? "FALSE" : "(\(bound.map(one).joined(separator: " OR ")))"
    case .isContained:
      let others = bound.isEmpty ? "" : " WHERE w.value NOT IN (\(bound.joined(separator: ", ")))"
      let all =
        dialect == .sqlite ? "json_each(\(value))" : "jsonb_array_elements_text(\(value)::jsonb)"
      return
        "(NOT EXISTS (SELECT 1 FROM \(all) AS w\(dialect == .sqlite ? "" : "(value)")\(others)))"
    }
  }

  private static func sign(_ comparison: RestFilter.Comparison) -> String {
    switch comparison {
    case .equal: "="
    case .different: "<>"
    case .greater: ">"
    case .atLeast: ">="
    case .less: "<"
    case .atMost: "<="
    }
  }

  private mutating func like(_ value: String, _ pattern: String, ignoresCase: Bool) -> String {
    switch (dialect, ignoresCase) {
    case (.postgreSQL, false): "(\(value) LIKE \(bind(.text(pattern), "text")))"
    case (.postgreSQL, true): "(\(value) ILIKE \(bind(.text(pattern), "text")))"
    case (.sqlite, true): "(\(value) LIKE \(bind(.text(pattern), "text")) ESCAPE '\\')"
    // Its LIKE does not know small from capital letters.
    case (.sqlite, false): "(\(value) GLOB \(bind(.text(SQLWriter.glob(pattern)), "text")))"
    }
  }

  /// A pattern of LIKE as one of GLOB, for SQLite, whose LIKE does not know small from capital letters.
  public static func glob(_ pattern: String) -> String {
    var glob = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if scalar == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      switch scalar {
      case "%" where !isEscaped: glob.append("*")
      case "_" where !isEscaped: glob.append("?")
      case "*", "?", "[": glob.append(contentsOf: "[\(scalar)]".unicodeScalars)
      default: glob.append(scalar)
      }
      isEscaped = false
    }
    return String(glob)
  }

  // MARK: - Parameters

  private mutating func alias() -> String {
    defer { aliases += 1 }
    return "t\(aliases)"
  }

  private mutating func bind(_ value: RestValue, _ column: RestColumn) -> String {
    switch column.kind {
    case .uuid: bind(value, "uuid")
    case .text, .words: bind(value, "text")
    case .timestamp: bind(value, "timestamptz")
    case .flag: bind(value, "boolean")
    case .integer, .short: bind(value, "integer")
    case .numeric: bind(value, "numeric")
    }
  }

  private mutating func bind(_ value: RestValue, _ type: StaticString) -> String {
    parameters.append(value)
    return switch dialect {
    case .sqlite: "?\(parameters.count)"
    case .postgreSQL: "$\(parameters.count)::\(type)"
    }
  }
}
