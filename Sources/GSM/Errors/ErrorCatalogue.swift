/// What every code means and what can be done about it.
enum ErrorCatalogue {
  /// One code.
  struct Entry: Hashable, Sendable {
    var code: Int
    var words: String
    var errorClass: ErrorClass

    init(_ code: Int, _ words: String, _ errorClass: ErrorClass) {
      self.code = code
      self.words = words
      self.errorClass = errorClass
    }
  }

  /// The entry of a code; codes that no table names get the class of their range.
  static func entry(_ kind: ModemError.Kind, code: Int, family: VendorFamily) -> Entry {
    switch kind {
    case .cms:
      if let entry = vendor(family).first(where: { $0.code == code }) { return entry }
      if let entry = cms.first(where: { $0.code == code }) { return entry }
      // 3GPP TS 24.011 treats an unknown cause of the network's as 41, a temporary failure.
      if (1...127).contains(code) { return Entry(code, "temporary failure", .soon) }
      return Entry(code, code >= 512 ? "the maker's own error" : "unknown error", .later)
    case .cme:
      if let entry = cme.first(where: { $0.code == code }) { return entry }
      return Entry(code, "unknown error", .later)
    case .plain:
      return Entry(code, "refused without a reason", .later)
    }
  }

  /// The entry whose words a modem printed instead of a number; compared by letters and digits only,
  /// because no two modems agree on the rest.
  static func entry(_ kind: ModemError.Kind, words: String) -> Entry? {
    let wanted = bare(words)
    guard !wanted.isEmpty else { return nil }
    // Firmware mixes the two kinds up, so the other table is asked as well.
    let tables = kind == .cms ? cms + cme : cme + cms
    return tables.first { bare($0.words) == wanted }
  }

  private static func bare(_ words: String) -> String {
    words.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
