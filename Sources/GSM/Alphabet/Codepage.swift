/// One pair of tables made ready for both directions.
final class Codepage: Sendable {
  /// The scalar of each septet; 0xFFFD where the table has none.
  let basic: [UInt32]
  /// The scalar of each septet after an escape; 0 where the table has none.
  let shifted: [UInt32]
  /// Septets by scalar: below 128 one septet, from 0x1B00 on an escape and one.
  private let septets: [UInt32: UInt16]

  private init(_ tables: ShiftTables) {
    let locking = tables.locking.map(NationalTables.locking) ?? DefaultAlphabet.basic
    let extended = tables.single.map(NationalTables.single) ?? DefaultAlphabet.extended
    var basic = [UInt32](repeating: 0xFFFD, count: 128)
    var shifted = [UInt32](repeating: 0, count: 128)
    var septets: [UInt32: UInt16] = [:]
    for (septet, scalar) in extended {
      shifted[Int(septet)] = scalar.value
      // The first position of a character that a table holds twice is the one that is sent.
      if septets[scalar.value] == nil {
        septets[scalar.value] = 0x1B00 | UInt16(septet)
      }
    }
    for (septet, scalar) in locking.enumerated() {
      guard let scalar, septet != Int(DefaultAlphabet.escape) else { continue }
      basic[septet] = scalar.value
      septets[scalar.value] = UInt16(septet)
    }
    self.basic = basic
    self.shifted = shifted
    self.septets = septets
  }

  /// The septets of a scalar: nil when the tables lack it, above 0x1B00 with an escape.
  func septets(of scalar: Unicode.Scalar) -> UInt16? {
    septets[scalar.value]
  }

  /// The code page of `tables`.
  static func of(_ tables: ShiftTables) -> Codepage {
    if tables == .standard {
      return standard
    }
    let locking = Int(tables.locking?.rawValue ?? 0)
    let single = Int(tables.single?.rawValue ?? 0)
    return national[locking * 14 + single]
  }

  private static let standard = Codepage(.standard)

  private static let national: [Codepage] = (0..<14 * 14).map { index in
    Codepage(
      ShiftTables(
        locking: NationalLanguage(rawValue: UInt8(index / 14)),
        single: NationalLanguage(rawValue: UInt8(index % 14))))
  }
}
