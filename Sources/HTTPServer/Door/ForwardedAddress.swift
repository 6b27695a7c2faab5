/// What a proxy tells of the request that it passes on: whom it had it from, and how.
struct ForwardedHop: Hashable, Sendable {
  /// Whom; nil when it does not say, or not by an address.
  var address: IPAddress?
  /// Whether it came over TLS; nil when that is not said.
  var isOverTLS: Bool?
}

/// Which header the proxies tell it in. Only one is looked at: the other one is whatever the client
/// made of it.
public enum ForwardedHeader: String, CaseIterable, Hashable, Sendable {
  /// `X-Forwarded-For` and `X-Forwarded-Proto`, as nearly every proxy writes them.
  case xForwardedFor = "x-forwarded-for"
  /// `Forwarded` (RFC 7239).
  case forwarded

  /// What the proxies tell, the one nearest to the client first. What cannot be read stands as one that
  /// says nothing.
  ///
  /// - Parameter values: The values of a header, in the order in which they came, by its name in small
  ///   letters.
  func hops(_ values: (String) -> [String]) -> [ForwardedHop] {
    switch self {
    case .xForwardedFor:
      var hops = values("x-forwarded-for").flatMap { value in
        value.split(separator: ",", omittingEmptySubsequences: false).map {
          ForwardedHop(address: ForwardedHeader.node(ForwardedHeader.trimmed($0)))
        }
      }
      // The last one is what the nearest proxy says, which is the one that is known to be ours.
      let scheme = values("x-forwarded-proto").last.flatMap {
        $0.split(separator: ",", omittingEmptySubsequences: false).last
      }
      guard let scheme else { return hops }
      let isOverTLS = ForwardedHeader.trimmed(scheme).lowercased() == "https"
      if hops.isEmpty { hops = [ForwardedHop()] }
      for index in hops.indices { hops[index].isOverTLS = isOverTLS }
      return hops
    case .forwarded:
      return values("forwarded").flatMap { ForwardedElements($0).hops }
    }
  }

  /// The address of a node as either header writes it: with a port or without, IPv6 in brackets or, in
  /// the older header, without them.
  static func node(_ text: some StringProtocol) -> IPAddress? {
    if let address = IPAddress(text) { return address }
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || (rest.first == ":" && isPort(rest.dropFirst())) else { return nil }
      return IPAddress(text[text.index(after: text.startIndex)..<end]).flatMap {
        $0.isIPv4 ? nil : $0
      }
    }
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, isPort(halves[1]), let address = IPAddress(halves[0]), address.isIPv4
    else { return nil }
    return address
  }

  static func trimmed(_ text: Substring) -> Substring {
    let end = text.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { text[...$0].drop { $0 == " " || $0 == "\t" } } ?? ""
  }

  private static func isPort(_ text: some StringProtocol) -> Bool {
    (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

/// Reads a value of `Forwarded` (RFC 7239, 4): elements between commas, of pairs between semicolons, of
/// which a value may stand in quotes.
private struct ForwardedElements {
  private(set) var hops: [ForwardedHop] = []

  init(_ value: String) {
    var pair = ""
    var hop = ForwardedHop()
    var isQuoted = false
    var isEscaped = false
    for character in value.unicodeScalars {
      if isEscaped {
        isEscaped = false
        pair.unicodeScalars.append(character)
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, character == ";" || character == "," {
        ForwardedElements.take(pair, into: &hop)
        pair = ""
        guard character == "," else { continue }
        hops.append(hop)
        hop = ForwardedHop()
      } else {
        pair.unicodeScalars.append(character)
      }
    }
    // In quotes that do not end nothing is known for sure.
    if !isQuoted { ForwardedElements.take(pair, into: &hop) }
    hops.append(isQuoted ? ForwardedHop() : hop)
  }

  private static func take(_ pair: String, into hop: inout ForwardedHop) {
    let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return }
    switch ForwardedHeader.trimmed(halves[0]).lowercased() {
    case "for": hop.address = ForwardedHeader.node(ForwardedHeader.trimmed(halves[1]))
    case "proto": hop.isOverTLS = ForwardedHeader.trimmed(halves[1]).lowercased() == "https"
    default: break
    }
  }
}
