import Hummingbird

/// Which pages of other origins a browser lets read our answers (Fetch, 3.2).
///
/// A page of an origin that is not named gets the answers without a word of this, and its browser keeps
/// them from it. Cookies are never allowed: whoever asks shows a token in a header.
struct CrossOrigin: Hashable, Sendable {
  private let origins: Set<String>
  private let takesAny: Bool

  /// The rule for these origins, `*` among them for any.
  init(_ origins: [String]) {
    self.origins = Set(origins).subtracting(["*", "null"])
    takesAny = origins.contains("*")
  }

  /// The answer to a browser that asks before it sends a page's request; nil when none does.
  func preflight(_ request: Request) -> Response? {
    guard request.method == .options, let origin = request.headers[.origin],
      let method = request.headers[.accessControlRequestMethod]
    else { return nil }
    var response = Response(status: .noContent)
    response.headers[.vary] = "Origin"
    let asked = request.headers[values: .accessControlRequestHeaders].joined(separator: ",")
      .lowercased()
    guard let allowed = allowed(origin, readsOpenly: CrossOrigin.isOpenRead(method, asked)) else {
      return response
    }
    response.headers[.accessControlAllowOrigin] = allowed
    response.headers[.accessControlAllowMethods] =
      allowed == "*" ? "GET, HEAD" : "GET, HEAD, POST, PUT, PATCH, DELETE"
    response.headers[.accessControlAllowHeaders] =
      allowed == "*" ? CrossOrigin.openHeaders : CrossOrigin.headers
    response.headers[.accessControlMaxAge] = "600"
    return response
  }

  /// Lets the page that asked read an answer, where its origin may.
  func mark(_ response: inout Response, to request: Request) {
    guard !origins.isEmpty || takesAny else { return }
    if !origins.isEmpty, !(response.headers[.vary] ?? "").lowercased().contains("origin") {
      response.headers[.vary] = response.headers[.vary].map { "\($0), Origin" } ?? "Origin"
    }
    guard let origin = request.headers[.origin] else { return }
    let isOpen = (request.method == .get || request.method == .head) && !request.showsSecret
    guard let allowed = allowed(origin, readsOpenly: isOpen) else { return }
    response.headers[.accessControlAllowOrigin] = allowed
    response.headers[.accessControlExposeHeaders] =
      "Content-Range, Content-Location, Location, Preference-Applied, Retry-After"
  }

  private func allowed(_ origin: String, readsOpenly: Bool) -> String? {
    if origins.contains(origin) { return origin }
    return takesAny && readsOpenly ? "*" : nil
  }

  private static func isOpenRead(_ method: String, _ headers: String) -> Bool {
    (method == "GET" || method == "HEAD")
      && !headers.split(whereSeparator: { $0 == "," || $0 == " " })
        .contains { secretHeaders.contains(String($0)) }
  }

  private static let openHeaders = "Accept, Content-Type, Prefer, Range, Range-Unit"
  private static let headers =
    openHeaders
    + ", Authorization, Apikey, Accept-Profile, Content-Profile, X-Client-Info, X-Upsert"
    + ", X-Supabase-Api-Version, X-Region, Cache-Control"

  /// Headers in which whoever asks shows who it is.
  static let secretHeaders: Set = ["authorization", "apikey", "x-api-key", "cookie"]
}

extension Request {
  /// Whether it shows a key, a token or a password in its head.
  var showsSecret: Bool {
    headers.contains { CrossOrigin.secretHeaders.contains($0.name.canonicalName) }
      || uri.query.map(Request.namesKey) ?? false
  }

  /// The server that this one stands in for also takes its key in the URL, and addresses of photographs have a token.
  private static func namesKey(_ query: String) -> Bool {
    query.split(separator: "&").contains {
      ["apikey", "token"].contains($0.prefix { $0 != "=" }.lowercased())
    }
  }
}
