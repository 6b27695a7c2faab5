import NodeCore
import SeededRandom
import Testing

/// What is taken as a photograph, by its content.
@Suite struct PhotoTests {
  /// The smallest frame of a JPEG that a camera could write.
  static let jpeg: [UInt8] =
    [0xFF, 0xD8]
    + [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
    + [0xFF, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0] + [0x12, 0xFF, 0x00, 0x34]
    + [0xFF, 0xD9]

  static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    + chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]) + chunk("tEXt", Array("a\0b".utf8))
    + chunk("IDAT", [0x78, 0x9C, 1, 2]) + chunk("IEND", [])

  static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    [0, 0, UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + Array(kind.utf8) + data + [
      0, 0, 0, 0,
    ]
  }

  private func fault(_ bytes: [UInt8]) -> PhotoFault? {
    do throws(PhotoFault) {
      _ = try PhotoKind(of: bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func photographsAreKnownByTheirContent() throws {
    #expect(try PhotoKind(of: Self.jpeg) == .jpeg)
    #expect(try PhotoKind(of: Self.png) == .png)
    // Phones put more behind the end.
    #expect(try PhotoKind(of: Self.jpeg + [UInt8](repeating: 7, count: 500)) == .jpeg)
    #expect(PhotoKind.jpeg.contentType == "image/jpeg")
    #expect(PhotoKind.png.suffix == "png")
  }

  @Test func theLimitIsTheLastByteThatIsTaken() throws {
    let rest = [UInt8](repeating: 0, count: Limits.photoBytes - Self.jpeg.count)
    #expect(try PhotoKind(of: Self.jpeg + rest) == .jpeg)
    #expect(fault(Self.jpeg + rest + [0]) == .tooLarge)
    #expect(Limits.photoBytes == 2_097_152)
  }

  @Test(
    arguments: [
      ("PK\u{3}\u{4}rest", "a ZIP archive"), ("%PDF-1.7", "a PDF"), ("GIF89a", "a GIF"),
      ("RIFF1234WEBPVP8 ", "a WebP picture"), ("1234ftypheic", "a HEIC or AVIF picture"),
      ("1234ftypisom", "a film"), ("BM123", "a BMP picture"), ("<?xml version", "a text"),
    ])
  func whatIsSomethingElseIsNamed(text: String, what: String) {
    #expect(fault(Array(text.utf8)) == .notAPhotograph(what))
  }

  @Test func whatIsNothingKnownIsRefused() {
    #expect(fault([]) == .empty)
    #expect(fault([0xFF]) == .notAPhotograph(nil))
    #expect(fault([0xFF, 0xD8]) == .notAPhotograph(nil))
    #expect(fault(Array("plate,type".utf8)) == .notAPhotograph(nil))
    #expect(
      "\(PhotoFault.notAPhotograph("a ZIP archive"))".hasPrefix("is a ZIP archive, not a JPEG"))
    #expect("\(PhotoFault.tooLarge)".contains("2 MB"))
  }

  /// A camera that is still writing, or was pulled out.
  @Test func whatIsCutAnywhereIsRefused() {
    for kept in 3..<Self.jpeg.count {
      #expect(fault(Array(Self.jpeg[..<kept])) == .cutShort(.jpeg), "\(kept) bytes")
    }
    for kept in 8..<Self.png.count {
      #expect(fault(Array(Self.png[..<kept])) == .cutShort(.png), "\(kept) bytes")
    }
  }

  @Test func whatHasNoImageIsRefused() {
    let begin = Array(Self.png[..<8])
    let header = Self.chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
    let nothing = Self.chunk("IHDR", [0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 0])
    #expect(fault(begin + header + Self.chunk("IEND", [])) == .damaged(.png))
    #expect(
      fault(begin + nothing + Self.chunk("IDAT", [1]) + Self.chunk("IEND", [])) == .damaged(.png))
    #expect(fault(begin + Self.chunk("IDAT", [1]) + Self.chunk("IEND", [])) == .damaged(.png))
    #expect(fault(begin + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == .damaged(.png))
    #expect(fault([0xFF, 0xD8, 0xFF, 0xD9]) == .damaged(.jpeg))
    #expect(fault([0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 1, 0xFF, 0xD9]) == .damaged(.jpeg))
    #expect(fault([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0, 0]) == .damaged(.jpeg))
  }

  /// Whatever is in a file, it is judged, and within its bounds.
  @Test func nothingBreaksIt() {
    var random = SplitMix64(seed: 12)
    var taken = 0
    for _ in 0..<20_000 {
      var bytes = Bool.random(using: &random) ? Self.jpeg : Self.png
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0...3, using: &random))
      if fault(bytes) == nil { taken += 1 }
    }
    #expect(taken > 0 && taken < 20_000)
  }

  // MARK: How the camera was held

  /// A JPEG with an EXIF segment behind JFIF's, as cameras write it in either order of bytes.
  private func jpeg(_ tiff: [UInt8], name: String = "Exif\0\0") -> [UInt8] {
    let content = Array(name.utf8) + tiff
    return Self.jpeg[..<20] + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + Self.jpeg[20...]
  }

  private let big: [UInt8] =
    Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 2] + [0x01, 0x0F, 0, 2, 0, 0, 0, 1, 65, 0, 0, 0]
    + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0] + [0, 0, 0, 0]
  private let little: [UInt8] =
    Array("II*\0".utf8) + [10, 0, 0, 0, 9, 9, 1, 0] + [0x12, 0x01, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0]

  @Test func theOrientationIsRead() throws {
    #expect(JPEGOrientation(of: Self.jpeg) == .upright)
    #expect(JPEGOrientation(of: jpeg(big)).rawValue == 6)
    #expect(JPEGOrientation(of: jpeg(little)).rawValue == 8)
    // It is no Exif, says something else, or says nothing that can be meant.
    #expect(JPEGOrientation(of: jpeg(big, name: "http://ns")) == .upright)
    #expect(JPEGOrientation(of: jpeg(Array(big.dropLast(20)))) == .upright)
    for number in [0, 9, 255] as [UInt8] {
      var other = little
      other[20] = number
      #expect(JPEGOrientation(of: jpeg(other)) == .upright)
    }
    var far = big
    far[4...7] = [0xFF, 0xFF, 0xFF, 0xFF]
    #expect(JPEGOrientation(of: jpeg(far)) == .upright)
  }

  @Test(arguments: 1...8) func whatIsNotedIsRead(_ number: Int) throws {
    let orientation = try #require(JPEGOrientation(rawValue: number))
    let noted = orientation.noted(in: Self.jpeg)
    #expect(JPEGOrientation(of: noted) == orientation)
    #expect(try PhotoKind(of: noted) == .jpeg)
    #expect(number == 1 ? noted == Self.jpeg : noted.count > Self.jpeg.count)
    #expect(JPEGOrientation(rawValue: number + 8) == nil)
  }

  @Test func noOrientationBreaksIt() {
    var random = SplitMix64(seed: 13)
    for _ in 0..<20_000 {
      var bytes = jpeg(Bool.random(using: &random) ? big : little)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<70, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      #expect((1...8).contains(JPEGOrientation(of: bytes).rawValue))
    }
  }
}
