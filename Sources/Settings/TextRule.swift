import Glibc
import ModemDiscovery
import Text
import Time

/// What a setting that is a text may be.
enum TextRule: Hashable, Sendable {
  /// Anything but nothing.
  case any
  /// A path from the root of the file system.
  case path
  /// `auto` or such a path.
  case modemPort
  /// What tells one modem from others: `12d1:1506`, `serial=…`.
  case modemIdentity
  /// The path of a socket: such a path, of 107 bytes at most.
  case socketPath
  /// The code of a post.
  case checkpost
  /// A phone number with its country code.
  case phoneNumber
  /// Such a number, or `any`.
  case phoneNumberOrAny
  /// A number above 0, with or without a decimal point.
  case decimal
  /// How phone numbers begin: `+` and digits.
  case phonePrefix
  /// The name of a modem.
  case modemName
  /// `http://` or `https://` with a host.
  case url
  /// `none` or the URL of an HTTP proxy.
  case proxy
  /// The SHA-256 of a public key.
  case pin
  /// An address or a host name to listen at.
  case host
  /// An IPv4 or IPv6 address in digits, or a range of them.
  case addressRange
  /// `*`, or a scheme, a host and perhaps a port, as browsers write where a page comes from.
  case origin
  /// An account's identity at the provider: `AC` and 32 hexadecimal digits.
  case accountSID
  /// A number, `=`, the code of a post.
  case numberOfPost
  /// The name of a segment, `=`, 5 hours to 30 days.
  case windowOfSegment
  /// A part of the day.
  case hours
  /// A PostgreSQL database as libpq names one, without a password.
  case databaseConnection

  /// The values that are allowed, in words.
  var allowed: String {
    switch self {
    case .any: "a text"
    case .path: "a path that begins with /"
    case .modemPort: "auto or a path that begins with /"
    case .modemIdentity:
      "VENDOR:PRODUCT or VENDOR:PRODUCT:INTERFACE as in \"12d1:1506:02\", serial=TEXT, imei=DIGITS,"
        + " or several of these"
    case .socketPath: "a path that begins with /, of at most 107 bytes"
    case .checkpost: "1 to 10 of A-Z, 0-9 and -, such as BNP-A"
    case .phoneNumber: "a phone number with its country code, such as \"+9779801234567\""
    case .phoneNumberOrAny:
      "a phone number with its country code, such as \"+9779801234567\", or any"
    case .decimal: "a number above 0 and up to 10000, such as 45 or 22.5"
    case .phonePrefix: "+ and the first digits of numbers, such as \"+97798\""
    case .modemName: "1 to 20 of a-z, 0-9 and -"
    case .url:
      "a URL that begins with https:// or http://, without a user or a password in it,"
        + " and with a port up to 65535 if any"
    case .proxy: "none, or a URL that begins with http:// or https://, without a password in it"
    case .pin: "sha256// and the hash of the key in base64"
    case .host: "an address or a host name, such as 127.0.0.1"
    case .addressRange:
      "an IPv4 or IPv6 address, such as 192.0.2.1, or a range, such as 192.0.2.0/24"
    case .origin: "* or https:// and a host in small letters, such as \"https://desk.example.org\""
    case .accountSID: "AC and 32 hexadecimal digits"
    case .hours: "two times of day, such as \"22:00-05:00\""
    case .windowOfSegment: "a segment, = and 5h to 30d, such as \"Banepa=48h\""
    case .databaseConnection:
      "a database as libpq names one, without a password, which belongs into a file of its own"
    case .numberOfPost: "a number, = and a post, such as \"+9779801234567=BNP-A\""
    }
  }

  func allows(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= Limits.settingTextBytes,
      !bytes.contains(where: { $0 < 32 })
    else {
      return false
    }
    return switch self {
    case .any: true
    case .path: bytes[0] == 0x2F
    case .modemPort: bytes[0] == 0x2F || text == PortSelector.automaticWord
    case .modemIdentity: ModemIdentity(text) != nil
    case .socketPath: bytes[0] == 0x2F && bytes.count <= 107
    case .checkpost: TextRule.isCheckpostCode(bytes[...])
    case .phoneNumber: TextRule.isPhoneNumber(bytes[...])
    case .phoneNumberOrAny: text == "any" || TextRule.isPhoneNumber(bytes[...])
    case .decimal: TextRule.isDecimal(text)
    case .phonePrefix: TextRule.isPhonePrefix(bytes)
    case .modemName: bytes.count <= 20 && bytes.allSatisfy(TextRule.isNameByte)
    case .url: TextRule.isURL(text)
    case .proxy: text == "none" || TextRule.isURL(text)
    case .pin: TextRule.isPin(text)
    case .host: bytes.allSatisfy(TextRule.isHostByte)
    case .addressRange: TextRule.isAddressRange(text)
    case .origin: text == "*" || TextRule.isOrigin(text)
    case .accountSID: text.hasPrefix("AC") && bytes.count == 34 && bytes[2...].allSatisfy(isLowHex)
    case .numberOfPost: TextRule.isNumberOfPost(bytes)
    case .windowOfSegment: TextRule.isWindowOfSegment(text)
    case .hours: DayPart(text) != nil
    case .databaseConnection: !TextRule.hasPassword(text)
    }
  }

