import Text

/// A line for people: the program's own words and colours as they stand, and everything that is put into
/// them made safe first (``ForeignText``). What is written in the source as a literal is the program's
/// own; a value is foreign.
struct ShownText: Hashable {
  /// What is written.
  let text: String

  /// A text of somebody else's, on one line.
  init(_ foreign: String) {
    text = ForeignText.shown(foreign)
  }

  /// A text that was made safe where it was put together, colours included.
  init(alreadySafe text: String) {
    self.text = text
  }

  /// The lines of a text of somebody else's that is meant to have several: a menu, a file.
  static func lines(_ foreign: String) -> [ShownText] {
    foreign.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { ShownText(String($0)) }
  }

  /// Both, one after the other.
  static func + (left: ShownText, right: ShownText) -> ShownText {
    ShownText(alreadySafe: left.text + right.text)
  }

  func contains(_ words: String) -> Bool { text.contains(words) }
  func hasPrefix(_ words: String) -> Bool { text.hasPrefix(words) }
}

extension ShownText: ExpressibleByStringInterpolation {
  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ shown: ShownText) { text += shown.text }

    mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += ForeignText.shown(value.description)
    }
  }

  init(stringLiteral literal: String) {
    text = literal
  }

  init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }
}
