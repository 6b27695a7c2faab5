/// Text in the 7-bit alphabets and in UCS-2.
public enum GSMText {
  /// The septets of `text`, escapes included; nil when a character is not in the tables.
  public static func septets(_ text: String, tables: ShiftTables = .standard) -> [UInt8]? {
    let page = Codepage.of(tables)
    var septets: [UInt8] = []
    septets.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      guard let code = page.septets(of: scalar) else { return nil }
      if code > 0x7F {
        septets.append(DefaultAlphabet.escape)
      }
      septets.append(UInt8(truncatingIfNeeded: code & 0x7F))
    }
    return septets
  }

  /// The text of `septets`. An escape before a septet that the extension table lacks shows that
  /// septet's own character, and an escape before an escape, or at the end, a space, as
  /// 3GPP TS 23.038 6.2.1.1 asks of a receiver; a position without a character shows U+FFFD.
  public static func text(septets: [UInt8], tables: ShiftTables = .standard) -> String {
    let page = Codepage.of(tables)
    // A septet is at most three bytes of UTF-8: every table stays within the basic plane.
    return String(unsafeUninitializedCapacity: septets.count * 3) { space in
      var written = 0
      func put(_ scalar: UInt32) {
        if scalar < 0x80 {
          space[written] = UInt8(scalar)
          written += 1
        } else if scalar < 0x800 {
          space[written] = UInt8(0xC0 | scalar >> 6)
          space[written + 1] = UInt8(0x80 | scalar & 0x3F)
          written += 2
        } else {
          space[written] = UInt8(0xE0 | scalar >> 12)
          space[written + 1] = UInt8(0x80 | scalar >> 6 & 0x3F)
          space[written + 2] = UInt8(0x80 | scalar & 0x3F)
          written += 3
        }
      }
      var escaped = false
      for septet in septets {
        if escaped {
          escaped = false
          if septet == DefaultAlphabet.escape {
            put(0x20)
          } else {
            let shifted = page.shifted[Int(septet & 0x7F)]
            put(shifted != 0 ? shifted : page.basic[Int(septet & 0x7F)])
          }
        } else if septet == DefaultAlphabet.escape {
          escaped = true
        } else {
          put(page.basic[Int(septet & 0x7F)])
        }
      }
      if escaped {
        put(0x20)
      }
      return written
    }
  }

  /// The UTF-16 code units of `octets`, big-endian; a last odd octet is dropped.
  static func units(_ octets: ArraySlice<UInt8>) -> [UInt16] {
    var units: [UInt16] = []
    units.reserveCapacity(octets.count / 2)
    var index = octets.startIndex
    while index + 1 < octets.endIndex {
      units.append(UInt16(octets[index]) << 8 | UInt16(octets[index + 1]))
      index += 2
    }
    return units
  }
}
