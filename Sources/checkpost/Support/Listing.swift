import Control
import EventLoop
import Glibc
import JSON
import Time

/// A list in the forms in which commands print one: a table for people, CSV for a spreadsheet, and JSON.
struct Listing<Item> {
  /// Rows that are asked for at a time, however many are wanted.
  private static var pageRows: Int { 500 }

  /// The headings of the table.
  let columns: [String]
  /// The columns of the spreadsheet; nil for a list that is none.
  let sheet: Spreadsheet?
  /// What is to be said of one in JSON, and in the spreadsheet.
  let object: (Item) -> [String: JSONValue]
  /// The cells of one in the table.
  let cells: (Item) -> [String]
  /// The time by which the table is divided into days; nil where it is not.
  let day: ((Item) -> WallTime)?

  init(
    _ columns: [String], sheet: Spreadsheet? = nil, day: ((Item) -> WallTime)? = nil,
    object: @escaping (Item) -> [String: JSONValue], cells: @escaping (Item) -> [String]
  ) {
    (self.columns, self.sheet, self.day) = (columns, sheet, day)
    (self.object, self.cells) = (object, cells)
  }

  /// Prints all that are there.
  func print(
    _ items: [Item], _ output: OutputOptions, _ spreadsheet: SpreadsheetOptions? = nil
  ) throws {
    var rest = items[...]
    try print(ListLimit(.max), output, spreadsheet) { count in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
  }

  /// Prints those that are there page by page, and says when there are more than are wanted.
  ///
  /// - Parameter next: The next ones, so many at most; none when there are no more.
  func print(
    _ limit: ListLimit, _ output: OutputOptions, _ spreadsheet: SpreadsheetOptions? = nil,
    next: (_ count: Int) throws -> [Item]
  ) throws {
    let out = StandardOutput()
    let sheet = spreadsheet?.isCSV == true ? sheet : nil
    var table = TextTable(columns)
    var days = DayHeadings(.ofThisMachine)
    var left = limit.count
    if let sheet { try out.line(sheet.heading) }
    while left > 0 {
      let page = try next(min(left, Self.pageRows))
      if page.isEmpty { break }
      for item in page {
        if output.isJSON {
          try out.json(JSONValue.object(object(item)))
        } else if let sheet {
          try out.line(sheet.row(object(item)))
        } else {
          if let day { table.add(heading: days.heading(before: day(item))) }
          table.add(cells(item))
        }
      }
      left -= page.count
    }
    if !output.isJSON, sheet == nil {
      try out.lines(
        table.lines(
          isColoured: Terminal.showsColours(STDOUT_FILENO), fitting: Terminal.room(STDOUT_FILENO)))
      // What is there exactly is all.
      if left == 0, try !next(1).isEmpty {
        let shown = limit.count == 1 ? "the first one is" : "the first \(limit.count) are"
        Diagnostics.say("\(shown) shown; --limit shows more")
      }
    }
    try out.flush()
  }
}
