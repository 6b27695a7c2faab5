/// The languages with shift tables of their own, by their identifiers (3GPP TS 23.038 6.2.1.2.4).
public enum NationalLanguage: UInt8, CaseIterable, Hashable, Sendable {
  case turkish = 1
  /// Has a single shift table alone.
  case spanish = 2
  case portuguese = 3
  case bengali = 4
  case gujarati = 5
  case hindi = 6
  case kannada = 7
  case malayalam = 8
  case oriya = 9
  case punjabi = 10
  case tamil = 11
  case telugu = 12
  case urdu = 13
}

/// Which tables a 7-bit text is written with: the default ones where nil.
public struct ShiftTables: Hashable, Sendable {
  /// Replaces the default alphabet for the whole text (3GPP TS 23.040 9.2.3.24.16).
  public var locking: NationalLanguage?
  /// Replaces the extension table (3GPP TS 23.040 9.2.3.24.15).
  public var single: NationalLanguage?

  /// Tables; nil is the default alphabet or its extension table.
  public init(locking: NationalLanguage? = nil, single: NationalLanguage? = nil) {
    self.locking = locking
    self.single = single
  }

  /// The default alphabet with its extension table.
  public static let standard = ShiftTables()
}
