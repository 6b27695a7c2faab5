import Crypto
import FoundationEssentials

/// The signature of a request in Twilio's form: HMAC-SHA1 over the public URL and the parameters,
/// sorted by name and without repetitions, each name followed by its value with nothing between.
public struct TwilioSignature: Sendable {
  private let keys: [SymmetricKey]
  private let urls: [String]

  /// Checks signatures of an account.
  ///
  /// - Parameters:
  ///   - tokens: The account's auth token, and while it is being changed the other one.
  ///   - publicURLs: The few URLs under which the provider calls, byte for byte. The request's own `Host`
  ///     counts for nothing, as whoever sends it chooses it.
  public init(tokens: [String], publicURLs: [String]) {
    keys = tokens.map { SymmetricKey(data: Array($0.utf8)) }
    urls = publicURLs.flatMap { TwilioSignature.forms(of: $0) }
  }

  /// Whether `signature` is right for these parameters, under any of the tokens and URLs; compared
  /// in constant time.
  public func isValid(_ signature: String, parameters: [(name: String, value: String)]) -> Bool {
    guard let code = Data(base64Encoded: signature),
      code.count == Insecure.SHA1.byteCount
    else { return false }
    let tail = TwilioSignature.tail(parameters)
    var isValid = false
    for url in urls {
      let message = Array(url.utf8) + tail
      for key in keys {
        // Every one is tried, so that the time tells nothing of which was right.
        let matches = HMAC<Insecure.SHA1>.isValidAuthenticationCode(
          code, authenticating: message, using: key)
        isValid = matches || isValid
      }
    }
    return isValid
  }

  /// Signs as the provider does; for tests and for trying a configuration.
  public static func sign(
    url: String, parameters: [(name: String, value: String)], token: String
  ) -> String {
    let code = HMAC<Insecure.SHA1>.authenticationCode(
      for: Array(url.utf8) + tail(parameters), using: SymmetricKey(data: Array(token.utf8)))
    return Data(code).base64EncodedString()
  }

  /// Each parameter once, in the order of names and then of values. Both are compared byte for byte,
  /// which is the order of code points: Swift's own order and equality are about what looks alike.
  private static func tail(_ parameters: [(name: String, value: String)]) -> [UInt8] {
    let pairs = parameters.map { (name: Array($0.name.utf8), value: Array($0.value.utf8)) }
    let sorted = pairs.sorted { left, right in
      left.name == right.name
        ? left.value.lexicographicallyPrecedes(right.value)
        : left.name.lexicographicallyPrecedes(right.name)
    }
    var tail: [UInt8] = []
    var last: (name: [UInt8], value: [UInt8])?
    for pair in sorted {
      if let last, last == pair { continue }
      tail += pair.name + pair.value
      last = pair
    }
    return tail
  }

  /// The URL without its fragment, with and without the default port.
  private static func forms(of url: String) -> [String] {
    let url = String(url.prefix { $0 != "#" })
    for (scheme, port) in [("https://", ":443"), ("http://", ":80")] where url.hasPrefix(scheme) {
      let rest = url.dropFirst(scheme.count)
      let authority = rest.prefix { $0 != "/" && $0 != "?" }
      let path = rest.dropFirst(authority.count)
      if authority.hasSuffix(port) {
        return [url, scheme + authority.dropLast(port.count) + path]
      }
      if !authority.contains(":") { return [url, scheme + authority + port + path] }
    }
    return [url]
  }
}
