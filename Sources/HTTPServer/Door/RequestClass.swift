import Hummingbird

/// What a request is for, as far as the bounds ask. It is told by method and path, before any route is
/// looked for, so that a path that there is not counts as one that there is.
enum RequestClass: Hashable, Sendable {
  /// Somebody asks whether the server is well.
  case health
  /// A provider hands a text in. Its signature says how much it may.
  case webhook
  /// Somebody shows a password.
  case signIn
  /// Something is read.
  case read
  /// Something is written.
  case write

  /// What a request is for.
  ///
  /// - Parameters:
  ///   - path: As it came: the router takes several slashes for one.
  ///   - query: What stands behind the question mark; empty when nothing does.
  ///   - webhooks: The paths of the providers.
  init(
    method: HTTPRequest.Method, path: some StringProtocol, query: some StringProtocol,
    webhooks: Set<String>
  ) {
    let parts = path.split(separator: "/")
    let whole = "/" + parts.joined(separator: "/")
    if webhooks.contains(whole) {
      self = .webhook
    } else if whole == "/healthz" {
      self = .health
    } else if method == .get || method == .head || method == .options {
      self = .read
    } else if parts.starts(with: ["auth", "v1"]), parts.last != "logout",
      !query.split(separator: "&").contains("grant_type=refresh_token")
    {
      self = .signIn
    } else {
      self = .write
    }
  }
}
