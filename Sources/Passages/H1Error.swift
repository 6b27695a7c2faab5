/// Why a text is no heartbeat: which field, and what is wrong with it.
public enum H1Error: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not six fields; how many there are.
  case fieldCount(Int)
  /// The first field is not `H1`; what it is.
  case version(String)
  /// No code of a post.
  case checkpost(String)
  /// No number of a passage.
  case lastNumber(String)
  /// Neither whole seconds since 1970 in ten digits nor `-`.
  case syncedThrough(String)
  /// No count of what waits.
  case waiting(String)
  /// No count of what was texted.
  case texted(String)
  /// More bytes than are looked at; how many.
  case tooLong(Int)

  /// A stable name of the field that is wrong, for scripts, logs and metrics.
  public var code: String {
    switch self {
    case .fieldCount: "field_count"
    case .version: "version"
    case .checkpost: "checkpost"
    case .lastNumber: "last_number"
    case .syncedThrough: "synced_through"
    case .waiting: "waiting"
    case .texted: "texted"
    case .tooLong: "too_long"
    }
  }

  /// What is wrong, in words, with the value found.
  public var message: String {
    switch self {
    case .fieldCount(let count):
      "field count: there are \(count) fields where H1|checkpost|last|through|waiting|texted has 6"
    case .version(let found) where H1Error.isVersion(found):
      "version: unsupported heartbeat \(found); this program reads H1"
    case .version(let found):
      "version: the text starts with \(V1Error.quoted(found)) instead of H1, so it is no heartbeat"
    case .checkpost(let found):
      "checkpost: \(V1Error.quoted(found)) is no code of a post; there may be 1 to 10 of A-Z, 0-9"
        + " and -"
    case .lastNumber(let found):
      "last number: \(V1Error.quoted(found)) is no number of 1 to 12 digits"
    case .syncedThrough(let found):
      "synced through: \(V1Error.quoted(found)) is no time; it is whole seconds since 1970 in ten"
        + " digits, or -"
    case .waiting(let found):
      "waiting: \(V1Error.quoted(found)) is no number of 1 to 12 digits"
    case .texted(let found):
      "texted: \(V1Error.quoted(found)) is no number of 1 to 12 digits"
    case .tooLong(let count):
      "the text is too long: \(count) bytes; a heartbeat has 61 at most"
    }
  }

  /// As `message`.
  public var description: String { message }

  /// `H` and digits: a heartbeat of some version.
  static func isVersion(_ text: String) -> Bool {
    let bytes = text.utf8
    return bytes.first == UInt8(ascii: "H") && bytes.count > 1
      && bytes.dropFirst().allSatisfy(\.isDigit)
  }
}
