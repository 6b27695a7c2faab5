/// The bounds of this module.
public enum Limits {
  /// Bytes of UTF-8 in a text that is looked at as V1; a longer one is refused unread. A V1 body has
  /// 54 at most; the rest is room for white space and for delimiters that came broken.
  public static let bodyBytes = 512

  /// Bytes of UTF-8 in a plate as it was read or typed.
  public static let rawPlateBytes = 200

  /// Letters and digits of a plate in its compact form.
  public static let compactPlate = 2...20

  /// Characters in the code of a post.
  public static let checkpostCode = 1...10

  /// The whole seconds since 1970 that V1 can say: ten digits, the first of them not zero. From
  /// September 2001 to November 2286.
  public static let epochs: ClosedRange<Int64> = 1_000_000_000...9_999_999_999

  /// Counts and numbers that a heartbeat can say: twelve digits.
  public static let counts: ClosedRange<Int64> = 0...999_999_999_999

  /// Two passages of one vehicle that lie further apart are not one travel, unless the segment is so
  /// long that its slowest travel takes half of that. In seconds.
  public static let travelSeconds: Int64 = 5 * 3_600
}
