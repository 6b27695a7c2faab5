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
  /// - Parameter isColoured: whether the heading is set off.
  func lines(isColoured: Bool = false) -> [ShownText] {
    let widths = columns.indices.map { index in
      let cells = rows.compactMap { row in
        if case .cells(let cells) = row { ForeignText.width(cells[index]) } else { nil }
      }.filter { $0 <= TextTable.widestCell }
      return max(ForeignText.width(columns[index].heading), cells.max() ?? 0)
    }
    let heading = line(columns.map(\.heading), widths)
    return [Colour.strong.paint(heading, if: isColoured)]
      + rows.map { row in
        switch row {
        case .cells(let cells): ShownText(line(cells, widths))
        case .heading(let words): Colour.faint.paint("-- \(words)", if: isColoured)
        }
      }
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
