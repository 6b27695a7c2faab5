import JSON
import Time

/// A value in a row.
enum Cell: Hashable, Sendable {
  case null
  case text(String)
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  /// Microseconds since 1970 in UTC.
  case time(Int64)

  var isNull: Bool { self == .null }

  /// As it stands in an answer.
  var json: JSONValue {
    switch self {
    case .null: .null
    case .text(let text): .text(text)
    case .flag(let flag): .flag(flag)
    case .integer(let number): .integer(number)
    case .number(let number): .number(number)
    case .time(let time): .text(Timestamp.text(time))
    }
  }

  /// As it stands in a message.
  var words: String {
    switch self {
    case .null: "null"
    case .text(let text): text
    case .flag(let flag): flag ? "t" : "f"
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .time(let time): Timestamp.words(time)
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  var time: Int64? { if case .time(let time) = self { time } else { nil } }

  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// Whether it stands before another of its kind; nil when they cannot be compared.
  func isBefore(_ other: Cell) -> Bool? {
    switch (self, other) {
    case (.text(let left), .text(let right)): left < right
    case (.time(let left), .time(let right)): left < right
    case (.flag(let left), .flag(let right)): !left && right
    default:
      if let left = number, let right = other.number { left < right } else { nil }
    }
  }
}

/// The moments of the database, which are as fine as microseconds, and their texts.
enum Timestamp {
  static func micros(_ time: WallTime) -> Int64 { time.milliseconds * 1_000 }

  /// As it stands in an answer: `2026-01-01T00:00:00.412+00:00`.
  static func text(_ micros: Int64) -> String { shaped(micros, "T") + "+00:00" }

  /// As it stands in a message: `2026-01-01 00:00:00.412+00`.
  static func words(_ micros: Int64) -> String { shaped(micros, " ") + "+00" }

  private static func shaped(_ micros: Int64, _ separator: String) -> String {
    let (seconds, rest) = divided(micros, by: 1_000_000)
    let date = CivilDate(epochSeconds: seconds)
    var text = "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))\(separator)"
    text += "\(digits(date.hour, 2)):\(digits(date.minute, 2)):\(digits(date.second, 2))"
    guard rest > 0 else { return text }
    var fraction = digits(Int(rest), 6)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return text + "." + fraction
  }

  private static func divided(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(abs(number))
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }

  /// Why a text is no moment.
  enum Fault: Error {
    case shape
    case range
  }

  /// Reads what PostgreSQL reads, as far as programs write it: `2026-01-01T00:00:00.412Z`, a space in
  /// place of the `T`, `+05:45`, `+0545` or `+05` in place of the `Z`, and UTC without any of them.
  static func read(_ text: String) throws(Fault) -> Int64 {
    var rest = Substring(text)
    func number(_ width: ClosedRange<Int>) throws(Fault) -> Int {
      let run = rest.prefix { $0.isASCII && $0.isNumber }
      guard width.contains(run.count), let number = Int(run) else { throw .shape }
      rest = rest.dropFirst(run.count)
      return number
    }
    func take(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest.removeFirst()
      return true
    }
    let year = try number(4...4)
    guard take("-") else { throw .shape }
    let month = try number(1...2)
    guard take("-") else { throw .shape }
    let day = try number(1...2)
    var (hour, minute, second, micros) = (0, 0, 0, Int64(0))
    if take("T") || take("t") || take(" ") {
      hour = try number(1...2)
      guard take(":") else { throw .shape }
      minute = try number(2...2)
      if take(":") {
        second = try number(2...2)
        if take(".") { micros = try fraction(&rest) }
      }
    }
    let offset = try offsetMinutes(&rest)
    guard rest.isEmpty else { throw .shape }
    guard
      let date = CivilDate(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { throw .range }
    return (date.epochSeconds - Int64(offset) * 60) * 1_000_000 + micros
  }

  private static func fraction(_ rest: inout Substring) throws(Fault) -> Int64 {
    let run = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(run.count)
    let kept = run.prefix(6)
    guard !kept.isEmpty, var micros = Int64(kept) else { throw .shape }
    for _ in kept.count..<6 { micros *= 10 }
    if let next = run.dropFirst(6).first, next >= "5" { micros += 1 }
    return micros
  }

  private static func offsetMinutes(_ rest: inout Substring) throws(Fault) -> Int {
    if rest == "Z" || rest == "z" || rest.isEmpty {
      rest = ""
      return 0
    }
    guard let sign = rest.popFirst(), sign == "+" || sign == "-" else { throw .shape }
    let run = rest.filter { $0 != ":" }
    guard [2, 4].contains(run.count), run.allSatisfy({ $0.isASCII && $0.isNumber }),
      let hours = Int(run.prefix(2)), let minutes = Int("0" + run.dropFirst(2))
    else { throw .shape }
    guard hours < 16, minutes < 60 else { throw .range }
    rest = ""
    return (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
  }

  /// The moment as the `Date` field of HTTP has it (RFC 9110, 5.6.7).
  static func httpDate(_ time: WallTime) -> String {
    let seconds = time.epochSeconds
    let date = CivilDate(epochSeconds: seconds)
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let day = Int(((divided(seconds, by: 86_400).0 % 7) + 7) % 7)
    return "\(days[day]), \(digits(date.day, 2)) \(months[date.month - 1]) \(digits(date.year, 4))"
      + " \(digits(date.hour, 2)):\(digits(date.minute, 2)):\(digits(date.second, 2)) GMT"
  }
}
