/// Text cut into lines that fit a terminal, the following ones indented under the first.
public enum WrappedText {
  /// The lines of a text, each of at most `columns` columns with what stands before it; a word that is
  /// longer than a line is cut. There is one line at least.
  ///
  /// - Parameters:
  ///   - first: Columns that are taken before the first line.
  ///   - indent: Columns that are taken before each line that follows.
  public static func lines(
    _ text: String, columns: Int, first: Int = 0, indent: Int = 0
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    var width = 0
    var room: Int { max(8, columns - (lines.isEmpty ? first : indent)) }
    func end() {
      lines.append(line)
      (line, width) = ("", 0)
    }
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let taken = ForeignText.width(String(word))
      if !line.isEmpty, width + 1 + taken > room { end() }
      if line.isEmpty, lines.isEmpty || !word.isEmpty {
        (line, width) = (String(word), taken)
      } else {
        line += " \(word)"
        width += 1 + taken
      }
      while width > room, let cut = cut(line, at: room) {
        let rest = String(line.dropFirst(cut.count))
        line = cut
        end()
        (line, width) = (rest, ForeignText.width(rest))
      }
    }
    if lines.isEmpty || !line.isEmpty { end() }
    return lines
  }

  /// As much of a text as fits; nil when that is nothing, or all of it.
  private static func cut(_ text: String, at columns: Int) -> String? {
    var taken = ""
    var width = 0
    for letter in text {
      width += ForeignText.width(String(letter))
      guard width <= columns else { break }
      taken.append(letter)
    }
    return taken.isEmpty || taken.count == text.count ? nil : taken
  }
}
