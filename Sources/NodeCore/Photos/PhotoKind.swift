/// What a photograph may be, by its content. A file's name says nothing.
public enum PhotoKind: String, CaseIterable, Hashable, Sendable {
  /// JPEG (ITU-T T.81).
  case jpeg
  /// PNG (RFC 2083).
  case png

  /// What people call it.
  public var name: String { rawValue.uppercased() }

  /// Its media type.
  public var contentType: String { "image/\(rawValue)" }

  /// The end of a file's name.
  public var suffix: String { self == .png ? "png" : "jpg" }

  /// Tells what a whole file is.
  ///
  /// What is looked at is the frame: that the parts follow each other as the format says, that there is
  /// an image in it with a width and a height, and that it ends. The image itself is not decoded.
  ///
  /// - Parameter most: How many bytes it may have.
  /// - Throws: Why it is no photograph that is taken.
  public init(of bytes: [UInt8], most: Int = Limits.photoBytes) throws(PhotoFault) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= most else { throw .tooLarge }
    guard let kind = PhotoKind(beginning: bytes) else {
      throw .notAPhotograph(PhotoKind.guess(bytes))
    }
    switch kind {
    case .jpeg: try JPEGFrame.check(bytes)
    case .png: try PNGFrame.check(bytes)
    }
    self = kind
  }

  /// Tells by its first bytes what a file would be; nil for neither.
  public init?(beginning bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: PNGFrame.signature) {
      self = .png
    } else {
      return nil
    }
  }

  /// What people most often name instead.
  private static func guess(_ bytes: [UInt8]) -> String? {
    func begins(_ text: String, at place: Int = 0) -> Bool {
      bytes.dropFirst(place).starts(with: text.utf8)
    }
    if begins("PK\u{3}\u{4}") || begins("PK\u{5}\u{6}") { return "a ZIP archive" }
    if begins("%PDF") { return "a PDF" }
    if begins("GIF8") { return "a GIF" }
    if begins("RIFF"), begins("WEBP", at: 8) { return "a WebP picture" }
    if begins("ftyp", at: 4) {
      let isPicture = ["hei", "hev", "mif", "msf", "avi"].contains { begins($0, at: 8) }
      return isPicture ? "a HEIC or AVIF picture" : "a film"
    }
    if begins("BM") { return "a BMP picture" }
    if begins("II*\0") || begins("MM\0*") { return "a TIFF or raw picture" }
    if begins("<svg") || begins("<?xml") || begins("<!DOCTYPE") || begins("<html") {
      return "a text"
    }
    return nil
  }
}

/// Two bytes, the more significant first.
func bigEndian16(_ bytes: [UInt8], _ place: Int) -> Int {
  Int(bytes[place]) << 8 | Int(bytes[place + 1])
}
