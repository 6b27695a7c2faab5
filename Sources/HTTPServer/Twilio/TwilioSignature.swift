import Crypto
import FoundationEssentials

/// The signature of a request in Twilio's form: an HMAC over the public URL and the parameters,
/// sorted by name and without repetitions, each name followed by its value with nothing between.
public struct TwilioSignature: Sendable {
  /// The hash of the HMAC.
  public enum Algorithm: String, CaseIterable, Hashable, Sendable {
    /// By the account's auth token, which is how requests are signed where nothing else is said.
    case sha1 = "HMAC_SHA1"
    /// By a key of its own, as `X-Twilio-Webhooks-Signature-Settings` says.
    case sha256 = "HMAC_SHA256"

    /// The header that names it: `key=…,algorithm=HMAC_SHA256`.
    static let header = "x-twilio-webhooks-signature-settings"

    /// What a request's header asks for; nil when it names one that is not known.
    public init?(settings header: String?) {
      let named = (header ?? "").split(separator: ",").lazy.compactMap { part -> String? in
        let halves = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
        return halves.count == 2 && halves[0] == "algorithm" ? halves[1] : nil
      }.first
      guard let named else {
        self = .sha1
        return
      }
      self.init(rawValue: named.uppercased())
    }
  }

  private let keys: [SymmetricKey]
  private let urls: [String]

  /// Checks signatures of an account.
  ///
  /// - Parameters:
  ///   - tokens: The account's auth token, and while it is being changed the other one; or the key that
  ///     requests are signed with instead.
  ///   - publicURLs: The few URLs under which the provider calls, byte for byte. The request's own `Host`
  ///     counts for nothing, as whoever sends it chooses it.
  public init(tokens: [String], publicURLs: [String]) {
    keys = tokens.map { SymmetricKey(data: Array($0.utf8)) }
    urls = publicURLs.flatMap { TwilioSignature.forms(of: $0) }
  }

  /// Whether `signature` is right for these parameters, under any of the tokens and URLs; compared
  /// in constant time.
  ///
  /// - Parameter algorithm: What the request's header asks for.
  public func isValid(
    _ signature: String, parameters: [(name: String, value: String)],
    algorithm: Algorithm = .sha1
  ) -> Bool {
    switch algorithm {
    case .sha1: isValid(signature, parameters, by: Insecure.SHA1.self)
    case .sha256: isValid(signature, parameters, by: SHA256.self)
    }
  }

  private func isValid<Hash: HashFunction>(
    _ signature: String, _ parameters: [(name: String, value: String)], by hash: Hash.Type
  ) -> Bool {
    guard let code = Data(base64Encoded: signature), code.count == Hash.Digest.byteCount else {
      return false
    }
    let tail = TwilioSignature.tail(parameters)
    var isValid = false
    for url in urls {
      let message = Array(url.utf8) + tail
      for key in keys {
        // Every one is tried, so that the time tells nothing of which was right.
        let matches = HMAC<Hash>.isValidAuthenticationCode(
          code, authenticating: message, using: key)
        isValid = matches || isValid
      }
    }
    return isValid
  }

  /// Signs as the provider does; for tests and for trying a configuration.
  public static func sign(
    url: String, parameters: [(name: String, value: String)], token: String,
    algorithm: Algorithm = .sha1
  ) -> String {
    let message = Array(url.utf8) + tail(parameters)
    let key = SymmetricKey(data: Array(token.utf8))
    let code =
      switch algorithm {
      case .sha1: Data(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
      case .sha256: Data(HMAC<SHA256>.authenticationCode(for: message, using: key))
      }
    return code.base64EncodedString()
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

  /// The URL without its fragment, with a port and without, as the provider's own library compares it: which
  /// of both is signed is not the same everywhere. A URL that names a port is taken with that one and without
  /// any; one that names none, with the scheme's.
  private static func forms(of url: String) -> [String] {
    let url = String(url.prefix { $0 != "#" })
    for (scheme, port) in [("https://", ":443"), ("http://", ":80")] where url.hasPrefix(scheme) {
      let rest = url.dropFirst(scheme.count)
      let authority = rest.prefix { $0 != "/" && $0 != "?" }
      let path = rest.dropFirst(authority.count)
      let digits = authority.reversed().prefix { $0.isASCII && $0.isNumber }.count
      let host = authority.dropLast(digits)
      if digits > 0, host.hasSuffix(":") { return [url, scheme + host.dropLast() + path] }
      return [url, scheme + authority + port + path]
    }
    return [url]
  }
}
