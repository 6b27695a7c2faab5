/// Breaks a text into lines for a terminal of so many columns.
public enum LineWrap {
  /// Lines of at most `columns`, broken at spaces; a word that is longer than a line is broken within.
  /// There is always one line, which may be empty.
  ///
  /// - Parameter columns: At least two: no character takes more.
  public static func lines(_ text: String, columns: Int) -> [String] {
    let limit = max(2, columns)
    guard ForeignText.width(text) > limit else { return [text] }
    var lines: [String] = []
    var line = ""
    var width = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let needed = ForeignText.width(String(word))
      if width + 1 + needed <= limit, !line.isEmpty {
        line += " " + word
        width += 1 + needed
        continue
      }
      if !line.isEmpty { lines.append(line) }
      (line, width) = (String(word), needed)
      while width > limit {
        let head = prefix(of: line, columns: limit)
        lines.append(String(head))
        line = String(line[head.endIndex...])
        width = ForeignText.width(line)
      }
    }
    return lines + [line]
  }

  /// As much of a text as fits; at least a character.
  private static func prefix(of text: String, columns: Int) -> Substring {
    var end = text.startIndex
    var width = 0
    while end < text.endIndex {
      let next = text.index(after: end)
      width += ForeignText.width(String(text[end..<next]))
      if width > columns, end > text.startIndex { break }
      end = next
    }
    return text[..<end]
  }
}
