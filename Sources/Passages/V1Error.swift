/// Why a text is no V1 passage: which field, and what is wrong with it.
public enum V1Error: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not six fields; how many there are.
  case fieldCount(Int)
  /// The first field is not `V1`; what it is.
  case version(String)
  /// No code of a post.
  case checkpost(String)
  /// No compact plate of 2 to 20 letters and digits.
  case plate(String)
  /// No code of a vehicle type.
  case vehicleType(String)
  /// No whole seconds since 1970 in ten digits.
  case timestamp(String)
  /// A time outside the accepted window.
  case outsideWindow(epoch: Int64, window: ClosedRange<Int64>)
  /// Not four digits.
  case phoneSuffix(String)
  /// More bytes than are looked at; how many.
  case tooLong(Int)

  /// A stable name of the field that is wrong, for scripts, logs and metrics.
  public var code: String {
    switch self {
    case .fieldCount: "field_count"
    case .version: "version"
    case .checkpost: "checkpost"
    case .plate: "plate"
    case .vehicleType: "vehicle_type"
    case .timestamp, .outsideWindow: "timestamp"
    case .phoneSuffix: "phone_suffix"
    case .tooLong: "too_long"
    }
  }

  /// What is wrong, in words, with the value found: for an operator, not for a log, as the value may
  /// be a plate.
  public var message: String {
    switch self {
    case .fieldCount(let count):
      "field count: there are \(count) fields where V1|checkpost|plate|type|epoch|suffix has 6"
    case .version(let found) where V1Error.isVersion(found):
      "version: unsupported version \(found); this program reads V1"
    case .version(let found) where V1Error.isTyped(found):
      "version: not a passage: separate the fields with |, as in"
        + " V1|BNP-A|BA1PA1234|CAR|1709123456|4567"
    case .version(let found):
      "version: the text starts with \(V1Error.quoted(found)) instead of V1, so it is no passage"
    case .checkpost(let found):
      "checkpost: \(V1Error.quoted(found)) is no code of a post; there may be 1 to 10 of A-Z, 0-9"
        + " and -"
    case .plate(let found):
      "plate: \(V1Error.quoted(found)) is no plate; there may be 2 to 20 of A-Z and 0-9"
    case .vehicleType(let found):
      "vehicle type: \(V1Error.quoted(found)) is no code of a vehicle type; there are "
        + VehicleType.allCases.prefix(10).map(\.v1Code).joined(separator: ", ")
    case .timestamp(let found):
      "timestamp: \(V1Error.quoted(found)) is no time; it is whole seconds since 1970 in ten digits"
        + V1Error.hint(found)
    case .outsideWindow(let epoch, let window):
      epoch > window.upperBound
        ? "timestamp: \(epoch) lies \(V1Error.span(epoch - window.upperBound)) after the accepted"
          + " window; is the clock of the post right?"
        : "timestamp: \(epoch) lies \(V1Error.span(window.lowerBound - epoch)) before the accepted window;"
          + " is the clock of the post right?"
    case .phoneSuffix(let found):
      "phone suffix: \(V1Error.quoted(found)) is not the last four digits of a phone number"
    case .tooLong(let count):
      "the text is too long: \(count) bytes; a V1 text has 54 at most"
    }
  }

  /// A time in the largest unit in which it is told well.
  private static func span(_ seconds: Int64) -> String {
    switch seconds {
    case ..<180: "\(seconds) s"
    case ..<7_200: "\(seconds / 60) minutes"
    case ..<259_200: "\(seconds / 3_600) hours"
    default: "\(seconds / 86_400) days"
    }
  }

  /// As `message`.
  public var description: String { message }

  /// `V` and digits: somebody's version, though not ours.
  static func isVersion(_ text: String) -> Bool {
    let bytes = text.utf8
    return bytes.first == UInt8(ascii: "V") && bytes.count > 1
      && bytes.dropFirst().allSatisfy(\.isDigit)
  }

  /// The mistakes that are made most with a time.
  private static func hint(_ found: String) -> String {
    let bytes = found.utf8
    if bytes.count == 13, bytes.allSatisfy(\.isDigit) {
      return "; these look like milliseconds"
    }
    return bytes.first == UInt8(ascii: "-") ? "; it cannot be negative" : ""
  }

  /// Whether a text was meant as one of V1 and typed by hand: `V1`, and blanks or other marks where the bars
  /// belong.
  static func isTyped(_ found: String) -> Bool {
    let marks = " ,;:/.-_!\\¦\t\n\r\u{A0}"
    guard found.hasPrefix("V1"), let next = found.dropFirst(2).first, marks.contains(next) else {
      return false
    }
    // A word or two after it are somebody's words.
    return found.split { marks.contains($0) }.count > 3
  }

  /// At most 40 characters of a value, with an escape for each that nobody would see.
  static func quoted(_ text: String) -> String {
    let shown = String(text.prefix(40))
    return Unseen.quoted(shown.utf8.count < text.utf8.count ? shown + "…" : shown)
  }
}
