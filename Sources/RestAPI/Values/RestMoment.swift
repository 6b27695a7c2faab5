import Time

/// Moments as fine as microseconds, and their texts.
public enum RestMoment {
  /// Why a text is no moment.
  enum Fault: Error {
    case shape
    case range
  }

  /// As it stands in an answer: `2026-01-01T00:00:00.412+00:00`.
  public static func text(_ micros: Int64) -> String {
    let (quotient, rest) = micros.quotientAndRemainder(dividingBy: 1_000_000)
    let seconds = rest < 0 ? quotient - 1 : quotient
    let date = CivilDate(epochSeconds: seconds)
    var text = "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))T"
    text += "\(digits(date.hour, 2)):\(digits(date.minute, 2)):\(digits(date.second, 2))"
    let fraction = Int(rest < 0 ? rest + 1_000_000 : rest)
    if fraction > 0 {
      text += "." + digits(fraction, 6)
      while text.hasSuffix("0") { text.removeLast() }
    }
    return text + "+00:00"
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(abs(number))
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }

  /// Reads what PostgreSQL reads, as far as programs write it: `2026-01-01T00:00:00.412Z`, a space in
  /// place of the `T`, `+05:45`, `+0545` or `+05` in place of the `Z`, and UTC without any of them.
  static func read(_ text: String) throws(Fault) -> Int64 {
    guard text.utf8.count <= 64 else { throw .shape }
    var scanner = Scanner(rest: Array(text.utf8)[...])
    let year = try scanner.number(4...4)
    try scanner.expect("-")
    let month = try scanner.number(1...2)
    try scanner.expect("-")
    let day = try scanner.number(1...2)
    var (hour, minute, second, micros) = (0, 0, 0, Int64(0))
    if scanner.take("T") || scanner.take("t") || scanner.take(" ") {
      hour = try scanner.number(1...2)
      try scanner.expect(":")
      minute = try scanner.number(2...2)
      if scanner.take(":") {
        second = try scanner.number(2...2)
        if scanner.take(".") { micros = try scanner.fraction() }
      }
    }
    let offset = try scanner.offsetMinutes()
    guard scanner.rest.isEmpty else { throw .shape }
    guard
      let date = CivilDate(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { throw .range }
    return (date.epochSeconds - Int64(offset) * 60) * 1_000_000 + micros
  }

  private struct Scanner {
    var rest: ArraySlice<UInt8>

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard let first = rest.first, UInt32(first) == character.value else { return false }
      rest.removeFirst()
      return true
    }

    mutating func expect(_ character: Unicode.Scalar) throws(Fault) {
      guard take(character) else { throw .shape }
    }

    private mutating func run() -> [Int64] {
      let run = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(run.count)
      return run.map { Int64($0 - 0x30) }
    }

    mutating func number(_ width: ClosedRange<Int>) throws(Fault) -> Int {
      let run = run()
      guard width.contains(run.count) else { throw .shape }
      return Int(run.reduce(0) { $0 * 10 + $1 })
    }

    mutating func fraction() throws(Fault) -> Int64 {
      let run = run()
      guard !run.isEmpty else { throw .shape }
      var micros = run.prefix(6).reduce(0) { $0 * 10 + $1 }
      for _ in min(run.count, 6)..<6 { micros *= 10 }
      return micros + (run.count > 6 && run[6] >= 5 ? 1 : 0)
    }

    mutating func offsetMinutes() throws(Fault) -> Int {
      if rest.isEmpty || take("Z") || take("z") { return 0 }
      let sign = take("+") ? 1 : take("-") ? -1 : 0
      guard sign != 0 else { throw .shape }
      var run = run()
      if run.count == 2, take(":") {
        let minutes = self.run()
        guard minutes.count == 2 else { throw .shape }
        run += minutes
      }
      guard run.count == 2 || run.count == 4 else { throw .shape }
      let hours = Int(run[0] * 10 + run[1])
      let minutes = run.count == 4 ? Int(run[2] * 10 + run[3]) : 0
      guard hours < 16, minutes < 60 else { throw .range }
      return (hours * 60 + minutes) * sign
    }
  }
}
