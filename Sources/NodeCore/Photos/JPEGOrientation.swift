/// How a camera was held, as a JPEG says it (Exif 2.32, 4.6.5, tag 274): 1 for upright, 2 to 8 for what has to be
/// mirrored or turned before it is shown.
public struct JPEGOrientation: RawRepresentable, Hashable, Sendable {
  /// Nothing has to be turned.
  public static let upright = JPEGOrientation(number: 1)

  /// The number that stands in the file.
  public let rawValue: Int

  /// Nil for what is no orientation.
  public init?(rawValue: Int) {
    guard (1...8).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(number: Int) { rawValue = number }

  /// What a JPEG says; upright where it says nothing that can be read.
  public init(of bytes: [UInt8]) {
    self = JPEGOrientation.find(bytes) ?? .upright
  }

  private static func find(_ bytes: [UInt8]) -> JPEGOrientation? {
    var place = 2
    // Up to the first segment that says something of the image itself.
    while place + 4 <= bytes.count, bytes[place] == 0xFF, (0xE0...0xEF).contains(bytes[place + 1]) {
      let length = bigEndian16(bytes, place + 2)
      let end = place + 2 + length
      guard length >= 2, end <= bytes.count else { return nil }
      if bytes[place + 1] == 0xE1, let found = find(exif: bytes[place + 4..<end]) { return found }
      place = end
    }
    return nil
  }

  private static func find(exif bytes: ArraySlice<UInt8>) -> JPEGOrientation? {
    guard bytes.starts(with: Array("Exif\0\0".utf8)) else { return nil }
    let tiff = Array(bytes.dropFirst(6))
    guard tiff.count >= 8 else { return nil }
    let isLittle = tiff.starts(with: Array("II*\0".utf8))
    guard isLittle || tiff.starts(with: Array("MM\0*".utf8)) else { return nil }
    func number(at place: Int, _ count: Int) -> Int? {
      guard place >= 0, place + count <= tiff.count else { return nil }
      let digits = tiff[place..<place + count]
      return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard let directory = number(at: 4, 4), let count = number(at: directory, 2) else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + entry * 12
      guard let tag = number(at: place, 2), let kind = number(at: place + 2, 2) else { return nil }
      // A short number stands at the beginning of its four bytes.
      if tag == 0x0112, kind == 3 {
        return number(at: place + 8, 2).flatMap { JPEGOrientation(rawValue: $0) }
      }
    }
    return nil
  }

  /// A JPEG that says nothing of it, with it.
  public func noted(in bytes: [UInt8]) -> [UInt8] {
    guard self != .upright, bytes.count > 2 else { return bytes }
    let tiff =
      Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1]
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(rawValue), 0, 0] + [0, 0, 0, 0]
    let content = Array("Exif\0\0".utf8) + tiff
    return bytes[..<2] + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + bytes[2...]
  }
}
