/// What a request prefers (RFC 7240), as far as it is understood.
public struct RestPreferences: Hashable, Sendable {
  enum Return: String {
    case minimal
    case representation
    case headersOnly = "headers-only"
  }

  enum Resolution: String {
    case ignore = "ignore-duplicates"
    case merge = "merge-duplicates"
  }

  var returning: Return?
  var resolution: Resolution?
  /// Whether the number of all rows is wanted.
  var counts = false
  var missingIsDefault = false
  /// Those that were understood, as they are told back; the resolution only where it was of use.
  var applied: [String] = []

  init(_ header: String?) throws(RestError) {
    var unknown: [String] = []
    var isStrict = false
    for part in (header ?? "").split(separator: ",").prefix(32) {
      let word = String(part.filter { $0 != " " && $0 != "\t" })
      let halves = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard halves.count == 2 else {
        unknown.append(word)
        continue
      }
      switch (halves[0], halves[1]) {
      case ("return", let value) where Return(rawValue: value) != nil:
        returning = Return(rawValue: value)
        applied.append(word)
      case ("resolution", let value) where Resolution(rawValue: value) != nil:
        resolution = Resolution(rawValue: value)
      case ("count", "exact"), ("count", "planned"), ("count", "estimated"):
        counts = true
        applied.append(word)
      case ("missing", "default"), ("missing", "null"):
        missingIsDefault = halves[1] == "default"
        applied.append(word)
      case ("handling", "strict"):
        isStrict = true
        applied.append(word)
      case ("handling", "lenient"): applied.append(word)
      default: unknown.append(word)
      }
    }
    if isStrict, !unknown.isEmpty {
      throw RestError(
        "PGRST122", "Invalid preferences given with handling=strict",
        details:
          "Invalid preferences: \(unknown.map { RestError.shown($0) }.joined(separator: ", "))")
    }
  }
}
