/// The strength of the signal: `<rssi>` of `+CSQ` (3GPP TS 27.007 8.5).
public struct SignalQuality: Hashable, Sendable {
  /// The strength in dBm, -113 to -51; nil when the modem does not know.
  public let decibelMilliwatts: Int?

  /// The strength by its number: 0 to 31 in steps of 2 dB from -113 dBm, 100 to 191 in steps of 1 dB
  /// from -116 dBm; anything else is not known.
  public init(_ rssi: Int) {
    switch rssi {
    case 0...31: decibelMilliwatts = -113 + 2 * rssi
    case 100...191: decibelMilliwatts = -116 + (rssi - 100)
    default: decibelMilliwatts = nil
    }
  }

  /// The strength in the answer to `AT+CSQ`.
  public init?(answer: some StringProtocol) {
    guard let rssi = Parameters(answer).integer(0) else { return nil }
    self.init(rssi)
  }
}
