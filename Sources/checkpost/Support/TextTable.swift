import Text

/// A table for people: a heading, rows, columns as wide as what stands in them. A cell may hold what
/// anybody wrote: it stays in its row.
struct TextTable {
  /// Columns of the terminal that a cell takes at most from the other rows; a wider one pushes only the
  /// rest of its own row to the right.
  private static let widestCell = 60

  /// On which side of its column a cell stands.
  enum Alignment {
    case left
    case right
  }

  private let columns: [(heading: String, alignment: Alignment)]
  private var rows: [Row] = []

  private enum Row {
    case cells([String])
    /// A line across all columns.
    case heading(String)
  }

  /// A table with these columns.
  init(_ columns: [(heading: String, alignment: Alignment)]) {
    self.columns = columns
  }

  /// A table whose columns all stand on the left.
  init(_ headings: [String]) {
    columns = headings.map { ($0, .left) }
  }

  /// Adds a row; a missing cell is empty, and one too many is left out.
  mutating func add(_ cells: [String]) {
    rows.append(
      .cells(columns.indices.map { $0 < cells.count ? ForeignText.shown(cells[$0]) : "" }))
  }

  /// Adds a line above the rows that follow it, where there is one: the day of their times.
  mutating func add(heading: String?) {
    if let heading { rows.append(.heading(ForeignText.shown(heading))) }
  }

  var isEmpty: Bool { rows.isEmpty }

  /// The table as lines, the heading first.
  ///
  /// - Parameters:
  ///   - isColoured: Whether the heading is set off.
  ///   - room: The columns of a terminal, into which each line is to fit: what has no room in a row stands indented
  ///     on the lines below it. Nil where lines may be of any length.
  func lines(isColoured: Bool = false, fitting room: Int? = nil) -> [ShownText] {
    let widths = widths(of: room)
    let headings = columns.map(\.heading)
    let shown = room.map { count(of: widths, fitting: $0) } ?? columns.count
    func lines(_ cells: [String]) -> [String] {
      guard let room, shown < columns.count else { return [line(cells, widths)] }
      let rest = cells[shown...].filter { !$0.isEmpty }.joined(separator: "  ")
      return [line(Array(cells[..<shown]), widths)]
        + (rest.isEmpty
          ? []
          : WrappedText.lines(rest, columns: room, first: Self.indent, indent: Self.indent)
            .map { String(repeating: " ", count: Self.indent) + $0 })
    }
    return lines(headings).map { Colour.strong.paint($0, if: isColoured) }
      + rows.flatMap { row in
        switch row {
        case .cells(let cells): lines(cells).map { ShownText($0) }
        case .heading(let words): [Colour.faint.paint("-- \(words)", if: isColoured)]
        }
      }
  }

  /// Columns before what has no room in its row.
  private static let indent = 4

  private func widths(of room: Int?) -> [Int] {
    columns.indices.map { index in
      let cells = rows.compactMap { row in
        if case .cells(let cells) = row { ForeignText.width(cells[index]) } else { nil }
      }.filter { room != nil || $0 <= TextTable.widestCell }
      return max(ForeignText.width(columns[index].heading), cells.max() ?? 0)
    }
  }

  /// How many of the first columns fit; one at least.
  private func count(of widths: [Int], fitting room: Int) -> Int {
    var used = -2
    let fitting = widths.prefix { width in
      used += width + 2
      return used <= room
    }
    return max(1, fitting.count)
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (index, cell) in cells.enumerated() {
      let missing = max(0, widths[index] - ForeignText.width(cell))
      let space = String(repeating: " ", count: missing)
      let isLast = index == cells.count - 1
      switch columns[index].alignment {
      case .left: text += cell + (isLast ? "" : space)
      case .right: text += space + cell
      }
      text += isLast ? "" : "  "
    }
    return text
  }
}
