/// Septets in octets: least significant bit first (3GPP TS 23.038 6.1.2.1).
enum Septets {
  /// Packs `septets` behind `fill` bits of zero, which align them to a septet boundary after a
  /// header.
  static func pack(_ septets: some Collection<UInt8>, fill: Int = 0) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity((septets.count * 7 + fill + 7) / 8)
    var held: UInt32 = 0
    var bits = fill
    for septet in septets {
      held |= UInt32(septet & 0x7F) << UInt32(bits)
      bits += 7
      while bits >= 8 {
        octets.append(UInt8(truncatingIfNeeded: held))
        held >>= 8
        bits -= 8
      }
    }
    if bits > 0 {
      octets.append(UInt8(truncatingIfNeeded: held))
    }
    return octets
  }

  /// Unpacks up to `count` septets that begin `fill` bits into `octets`. The count decides, so that
  /// seven spare bits at the end do not become an `@`.
  static func unpack(_ octets: ArraySlice<UInt8>, count: Int, fill: Int = 0) -> [UInt8] {
    let available = max(0, (octets.count * 8 - fill) / 7)
    let wanted = min(count, available)
    return octets.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: wanted) { space, written in
        var held: UInt32 = 0
        var bits = 0
        var index = 0
        if fill > 0, source.count > 0 {
          held = UInt32(source[0]) >> UInt32(fill)
          bits = 8 - fill
          index = 1
        }
        for position in 0..<wanted {
          if bits < 7 {
            held |= UInt32(source[index]) << UInt32(bits)
            index += 1
            bits += 8
          }
          space[position] = UInt8(held & 0x7F)
          held >>= 7
          bits -= 7
        }
        written = wanted
      }
    }
  }
}
