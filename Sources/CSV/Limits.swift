/// The bounds of this module.
public enum Limits {
  /// The longest line that is read; longer ones are reported and passed over.
  public static let lineBytes = 65_536
}
