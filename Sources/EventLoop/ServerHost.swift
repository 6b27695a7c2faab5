import Glibc

/// The host of a server's URL, and how far away it is.
public struct ServerHost: Hashable, Sendable {
  /// How far a server is, by its address alone.
  public enum Reach: Hashable, Sendable {
    /// It is this machine.
    case thisMachine
    /// A number of a private network: RFC 1918, link-local (RFC 3927, RFC 4291) or unique local
    /// (RFC 4193).
    case privateNetwork
    /// Anywhere else, and every name but `localhost`: it is whatever a resolver says.
    case elsewhere
  }

  private let text: String

  /// The host that a URL names; nil when it names none.
  public init?(url: String) {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let host =
      place.first == "[" ? place.dropFirst().prefix { $0 != "]" } : place.prefix { $0 != ":" }
    // A zone says which interface, and nothing of the network.
    text = host.prefix { $0 != "%" }.lowercased()
  }

  /// How far away it is.
  public var reach: Reach {
    if text == "localhost" { return .thisMachine }
    if let four = ServerHost.bytes(text, family: AF_INET, count: 4) {
      return ServerHost.reach(four[...])
    }
    guard let six = ServerHost.bytes(text, family: AF_INET6, count: 16) else { return .elsewhere }
    let isMapped = six[..<10].allSatisfy { $0 == 0 } && six[10] == 0xFF && six[11] == 0xFF
    if isMapped { return ServerHost.reach(six[12...]) }
    if six[..<15].allSatisfy({ $0 == 0 }) && six[15] == 1 { return .thisMachine }
    let isNear = six[0] & 0xFE == 0xFC || (six[0] == 0xFE && six[1] & 0xC0 == 0x80)
    return isNear ? .privateNetwork : .elsewhere
  }

  private static func reach(_ four: ArraySlice<UInt8>) -> Reach {
    let (first, second) = (four[four.startIndex], four[four.startIndex + 1])
    return switch first {
    case 127: .thisMachine
    case 10: .privateNetwork
    case 172 where (16...31).contains(second): .privateNetwork
    case 192 where second == 168: .privateNetwork
    case 169 where second == 254: .privateNetwork
    default: .elsewhere
    }
  }

  private static func bytes(_ text: String, family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }
}
