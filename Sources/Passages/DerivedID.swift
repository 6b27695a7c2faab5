import Crypto

/// The UUID of something that has a name here and has to have a UUID elsewhere: where nobody gave it one, it
/// follows from the name, so that every program comes to the same.
public enum DerivedID {
  /// What it is, as the name alone may be that of several things.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A park, by its code.
    case park
    /// A segment, by its name.
    case segment
    /// A post, by its code.
    case post
    /// A ranger, by the digits of the number.
    case profile
    /// A violation, by the UUID of its entry.
    case violation
    /// An alert, by the UUID of its entry.
    case alert
  }

  /// The UUID in its usual form: the first 16 bytes of the SHA-256 of `checkpost:KIND:NAME`, as a UUID of
  /// version 8 (RFC 9562, 5.8).
  public static func uuid(_ kind: Kind, _ name: String) -> String {
    var bytes = Array(
      SHA256.hash(data: Array("checkpost:\(kind.rawValue):\(name)".utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = ""
    for (position, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(position) { text += "-" }
      text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return text
  }
}
