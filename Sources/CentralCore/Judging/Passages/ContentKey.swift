public import Passages

/// What a passage says of itself and nothing else: where, which vehicle, and the second. Two reports with
/// the same key are about one passage, under whatever identity they came.
///
/// The type of the vehicle is left out, as the channels cannot all say it; so are milliseconds, which a
/// text cannot say. The second is floored, as a post floors it.
public struct ContentKey: Hashable, Comparable, Sendable {
  /// The post.
  public var post: CheckpostCode
  /// The plate, compact.
  public var plate: String
  /// Whole seconds since 1970.
  public var second: Int64

  /// A key of its parts.
  public init(post: CheckpostCode, plate: String, second: Int64) {
    self.post = post
    self.plate = plate
    self.second = second
  }

  /// Those of one vehicle together, in order of time.
  public static func < (left: ContentKey, right: ContentKey) -> Bool {
    if left.plate != right.plate { return left.plate < right.plate }
    if left.second != right.second { return left.second < right.second }
    return left.post < right.post
  }
}
