import Glibc

extension SystemLinkState {
  /// The link to a server. One whose address is a number of this machine or of a private network is
  /// reached without a default route, so its link counts as up: what tells is whether it answers. Of a
  /// name nothing is known but `localhost`; it is reached by way of a resolver and a route as a rule.
  ///
  /// - Parameters:
  ///   - url: the server's URL; nil when there is none.
  ///   - root: below which the machine's link is read, as in ``init(root:)``.
  public init(server url: String?, root: String = "") {
    let isNear = url.flatMap(ServerHost.init(url:))?.isNear ?? false
    self = isNear ? .always : SystemLinkState(root: root)
  }
}

/// The host of a server's URL.
struct ServerHost {
  private let text: String

  /// The host that a URL names; nil when it names none.
  init?(url: String) {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let host =
      place.first == "[" ? place.dropFirst().prefix { $0 != "]" } : place.prefix { $0 != ":" }
    // A zone says which interface, and nothing of the network.
    text = host.prefix { $0 != "%" }.lowercased()
  }

  /// Whether it is this machine, or a number of a private network: RFC 1918, link-local (RFC 3927,
  /// RFC 4291) or unique local (RFC 4193).
  var isNear: Bool {
    if text == "localhost" { return true }
    if let four = ServerHost.bytes(text, family: AF_INET, count: 4) {
      return ServerHost.isNear(four[...])
    }
    guard let six = ServerHost.bytes(text, family: AF_INET6, count: 16) else { return false }
    let isMapped = six[..<10].allSatisfy { $0 == 0 } && six[10] == 0xFF && six[11] == 0xFF
    if isMapped { return ServerHost.isNear(six[12...]) }
    let isLoopback = six[..<15].allSatisfy { $0 == 0 } && six[15] == 1
    return isLoopback || six[0] & 0xFE == 0xFC || (six[0] == 0xFE && six[1] & 0xC0 == 0x80)
  }

  private static func isNear(_ four: ArraySlice<UInt8>) -> Bool {
    let (first, second) = (four[four.startIndex], four[four.startIndex + 1])
    return switch first {
    case 10, 127: true
    case 172: (16...31).contains(second)
    case 192: second == 168
    case 169: second == 254
    default: false
    }
  }

  private static func bytes(_ text: String, family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }
}
