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

/// The name of a photograph: one part of a path, of a few letters, which no file system takes for anything
/// else.
struct ObjectName: Hashable, Sendable {
  let text: String

  /// Nil for what is no such name.
  init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard (1...100).contains(bytes.count), bytes.first != UInt8(ascii: "."),
      bytes.allSatisfy({
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      })
    else { return nil }
    self.text = String(text)
  }

  /// The name without its ending: that of the passage.
  var stem: String { String(text.prefix { $0 != "." }) }
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
