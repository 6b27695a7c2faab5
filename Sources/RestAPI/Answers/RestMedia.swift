import CSV

/// The forms in which rows are told.
enum RestMedia: Hashable, Sendable {
  /// A list in JSON.
  case list
  /// One object in JSON.
  case one
  /// Lines of comma separated values, of which the first names the columns.
  case csv

  /// The first form that a request takes which there is.
  init(accept: String?) throws(RestError) {
    let types = (accept ?? "*/*").split(separator: ",").prefix(32).map { part in
      String(part.prefix { $0 != ";" }.filter { $0 != " " }).lowercased()
    }
    for type in types {
      switch type {
      case "application/vnd.pgrst.object+json", "application/vnd.pgrst.object":
        self = .one
        return
      case "text/csv":
        self = .csv
        return
      case "*/*", "application/*", "application/json", "application/vnd.pgrst.array+json",
        "application/vnd.pgrst.array":
        self = .list
        return
      default: continue
      }
    }
    throw RestError(
      "PGRST107", "None of these media types are available: \(RestError.shown(accept ?? ""))",
      hint: "Rows are told as application/json, application/vnd.pgrst.object+json and text/csv.",
      status: 406)
  }

  /// Rows as an answer.
  func answer(
    _ rows: [String], _ selection: RestSelection, status: Int
  ) throws(RestError) -> RestAnswer {
    switch self {
    case .list: return .json(status, "[" + rows.joined(separator: ",") + "]")
    case .one:
      guard rows.count == 1, let row = rows.first else { throw .notOne(rows.count) }
      return .json(status, row, type: "application/vnd.pgrst.object+json; charset=utf-8")
    case .csv:
      let names = selection.names
      var text = CSVWriter.line(names) + "\n"
      for row in rows {
        let members = RestJSON(Array(row.utf8))?.object ?? [:]
        text += CSVWriter.line(names.map { RestMedia.cell(members[$0] ?? .null) }) + "\n"
      }
      guard text.utf8.count <= RestLimits.answerBytes else { throw .answerTooLong }
      return .json(status, text, type: "text/csv; charset=utf-8")
    }
  }

  /// A value as it stands between commas: nothing where there is none, and what is nested as JSON.
  private static func cell(_ value: RestJSON) -> String {
    switch value {
    case .null: ""
    case .text(let text): text
    default: value.written
    }
  }
}

extension RestJSON {
  /// The rows of a text of comma separated values, of which the first line names the columns; `NULL` is none.
  static func rows(csv bytes: [UInt8]) throws(RestError) -> [RestJSON] {
    var reader = CSVReader()
    var names: [String]?
    var rows: [RestJSON] = []
    for row in reader.read(bytes) + reader.finish() {
      switch row {
      case .broken(let fault, let line):
        throw .body("line \(line) is no CSV: \(fault)")
      case .fields(let fields, let line):
        guard let known = names else {
          guard Set(fields).count == fields.count else { throw .body("a column is named twice") }
          names = fields
          continue
        }
        guard fields.count == known.count else {
          throw .body("line \(line) has \(fields.count) fields, and the first line \(known.count)")
        }
        guard rows.count < RestLimits.bodyRows else {
          throw .tooMuch("the body has more than \(RestLimits.bodyRows) rows")
        }
        let values = fields.map { $0 == "NULL" ? RestJSON.null : .text($0) }
        rows.append(.object(Dictionary(zip(known, values), uniquingKeysWith: { $1 })))
      }
    }
    guard names != nil else { throw .body("Empty or invalid CSV") }
    // PostgREST takes a file that was cut off there, and says that it is done.
    guard !rows.isEmpty else { throw .body("the CSV has a line of columns and no rows") }
    return rows
  }
}