  private func isLowHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func isCheckpostCode(_ bytes: ArraySlice<UInt8>) -> Bool {
    (1...10).contains(bytes.count)
      && bytes.allSatisfy {
        (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }

  private static func isPhoneNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    // ITU-T E.164: 15 digits at most, the first of the country code not 0.
    guard bytes.first == 0x2B, (8...16).contains(bytes.count) else { return false }
    let digits = bytes.dropFirst()
    return digits.first != 0x30 && digits.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isDecimal(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, text.utf8.count <= 10,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let number = Double(text)
    else { return false }
    return number * 1_000 >= 1 && number <= 10_000
  }

  private static func isPhonePrefix(_ bytes: [UInt8]) -> Bool {
    bytes.first == 0x2B && (2...16).contains(bytes.count)
      && bytes.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
  }

  private static func isWindowOfSegment(_ text: String) -> Bool {
    guard let sign = text.lastIndex(of: "="), sign > text.startIndex,
      let window = DurationText.parse(text[text.index(after: sign)...])
    else { return false }
    return (.seconds(5 * 3_600) ... .seconds(30 * 86_400)).contains(window)
  }

  private static func isNumberOfPost(_ bytes: [UInt8]) -> Bool {
    guard let sign = bytes.firstIndex(of: 0x3D) else { return false }
    return isPhoneNumber(bytes[..<sign]) && isCheckpostCode(bytes[(sign + 1)...])
  }

  private static func isURL(_ text: String) -> Bool {
    guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else {
      return false
    }
    let rest = text.dropFirst(scheme.count)
    let host = rest.prefix { !"/?#".contains($0) }
    return !host.isEmpty && !host.contains("@") && !text.contains(" ") && isPort(of: host)
  }

  /// Whether what stands behind a host's colon is a port; an IPv6 address has colons of its own, in brackets.
  private static func isPort(of host: some StringProtocol) -> Bool {
    let tail = host.lastIndex(of: "]").map { host[$0...].dropFirst() } ?? host[...]
    guard let colon = tail.lastIndex(of: ":") else { return true }
    let port = tail[colon...].dropFirst()
    guard !port.isEmpty else { return true }
    return port.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && (Int(port).map { (1...65_535).contains($0) } ?? false)
  }

  /// Whether a connection has a password in either of libpq's forms: `password=…`, or `//user:…@host`.
  private static func hasPassword(_ text: String) -> Bool {
    if text.lowercased().contains("password") { return true }
    guard let scheme = text.firstRange(of: "://") else { return false }
    let place = text[scheme.upperBound...].prefix { !"/?".contains($0) }
    return place.lastIndex(of: "@").map { place[..<$0].contains(":") } ?? false
  }

  /// 32 bytes in base64, as libcurl and browsers write pins.
  private static func isPin(_ text: String) -> Bool {
    let start = "sha256//"
    let digits = text.dropFirst(start.count)
    return text.hasPrefix(start) && digits.utf8.count == 44 && digits.last == "="
      && digits.dropLast().utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: true
        default: false
        }
      }
  }

  /// A value that is not allowed, as an error shows it: short, and without what stands before an `@`
  /// in a URL, which is a password as often as not.
  static func shown(_ text: String) -> String {
    if text.lowercased().contains("password") { return Secret.dots }
    guard let scheme = text.firstRange(of: "://"), let sign = text.lastIndex(of: "@"),
      sign >= scheme.upperBound
    else { return String(text.prefix(60)) }
    return String((text[..<scheme.upperBound] + Secret.dots + text[sign...]).prefix(60))
  }

  private static func isAddressRange(_ text: String) -> Bool {
    let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    var bytes = in6_addr()
    let isOld = inet_pton(AF_INET, String(halves[0]), &bytes) == 1
    guard isOld || inet_pton(AF_INET6, String(halves[0]), &bytes) == 1 else { return false }
    guard halves.count > 1 else { return true }
    guard (1...3).contains(halves[1].utf8.count), let length = UInt8(halves[1]) else {
      return false
    }
    return halves[1].first != "+" && length <= (isOld ? 32 : 128)
  }

  private static func isOrigin(_ text: String) -> Bool {
    guard isURL(text), text == text.lowercased() else { return false }
    return !text.drop { $0 != ":" }.dropFirst(3).contains { "/?#".contains($0) }
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5F: true
    default: false
    }
  }
}
