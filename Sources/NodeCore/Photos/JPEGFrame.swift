/// The frame of a JPEG: segments, of which one tells the size, up to the scan, and an end.
enum JPEGFrame {
  static func check(_ bytes: [UInt8]) throws(PhotoFault) {
    var place = 2
    var hasSize = false
    while true {
      let (marker, next) = try marker(bytes, at: place)
      place = next
      switch marker {
      case 0x01, 0xD0...0xD7: continue
      case 0xD8, 0xD9, 0x00: throw .damaged(.jpeg)
      default: break
      }
      guard place + 2 <= bytes.count else { throw .cutShort(.jpeg) }
      let length = bigEndian16(bytes, place)
      guard length >= 2 else { throw .damaged(.jpeg) }
      guard place + length <= bytes.count else { throw .cutShort(.jpeg) }
      if isStartOfFrame(marker) {
        guard length >= 8, bigEndian16(bytes, place + 3) > 0, bigEndian16(bytes, place + 5) > 0
        else { throw .damaged(.jpeg) }
        hasSize = true
      }
      place += length
      if marker == 0xDA { break }
    }
    guard hasSize else { throw .damaged(.jpeg) }
    guard ends(bytes, after: place) else { throw .cutShort(.jpeg) }
  }

  /// A marker, which any number of fill bytes may precede, and the place after it.
  private static func marker(
    _ bytes: [UInt8], at place: Int
  ) throws(PhotoFault) -> (UInt8, next: Int) {
    guard place < bytes.count else { throw .cutShort(.jpeg) }
    guard bytes[place] == 0xFF else { throw .damaged(.jpeg) }
    guard let end = bytes[place...].firstIndex(where: { $0 != 0xFF }) else {
      throw .cutShort(.jpeg)
    }
    return (bytes[end], end + 1)
  }

  private static func isStartOfFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  /// Whether the image ends. It is looked for from behind: phones put films and depth after it.
  private static func ends(_ bytes: [UInt8], after start: Int) -> Bool {
    var place = bytes.count - 1
    while place > start {
      if bytes[place] == 0xD9, bytes[place - 1] == 0xFF { return true }
      place -= 1
    }
    return false
  }
}
