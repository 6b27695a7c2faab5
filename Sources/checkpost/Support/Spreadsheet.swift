import ArgumentParser
import CSV
import Control
import JSON
import Text

/// `--csv`, for commands whose results people open in a spreadsheet.
struct SpreadsheetOptions: ParsableArguments {
  @Flag(
    name: .customLong("csv"),
    help: "Print CSV for a spreadsheet, where nothing that anybody wrote becomes a formula.")
  var isCSV = false

  /// Refuses two forms at a time.
  func check(with output: OutputOptions) throws(CommandFailure) {
    if isCSV, output.isJSON {
      throw CommandFailure(.usage, "--csv and --json are two forms of the same; choose one")
    }
  }
}

/// Rows for a spreadsheet, of the values that `--json` shows.
struct Spreadsheet {
  /// The columns, and the key of the value that stands in each.
  private let columns: [(name: String, key: String)]

  /// A sheet whose columns are called as `--json` calls the values.
  init(_ keys: [String]) {
    columns = keys.map { ($0, $0) }
  }

  /// A sheet with columns of other names.
  init(_ columns: [(name: String, key: String)]) {
    self.columns = columns
  }

  /// The first line. A byte order mark leads, without which some spreadsheets take Devanagari for the
  /// letters of another encoding; our own reader drops it.
  var heading: ShownText {
    ShownText(alreadySafe: "\u{FEFF}" + CSVWriter.line(columns.map(\.name)))
  }

  /// One row. A text stands in it on one line, as people are shown it; `--json` has it whole.
  func row(_ object: [String: JSONValue]) -> ShownText {
    ShownText(
      alreadySafe: CSVWriter.line(
        columns.map { ForeignText.shown(Spreadsheet.text(object[$0.key])) }))
  }

  private static func text(_ value: JSONValue?) -> String {
    switch value {
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .flag(let flag): String(flag)
    case .list(let values): values.map(text).joined(separator: " ")
    case .object, .null, nil: ""
    }
  }
}
