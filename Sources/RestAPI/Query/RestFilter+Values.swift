extension RestFilter {
  /// The same filter, in which patterns of a column are the values that fulfil them: those are found by an index.
  ///
  /// - Parameters:
  ///   - column: The name of the column, which always has a value.
  ///   - values: The values that fulfil a pattern, which may ignore whether letters are small; nil to leave it a pattern.
  public func replacingPatterns<Failure: Error>(
    of column: String,
    by values: (_ pattern: String, _ ignoresCase: Bool) throws(Failure) -> [String]?
  ) throws(Failure) -> RestFilter {
    switch self {
    case .all(let parts):
      var replaced: [RestFilter] = []
      for part in parts { replaced.append(try part.replacingPatterns(of: column, by: values)) }
      return .all(replaced)
    case .any(let parts):
      var replaced: [RestFilter] = []
      for part in parts { replaced.append(try part.replacingPatterns(of: column, by: values)) }
      return .any(replaced)
    case .like(let named, let pattern, let ignoresCase) where named.name == column:
      guard let found = try values(pattern, ignoresCase) else { return self }
      return .oneOf(named, found.map { .text($0) })
    default: return self
    }
  }
}

extension RestFilter {
  /// Whether it is true of every row, whatever stands in it.
  var isEverything: Bool {
    if case .all(let parts) = self { parts.allSatisfy(\.isEverything) } else { false }
  }
}
