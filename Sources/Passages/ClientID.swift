import Crypto

/// The identity of a passage, and its idempotency key on the server: a UUID.
public struct ClientID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first and the last eight bytes, most significant first.
  private let high: UInt64
  private let low: UInt64

  /// The UUID written in a text, in capital or small letters, with its hyphens; nil when it is none.
  public init?(_ text: String) {
    var value: [UInt64] = [0, 0]
    var digits = 0
    var position = 0
    for byte in text.utf8 {
      defer { position += 1 }
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let nibble = ClientID.nibble(byte), digits < 32 else { return nil }
      value[digits / 16] = value[digits / 16] << 4 | UInt64(nibble)
      digits += 1
    }
    guard digits == 32, position == 36 else { return nil }
    high = value[0]
    low = value[1]
  }

  /// The UUID of version 4 made of 16 random bytes that are handed in (RFC 9562, 5.4).
  public init(random high: UInt64, _ low: UInt64) {
    self.init(high: high, low: low, version: 4)
  }

  /// The identity of a V1 body in its canonical form: the first 16 bytes of the SHA-256 of its
  /// UTF-8, with the version 5 and the variant of RFC 9562.
  ///
  /// The body is not changed before: make it canonical first, or another identity comes out.
  public static func content(canonicalBody: String) -> ClientID {
    var body = canonicalBody
    return body.withUTF8 { content(canonicalBytes: UnsafeRawBufferPointer($0)) }
  }

  /// The name of something that was given none: the first 16 bytes of the SHA-256 of
  /// `checkpost:KIND:NAME`, with the version 8 and the variant of RFC 9562. The same thing has the same name
  /// in every store, and no passage has it.
  ///
  /// - Parameters:
  ///   - kind: What kind of thing it is, such as `violation`.
  ///   - name: What names it among those of its kind.
  public static func derived(kind: String, name: String) -> ClientID {
    var text = "checkpost:\(kind):\(name)"
    return text.withUTF8 { hashed(UnsafeRawBufferPointer($0), version: 8) }
  }

  static func content(canonicalBytes: UnsafeRawBufferPointer) -> ClientID {
    hashed(canonicalBytes, version: 5)
  }

  private static func hashed(_ bytes: UnsafeRawBufferPointer, version: UInt64) -> ClientID {
    var hash = SHA256()
    hash.update(bufferPointer: bytes)
    return hash.finalize().withUnsafeBytes { digest in
      ClientID(
        high: UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
        version: version)
    }
  }

  private init(high: UInt64, low: UInt64, version: UInt64) {
    self.high = high & ~0xF000 | version << 12
    self.low = low & ~(0b11 << 62) | 0b10 << 62
  }

  /// The version of the UUID: 4 for random, 5 for the identity of a V1 body, 8 for a derived name.
  public var version: Int {
    Int(high >> 12 & 0xF)
  }

  /// The UUID in small letters with its hyphens.
  public var description: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      var position = 0
      for nibble in 0..<32 {
        if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
          buffer[position] = UInt8(ascii: "-")
          position += 1
        }
        let half = nibble < 16 ? high : low
        let value = UInt8(truncatingIfNeeded: half >> UInt64((15 - nibble % 16) * 4) & 0xF)
        buffer[position] =
          value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
        position += 1
      }
      return position
    }
  }

  /// The order of the 128 bits, which is that of the text too.
  public static func < (left: ClientID, right: ClientID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
