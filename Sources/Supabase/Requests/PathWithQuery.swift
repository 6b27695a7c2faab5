/// The path of a request, with its query, written part by part.
struct PathWithQuery {
  private(set) var path: String
  private var separator = "?"

  init(_ path: String) {
    self.path = path
  }

  /// Adds a condition or an option. Of `value` all is written as it is but what would end it.
  mutating func add(_ name: String, _ value: String) {
    path += "\(separator)\(name)=\(PathWithQuery.encoded(value))"
    separator = "&"
  }

  /// The text with every byte percent-encoded that means something in a URL, or is no ASCII. Of those that
  /// PostgREST reads (`.`, `,`, `(`, `)`, `:`, `*`) none has a meaning in a query.
  static func encoded(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
      UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ":"),
      UInt8(ascii: "*"):
      true
    default: false
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
