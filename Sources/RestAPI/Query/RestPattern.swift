/// A regular expression that rows are searched by: what is the same in POSIX and in PostgreSQL, and takes time in
/// proportion to the text, however it is written.
///
/// Characters, `.`, lists in brackets with ranges, `\d`, groups, `|`, `*`, `+`, `?`, `{2,5}`, `^` and `$` at the ends
/// of the text, and `\` before what stands for itself. What looks back or ahead is refused.
public struct RestPattern: Hashable, Sendable {
  /// As it was written.
  public let text: String
  /// Whether small and capital letters are the same.
  public let ignoresCase: Bool
  private let steps: [Step]

  /// What is looked for at a place of the expression.
  private enum Step: Hashable, Sendable {
    case one(Characters)
    /// Both are tried.
    case fork(Int, Int)
    case go(Int)
    case start
    case end
    case found
  }

  /// Some characters.
  fileprivate struct Characters: Hashable, Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    var isInverted = false

    func contains(_ scalar: UInt32) -> Bool {
      ranges.contains { $0.contains(scalar) } != isInverted
    }
  }

  /// Reads an expression.
  init(_ text: String, ignoresCase: Bool) throws(RestError) {
    guard text.utf8.count <= RestLimits.patternBytes else {
      throw .tooMuch("a pattern is too long")
    }
    var parser = Parser(Array(text.unicodeScalars))
    let tree = try parser.alternatives(level: 0)
    guard parser.isAtEnd else { throw RestPattern.invalid("parentheses () not balanced") }
    var steps: [Step] = []
    try RestPattern.add(tree, to: &steps)
    steps.append(.found)
    self.text = text
    self.ignoresCase = ignoresCase
    self.steps = steps
  }

  /// An expression that was read before; nil of one that was none.
  public init?(reading text: String, ignoresCase: Bool) {
    guard let pattern = try? RestPattern(text, ignoresCase: ignoresCase) else { return nil }
    self = pattern
  }

  /// Whether it is found anywhere in a text.
  public func isFound(in text: some StringProtocol) -> Bool {
    let scalars = text.unicodeScalars
    var active = Active(count: steps.count)
    var place = scalars.startIndex
    var isFirst = true
    while true {
      let isLast = place == scalars.endIndex
      // It may begin at each place.
      if follow(0, &active, isFirst: isFirst, isLast: isLast) { return true }
      // What waited for the next character was followed when that was not known to be the last one.
      if isLast { return false }
      let scalar = scalars[place]
      place = scalars.index(after: place)
      var next = Active(count: steps.count)
      for index in active.waiting {
        guard case .one(let characters) = steps[index], matches(characters, scalar) else {
          continue
        }
        if follow(
          index + 1, &next, isFirst: false, isLast: place == scalars.endIndex)
        {
          return true
        }
      }
      active = next
      isFirst = false
    }
  }

  /// The steps that a character is held against, each once.
  private struct Active {
    var waiting: [Int] = []
    var isSeen: [Bool]

    init(count: Int) { isSeen = Array(repeating: false, count: count) }
  }

  /// Goes on from a step without taking a character; whether that is the end.
  private func follow(_ step: Int, _ active: inout Active, isFirst: Bool, isLast: Bool) -> Bool {
    var left = [step]
    while let index = left.popLast() {
      guard !active.isSeen[index] else { continue }
      active.isSeen[index] = true
      switch steps[index] {
      case .one: active.waiting.append(index)
      case .fork(let one, let other): left += [other, one]
      case .go(let target): left.append(target)
      case .start: if isFirst { left.append(index + 1) }
      case .end: if isLast { left.append(index + 1) }
      case .found: return true
      }
    }
    return false
  }

  private func matches(_ characters: Characters, _ scalar: Unicode.Scalar) -> Bool {
    guard ignoresCase else { return characters.contains(scalar.value) }
    let all = [scalar.value] + RestPattern.cases(of: scalar)
    // Of those that are not meant, none may be.
    return characters.isInverted
      ? all.allSatisfy(characters.contains) : all.contains(where: characters.contains)
  }

  /// A letter as a small one and as a capital one, where that is one character.
  private static func cases(of scalar: Unicode.Scalar) -> [UInt32] {
    [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping].compactMap { text in
      text.unicodeScalars.count == 1 ? text.unicodeScalars.first?.value : nil
    }
  }

  fileprivate static func invalid(_ words: String) -> RestError {
    RestError(
      "2201B", "invalid regular expression: \(words)",
      hint:
        "Characters, ., [a-z], \\d, (…), |, *, +, ?, {2,5}, ^ and $ are taken, and \\ before a sign."
    )
  }

  // MARK: - From the tree to steps

  fileprivate indirect enum Tree {
    case nothing
    case one(Characters)
    case start
    case end
    case all([Tree])
    case any([Tree])
    case times(Tree, Int, Int?)
  }

  private static func add(_ tree: Tree, to steps: inout [Step]) throws(RestError) {
    guard steps.count <= RestLimits.patternSteps else { throw .tooMuch("a pattern is too long") }
    switch tree {
    case .nothing: break
    case .one(let characters): steps.append(.one(characters))
    case .start: steps.append(.start)
    case .end: steps.append(.end)
    case .all(let parts): for part in parts { try add(part, to: &steps) }
    case .any(let parts):
      var ends: [Int] = []
      for (index, part) in parts.enumerated() {
        guard index < parts.count - 1 else {
          try add(part, to: &steps)
          break
        }
        let fork = steps.count
        steps.append(.fork(fork + 1, 0))
        try add(part, to: &steps)
        ends.append(steps.count)
        steps.append(.go(0))
        steps[fork] = .fork(fork + 1, steps.count)
      }
      for end in ends { steps[end] = .go(steps.count) }
    case .times(let part, let least, let most):
      for _ in 0..<least { try add(part, to: &steps) }
      guard let most else {
        let fork = steps.count
        steps.append(.fork(fork + 1, 0))
        try add(part, to: &steps)
        steps.append(.go(fork))
        steps[fork] = .fork(fork + 1, steps.count)
        return
      }
      var forks: [Int] = []
      for _ in least..<max(least, most) {
        forks.append(steps.count)
        steps.append(.fork(steps.count + 1, 0))
        try add(part, to: &steps)
      }
      for fork in forks { steps[fork] = .fork(fork + 1, steps.count) }
    }
  }

  // MARK: - Reading

  private struct Parser {
    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    var isAtEnd: Bool { place == scalars.count }

    private var next: Unicode.Scalar? { isAtEnd ? nil : scalars[place] }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard next == scalar else { return false }
      place += 1
      return true
    }

    mutating func alternatives(level: Int) throws(RestError) -> Tree {
      guard level <= RestLimits.groups else { throw .tooMuch("a pattern nests too deep") }
      var parts = [try sequence(level: level)]
      while take("|") { parts.append(try sequence(level: level)) }
      return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func sequence(level: Int) throws(RestError) -> Tree {
      var parts: [Tree] = []
      while let scalar = next, scalar != "|", scalar != ")" {
        let atom = try atom(level: level)
        parts.append(try repeated(atom))
      }
      return parts.count == 1 ? parts[0] : parts.isEmpty ? .nothing : .all(parts)
    }

    private mutating func repeated(_ atom: Tree) throws(RestError) -> Tree {
      let (least, most): (Int, Int?)
      if take("*") {
        (least, most) = (0, nil)
      } else if take("+") {
        (least, most) = (1, nil)
      } else if take("?") {
        (least, most) = (0, 1)
      } else if take("{") {
        (least, most) = try bounds()
      } else {
        return atom
      }
      switch atom {
      case .start, .end: throw RestPattern.invalid("quantifier operand invalid")
      default: break
      }
      // Whether as few or as many as there are is the same where it only counts that some are found.
      _ = take("?")
      if let next, "*+?{".unicodeScalars.contains(next) {
        throw RestPattern.invalid("quantifier operand invalid")
      }
      return .times(atom, least, most)
    }

    private mutating func bounds() throws(RestError) -> (Int, Int?) {
      guard let least = number() else { throw RestPattern.invalid("invalid repetition count(s)") }
      var most: Int? = least
      if take(",") { most = next == "}" ? nil : number() ?? -1 }
      guard take("}"), most.map({ $0 >= least }) ?? true else {
        throw RestPattern.invalid("invalid repetition count(s)")
      }
      return (least, most)
    }

    private mutating func number() -> Int? {
      var digits = ""
      while let scalar = next, ("0"..."9").contains(scalar), digits.utf8.count < 4 {
        digits.unicodeScalars.append(scalar)
        place += 1
      }
      return Int(digits).flatMap { $0 <= 255 ? $0 : nil }
    }

    private mutating func atom(level: Int) throws(RestError) -> Tree {
      guard let scalar = next else { return .nothing }
      place += 1
      switch scalar {
      case "^": return .start
      case "$": return .end
      case ".": return .one(Characters(isInverted: true))
      case "(":
        guard next != "?" else {
          throw RestPattern.invalid("what looks ahead or back is not taken")
        }
        let inside = try alternatives(level: level + 1)
        guard take(")") else { throw RestPattern.invalid("parentheses () not balanced") }
        return inside
      case "[": return .one(try list())
      case "*", "+", "?", "{": throw RestPattern.invalid("quantifier operand invalid")
      case "\\": return .one(try escaped())
      default: return .one(Characters(ranges: [scalar.value...scalar.value]))
      }
    }

    /// What a backslash stands before.
    private mutating func escaped() throws(RestError) -> Characters {
      guard let scalar = next else { throw RestPattern.invalid("invalid escape \\ sequence") }
      place += 1
      if scalar == "d" { return Characters(ranges: [0x30...0x39]) }
      let isSign =
        scalar.isASCII && scalar.value > 0x20 && scalar.value != 0x7F
        && !("0"..."9").contains(scalar) && !("a"..."z").contains(scalar)
        && !("A"..."Z").contains(scalar)
      guard isSign else { throw RestPattern.invalid("invalid escape \\ sequence") }
      return Characters(ranges: [scalar.value...scalar.value])
    }

    private mutating func list() throws(RestError) -> Characters {
      var list = Characters()
      list.isInverted = take("^")
      var isFirst = true
      while true {
        guard let scalar = next else { throw RestPattern.invalid("brackets [] not balanced") }
        place += 1
        if scalar == "]", !isFirst { return list }
        isFirst = false
        var first = scalar.value
        if scalar == "[", let next, ":.=".unicodeScalars.contains(next) {
          throw RestPattern.invalid("classes of characters by name are not taken")
        }
        if scalar == "\\" {
          let escaped = try escaped()
          guard let range = escaped.ranges.first, range.count == 1 else {
            list.ranges += escaped.ranges
            continue
          }
          first = range.lowerBound
        }
        guard next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" else {
          list.ranges.append(first...first)
          continue
        }
        place += 1
        var last = scalars[place].value
        place += 1
        if last == 0x5C {
          let escaped = try escaped()
          guard let range = escaped.ranges.first, range.count == 1 else {
            throw RestPattern.invalid("invalid character range")
          }
          last = range.lowerBound
        }
        guard first <= last else { throw RestPattern.invalid("invalid character range") }
        list.ranges.append(first...last)
      }
    }
  }
}
