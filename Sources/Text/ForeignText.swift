/// Text that somebody else wrote, made safe for people to look at: texts of strangers, what a modem or
/// a network says of itself, what was typed and is quoted in an error.
///
/// A terminal obeys what stands in its output, whoever wrote it (CWE-150), and a few characters turn
/// around what stands beside them (CVE-2021-42574). This is the one place that decides what of a text
/// may reach a terminal, a log or a table, and what stands there instead.
public enum ForeignText {
  /// The text on one line, with nothing in it that a terminal obeys.
  ///
  /// A line end or a tab becomes a space, any other control character the picture of itself (`␛`) where
  /// there is one, and everything else that could move, hide or turn what stands beside it `�`. Marks
  /// that join a letter are kept up to ``Limits/marksOnALetter``. What is safe is returned as it is.
  public static func shown(_ text: String) -> String {
    guard !isPlain(text) else { return text }
    var shown = String.UnicodeScalarView()
    var marks = 0
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      marks = scalar.isJoiningMark ? marks + 1 : 0
      if previous == "\r", scalar == "\n" { continue }
      if marks > Limits.marksOnALetter {
        // One sign for all that were too many.
        if marks == Limits.marksOnALetter + 1 { shown.append("\u{FFFD}") }
        continue
      }
      shown.append(standIn(for: scalar) ?? scalar)
    }
    return String(shown)
  }

  /// The columns that a text takes on a terminal, as far as terminals agree: two for an ideograph or an
  /// emoji (Unicode Standard Annex 11), none for a mark that joins the letter before it, as most vowel
  /// signs of Devanagari are, and none for what has no shape.
  public static func width(_ text: String) -> Int {
    guard !isPlain(text) else { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + $1.columns }
  }

  /// The text, filled up with spaces to so many columns.
  public static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(text)))
  }

  /// JSON in which nothing stands raw that a terminal obeys: JSON itself asks only for the C0 controls to
  /// be escaped (RFC 8259, section 7). The value is the same.
  public static func escaped(json: String) -> String {
    // Nearly all is ASCII, or has nothing in it that is not shown.
    guard json.utf8.contains(where: { $0 >= 0x7F }),
      json.unicodeScalars.contains(where: { $0.value >= 0x7F && standIn(for: $0) != nil })
    else { return json }
    var escaped = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      // Line ends stand between the values of a pretty form, and never within one.
      guard scalar.value >= 0x7F, standIn(for: scalar) != nil else {
        escaped.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
        escaped.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
      }
    }
    return String(escaped)
  }

  /// Whether the text is printable ASCII, as nearly all are.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// What stands in the place of a character that is not shown; nil for all others.
  private static func standIn(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
    // U+2400 SYMBOL FOR NULL and its neighbours, in the order of the controls.
    case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value)
    case 0x7F: "\u{2421}"
    case 0x80...0x9F: "\u{FFFD}"
    // What turns a line around: marks, embeddings, overrides, isolates.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: "\u{FFFD}"
    // What hides text or belongs to none: annotations, tags, noncharacters.
    case 0xFFF9...0xFFFB, 0xE0000...0xE007F, 0xFDD0...0xFDEF: "\u{FFFD}"
    case let value where value & 0xFFFE == 0xFFFE: "\u{FFFD}"
    default: nil
    }
  }
}

extension Unicode.Scalar {
  /// Whether it joins the letter before it and takes no column of its own.
  fileprivate var isJoiningMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }

  /// The columns that it takes.
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch value {
    case ..<0x1100: return 1
    // The second and third letters of a Hangul syllable that is written in letters.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    default:
      let isWide =
        properties.isEmojiPresentation || Unicode.Scalar.wide.contains { $0.contains(value) }
      return isWide ? 2 : 1
    }
  }

  /// What EastAsianWidth.txt of Unicode calls W or F and is no emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
    0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265,
    0x20000...0x3FFFD,
  ]
}
