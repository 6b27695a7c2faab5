/// The bounds of this module, in one place.
public enum Limits {
  /// Digits of a phone number with its country code (ITU-T E.164, 6.2.1).
  public static let phoneDigits = 3...15

  /// Characters of a phone number as it was written; what is longer is none.
  static let phoneCharacters = 40

  /// Two passages of one vehicle that lie further apart are not one travel, unless the segment is so
  /// long that its slowest travel takes half of that. In seconds.
  public static let travelSeconds: Int64 = 5 * 3_600
}
