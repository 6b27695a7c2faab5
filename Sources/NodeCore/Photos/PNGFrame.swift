/// The frame of a PNG: chunks, of which the first tells the size, one at least has the image, and the last
/// ends it.
enum PNGFrame {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func check(_ bytes: [UInt8]) throws(PhotoFault) {
    var place = signature.count
    var isFirst = true
    var hasImage = false
    while true {
      guard place + 12 <= bytes.count else { throw .cutShort(.png) }
      let length = bigEndian16(bytes, place) << 16 | bigEndian16(bytes, place + 2)
      let kind = bytes[place + 4..<place + 8]
      guard kind.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else { throw .damaged(.png) }
      guard length <= bytes.count - place - 12 else { throw .cutShort(.png) }
      if isFirst {
        guard kind.elementsEqual("IHDR".utf8), length == 13, isSized(bytes, place + 8) else {
          throw .damaged(.png)
        }
      }
      isFirst = false
      if kind.elementsEqual("IDAT".utf8), length > 0 { hasImage = true }
      if kind.elementsEqual("IEND".utf8) { break }
      place += length + 12
    }
    guard hasImage else { throw .damaged(.png) }
  }

  /// Whether width and height are there.
  private static func isSized(_ bytes: [UInt8], _ place: Int) -> Bool {
    [place, place + 4].allSatisfy { side in
      bytes[side] < 0x80 && bytes[side..<side + 4].contains { $0 != 0 }
    }
  }
}
