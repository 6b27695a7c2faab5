extension ModemSettings {
  /// The same with numbers of modem, subscriber and SIM that follow from the SIM's own number, so that no
  /// two modems have the same.
  public var withOwnIdentity: ModemSettings {
    let digits = number.utf8.filter { (0x30...0x39).contains($0) }
    let last = String(decoding: digits.suffix(10), as: UTF8.self)
    let subscriber = String(repeating: "0", count: 10 - last.utf8.count) + last
    var settings = self
    settings.imei = ModemSettings.withCheckDigit("35693803" + subscriber.suffix(6))
    settings.imsi = operatorCode + subscriber
    settings.iccid = ModemSettings.withCheckDigit("8997702\(subscriber)0")
    return settings
  }

  /// Digits with the one that IMEI and ICCID end in (3GPP TS 23.003 B, ITU-T E.118): every second digit
  /// from the right is doubled.
  private static func withCheckDigit(_ digits: String) -> String {
    var sum = 0
    for (place, byte) in digits.utf8.reversed().enumerated() {
      let digit = Int(byte) - 0x30
      let value = place.isMultiple(of: 2) ? digit * 2 : digit
      sum += value > 9 ? value - 9 : value
    }
    return digits + "\((10 - sum % 10) % 10)"
  }
}
