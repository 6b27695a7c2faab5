import GSM

/// Where the user data stands in the octets of SMS-DELIVER or SMS-SUBMIT, found by the lengths of
/// what precedes it (3GPP TS 23.040 9.2.2).
struct UserDataPlace {
  /// TP-UDL: septets or octets.
  let length: UInt8
  /// TP-UD.
  let octets: ArraySlice<UInt8>

  /// Nil when the octets end before.
  init?(_ tpdu: ArraySlice<UInt8>, isDeliver: Bool) {
    guard let first = tpdu.first else { return nil }
    let addressAt = isDeliver ? 1 : 2
    guard let digits = tpdu.dropFirst(addressAt).first else { return nil }
    // PID and DCS, then a time stamp or, as bits 4 and 3 say, a validity period.
    let time = isDeliver ? 7 : first & 0x18 == 0 ? 0 : first & 0x18 == 0x10 ? 1 : 7
    let rest = tpdu.dropFirst(addressAt + 2 + (Int(digits) + 1) / 2 + 2 + time)
    guard let length = rest.first else { return nil }
    self.length = length
    octets = rest.dropFirst()
  }

  /// Whether there are as many octets as the length says, no more and no fewer.
  func isWhole(_ tpdu: TPDU) -> Bool {
    let data: UserData
    switch tpdu {
    case .submit(let submit): data = submit.userData
    case .deliver(let deliver): data = deliver.userData
    case .statusReport: return true
    }
    let count = Int(length)
    return octets.count == (data.alphabet == .gsm7 ? (count * 7 + 7) / 8 : count)
  }
}
