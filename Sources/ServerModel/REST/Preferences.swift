/// What a request prefers (RFC 7240), as far as it is understood.
struct Preferences: Hashable {
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
  var countsExactly = false
  var missingIsDefault = false
  /// Those that were understood, as they are told back.
  var applied: [String] = []

  init(_ header: String?) throws(SQLError) {
    var unknown: [String] = []
    var isStrict = false
    for part in (header ?? "").split(separator: ",") {
      let word = String(part.filter { $0 != " " })
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
      case ("count", "exact"):
        countsExactly = true
        applied.append(word)
      case ("count", "planned"), ("count", "estimated"): applied.append(word)
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
      throw SQLError(
        "PGRST122", "Invalid preferences given with handling=strict",
        details: "Invalid preferences: \(unknown.joined(separator: ", "))", status: 400)
    }
  }
}
