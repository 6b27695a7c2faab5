/// What this program calls itself.
public enum Version {
  /// The version of the program.
  public static let current = "0.1.0"
}
