/// How large a request's body may be and how long it may take, by what it is for. It is told by the path
/// alone, before anything else is known; what no larger body is expected at has the bounds of a text.
struct BodyBound: Hashable, Sendable {
  /// Bytes of it.
  let bytes: Int
  /// How many times as long as a text it may take.
  let patience: Int64

  /// A text that a provider hands in, and whatever is not known.
  static let text = BodyBound(bytes: Limits.bodyBytes, patience: 1)
  /// Rows.
  static let rows = BodyBound(bytes: Limits.rowsBytes, patience: 3)
  /// A photograph, also over a line of 5 kB a second, as a road in a forest has it.
  static let photograph = BodyBound(bytes: Limits.photographBytes, patience: 120)

  private init(bytes: Int, patience: Int64) {
    self.bytes = bytes
    self.patience = patience
  }

  /// The bound of what is sent to a path.
  init(path: some StringProtocol) {
    let parts = path.prefix { $0 != "?" }.split(separator: "/", maxSplits: 3)
    if parts.starts(with: ["rest", "v1"]) {
      self = .rows
    } else if parts.starts(with: ["storage", "v1"]) {
      self = .photograph
    } else {
      self = .text
    }
  }
}
