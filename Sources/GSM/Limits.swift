/// The bounds of this module, most of them set by the specification.
public enum Limits {
  /// Octets of user data (3GPP TS 23.040 9.2.3.24).
  public static let userDataOctets = 140
  /// Septets of user data (3GPP TS 23.040 9.2.3.16).
  public static let userDataSeptets = 160
  /// Digits of an address: 10 octets (3GPP TS 23.040 9.1.2.5).
  public static let addressDigits = 20
  /// Parts of a long message (3GPP TS 23.040 9.2.3.24.1).
  public static let parts = 255
  /// Octets of a PDU that are looked at; the longest valid one with its SMSC part has 176.
  public static let pduOctets = 300
  /// Hexadecimal digits of a line that are looked at.
  public static let hexDigits = 4_096
}
