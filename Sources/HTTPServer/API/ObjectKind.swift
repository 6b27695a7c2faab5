import Crypto

/// What kinds of photographs are kept, told by how their content begins (the signatures of JPEG, ISO 10918-1,
/// and of PNG, RFC 2083).
enum ObjectKind: String, CaseIterable, Hashable, Sendable {
  case jpeg = "image/jpeg"
  case png = "image/png"

  /// The kind of a content; nil when it is none of these.
  init?(_ content: [UInt8]) {
    if content.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if content.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else {
      return nil
    }
  }
}

/// A photograph that lies on disk.
struct StoredObject: Hashable, Sendable {
  var kind: ObjectKind
  var content: [UInt8]

  /// What tells this content from every other.
  var tag: String {
    "\""
      + SHA256.hash(data: content).prefix(16).map { byte in
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
      }.joined() + "\""
  }
}
