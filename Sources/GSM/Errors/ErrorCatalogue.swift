/// What every code means and what can be done about it.
enum ErrorCatalogue {
  /// The entry of a code; codes that no table names get the class of their range.
  static func entry(_ kind: ModemError.Kind, code: Int, family: ErrorFamily) -> ErrorCode {
    switch kind {
    case .cms:
      if let entry = family.codes.first(where: { $0.code == code }) { return entry }
      if let entry = cms.first(where: { $0.code == code }) { return entry }
      // Some call a general error one of messages.
      if family.mixesKinds, (256...263).contains(code) {
        return entry(.cme, code: code, family: family)
      }
      // 3GPP TS 24.011 treats an unknown cause of the network's as 41, a temporary failure.
      if (1...127).contains(code) { return ErrorCode(code, "temporary failure", .soon) }
      return ErrorCode(code, code >= 512 ? "the maker's own error" : "unknown error", .later)
    case .cme:
      if let entry = cme.first(where: { $0.code == code }) { return entry }
      // From 300 on the standard has none here, so firmware means the other kind.
      if let entry = cms.first(where: { $0.code == code && code >= 300 }) { return entry }
      return ErrorCode(code, "unknown error", .later)
    case .plain:
      return ErrorCode(code, "refused without a reason", .later)
    }
  }

  /// The entry whose words a modem printed instead of a number; compared by letters and digits only,
  /// because no two modems agree on the rest.
  static func entry(_ kind: ModemError.Kind, words: String) -> ErrorCode? {
    let wanted = bare(words)
    guard !wanted.isEmpty else { return nil }
    // Firmware mixes the two kinds up, so the other table is asked as well.
    let tables = kind == .cms ? cms + cme : cme + cms
    if let entry = tables.first(where: { bare($0.words) == wanted }) { return entry }
    guard let code = standardNames[wanted] else { return nil }
    return cms.first { $0.code == code }
  }

  /// Letters and digits in lower case; `(U)SIM` is the SIM.
  private static func bare(_ words: String) -> String {
    words.lowercased().replacing("(u)sim", with: "sim").filter { $0.isLetter || $0.isNumber }
  }

  /// `+CMS ERROR` by names that 3GPP TS 27.005 and 3GPP TS 24.011 word differently than we do.
  private static let standardNames: [String: Int] = [
    "unassignedunallocatednumber": 1,
    "unassignednumber": 1,
    "resourcesunavailable": 47,
    "invalidtransferreferencevalue": 81,
    "invalidmessageunspecified": 95,
    "messagetypenonexistentornotimplemented": 97,
    "messagenotcompatiblewithshortmessageprotocolstate": 98,
    "informationelementnonexistentornotimplemented": 99,
    "protocolerror": 111,
    "interworking": 127,
    "mefailure": 300,
    "smsserviceofmereserved": 301,
  ]
}
