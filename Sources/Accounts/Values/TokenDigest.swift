/// The hash of a token or a key, which is all that is kept of it: 32 bytes of SHA-256. What it is the hash of
/// has 256 random bits, so that a fast hash is enough.
public struct TokenDigest: Hashable, Sendable {
  /// The bytes, 32 of them.
  public let bytes: [UInt8]

  /// The hash in bytes; nil when they are not 32.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Whether both are the same, in a time that does not depend on where they differ.
  public func matches(_ other: TokenDigest) -> Bool {
    var difference: UInt8 = 0
    for (left, right) in zip(bytes, other.bytes) { difference |= left ^ right }
    return difference == 0
  }
}
