/// A table for people: a heading, rows, columns as wide as what stands in them.
struct TextTable {
  /// On which side of its column a cell stands.
  enum Alignment {
    case left
    case right
  }

  private let columns: [(heading: String, alignment: Alignment)]
  private var rows: [[String]] = []

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
      columns.indices.map { $0 < cells.count ? TextTable.oneLine(cells[$0]) : "" })
  }

  var isEmpty: Bool { rows.isEmpty }

  /// The table as lines, the heading first.
  ///
  /// - Parameter isColoured: whether the heading is set off.
  func lines(isColoured: Bool = false) -> [String] {
    let widths = columns.indices.map { index in
      ([columns[index].heading] + rows.map { $0[index] }).map(TextTable.width).max() ?? 0
    }
    let heading = line(columns.map(\.heading), widths)
    return [Colour.strong.paint(heading, if: isColoured)] + rows.map { line($0, widths) }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (index, cell) in cells.enumerated() {
      let space = String(repeating: " ", count: widths[index] - TextTable.width(cell))
      let isLast = index == cells.count - 1
      switch columns[index].alignment {
      case .left: text += cell + (isLast ? "" : space)
      case .right: text += space + cell
      }
      text += isLast ? "" : "  "
    }
    return text
  }

  /// The columns that a text takes on a terminal: marks that join the letter before them take none,
  /// as most vowel signs of Devanagari do on a terminal.
  static func width(_ text: String) -> Int {
    text.unicodeScalars.count { scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: false
      default: true
      }
    }
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}
