/// A number of things in words: `1 row`, `2 rows`.
public enum CountText {
  /// So many of what is called `one`, and `many` where it takes more than an s.
  public static func of(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
  }
}
