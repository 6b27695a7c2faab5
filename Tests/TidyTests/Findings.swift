/// Looks for words that must not stand in code.
enum Findings {
  /// What must not stand in layers that do nothing themselves: they are handed time and randomness, and
  /// leave doing to others.
  static let impure = [
    "Date()", "Task {", "Task.detached", "Task.sleep", "sleep(", "SystemRandomNumberGenerator",
    "ContinuousClock", "SuspendingClock", ".randomElement()", ".shuffled()", ".shuffle()", "await ",
    "print(",
  ]

  /// What must not stand in any source.
  static let unsound = [
    "try!", "as!", "fatalError", "@unchecked Sendable", "usleep", "Task.sleep",
  ]

  /// What must not even stand in a comment.
  static let unfinished = ["TODO", "FIXME"]

  /// Where in these lines one of the words stands, as `12: Task {`.
  static func places(of words: [String], in lines: [Substring]) -> [String] {
    var places: [String] = []
    for (index, line) in lines.enumerated() {
      let bytes = Array(line.utf8)
      for word in words where holds(bytes, Array(word.utf8)) {
        places.append("\(index + 1): \(word)")
      }
    }
    return places
  }

  /// Where randomness is drawn from the system's generator, because none is handed in.
  static func unseeded(in lines: [Substring]) -> [String] {
    var places: [String] = []
    for (index, line) in lines.enumerated() where line.contains(".random(in:") {
      let rest = lines[index...].prefix(4).joined(separator: "\n")
      guard let call = rest.firstRange(of: ".random(") else { continue }
      var depth = 1
      let arguments = rest[call.upperBound...].prefix { character in
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
        return depth > 0
      }
      if !arguments.contains("using:") {
        places.append("\(index + 1): .random(in:")
      }
    }
    return places
  }

  /// Whether the word stands in the line, and not as the end of a longer one.
  private static func holds(_ line: [UInt8], _ word: [UInt8]) -> Bool {
    guard let first = word.first, line.count >= word.count else { return false }
    for start in 0...(line.count - word.count) where line[start] == first {
      guard line[start..<start + word.count] == word[...] else { continue }
      let joins = isNamePart(first) && start > 0 && isNamePart(line[start - 1])
      if !joins {
        return true
      }
    }
    return false
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
