import Glibc

/// An address of the internet protocol, of either version.
///
/// An IPv4 address stands as the IPv6 address that means it (RFC 4291, 2.5.5.2), so that its two
/// spellings are one.
struct IPAddress: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads an address in digits, without brackets, port or zone; nil for anything else.
  init?(_ text: some StringProtocol) {
    // The longest has 45 characters; what is longer is not copied. For C a zero would be the end.
    guard (2...45).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, String(text), &bytes) == 1 {
      high = 0
      low = 0xFFFF << 32 | IPAddress.number(bytes[..<4])
    } else if inet_pton(AF_INET6, String(text), &bytes) == 1 {
      high = IPAddress.number(bytes[..<8])
      low = IPAddress.number(bytes[8...])
    } else {
      return nil
    }
  }

  /// Whether it is one of IPv4.
  var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// Whether it is this machine's own, `127.0.0.0/8` or `::1`.
  var isLoopback: Bool {
    isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1
  }

  /// The address as it is counted: of IPv6 its /64, all of which one caller may have.
  var counted: IPAddress {
    isIPv4 ? self : IPAddress(high: high, low: 0)
  }

  /// The first `length` bits of it, of 32 or of 128; the others are 0.
  func prefix(_ length: Int) -> IPAddress {
    let bits = isIPv4 ? length + 96 : length
    return IPAddress(
      high: bits >= 64 ? high : high & ~(UInt64.max >> UInt64(bits)),
      low: bits >= 128 ? low : bits <= 64 ? 0 : low & ~(UInt64.max >> UInt64(bits - 64)))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension IPAddress: CustomStringConvertible {
  /// The usual spelling.
  var description: String {
    if isIPv4 {
      return (0..<4).reversed().map { String(low >> (8 * UInt64($0)) & 0xFF) }
        .joined(separator: ".")
    }
    var bytes = in6_addr()
    withUnsafeMutableBytes(of: &bytes) { space in
      for index in 0..<8 {
        space[index] = UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * index))
        space[index + 8] = UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * index))
      }
    }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count)) != nil else { return "::" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Addresses that begin alike: `10.1.0.0/16`, or one alone.
struct AddressRange: Hashable, Sendable {
  private let first: IPAddress
  private let length: Int

  /// Reads an address, with the length of what is alike behind a slash or without; nil for anything
  /// else.
  init?(_ text: String) {
    let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(halves[0]) else { return nil }
    let most = address.isIPv4 ? 32 : 128
    var length = most
    if halves.count > 1 {
      guard halves[1].utf8.count <= 3, halves[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(halves[1]), number <= most
      else { return nil }
      length = number
    }
    self.length = length
    first = address.prefix(length)
  }

  /// Whether an address lies among them.
  func contains(_ address: IPAddress) -> Bool {
    address.isIPv4 == first.isIPv4 && address.prefix(length) == first
  }
}
