import Hummingbird

/// Where a request comes from: the other end of its connection, and where that is one of our proxies, what
/// the proxy says of it.
struct CallerAddress: Sendable {
  /// The addresses of the proxies.
  var proxies: [String]

  /// The address; nil where it is not known.
  func of(_ request: Request, _ context: CallContext) -> String? {
    guard let peer = context.peer else { return nil }
    guard proxies.contains(peer) else { return peer }
    // The last one is what the proxy itself saw; whoever calls wrote those before it.
    let forwarded = request.header("x-forwarded-for")?.split(separator: ",").last
    let address = forwarded.map { String($0.drop { $0 == " " }.prefix { $0 != " " }) } ?? ""
    return address.isEmpty || address.utf8.count > Limits.addressBytes ? nil : address
  }
}
