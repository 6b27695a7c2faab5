public import Events
import Settings

extension ServiceChecks {
  /// What a central should know that others can reach without TLS, or to which anybody may say where a
  /// request came from.
  public var listening: [Problem] {
    let http = settings.central.http
    guard settings.roles.central || !settings.roles.node, http.enabled else { return [] }
    let everybody = http.proxies.filter { $0.hasSuffix("/0") }
    var problems: [Problem] = []
    if http.socket == nil, !ServiceChecks.isOwn(http.address),
      http.proxies.allSatisfy({ ServiceChecks.isOwn($0) })
    {
      problems.append(
        Problem(
          "http_without_proxy", .warning,
          "central.http.address: \(http.address) is for other machines too, and there is no TLS: passwords,"
            + " keys and tokens that come from them are refused",
          remedy:
            "set it to 127.0.0.1 behind a proxy on this machine, or name the machine of the proxy in"
            + " central.http.proxies"))
    }
    if !everybody.isEmpty {
      problems.append(
        Problem(
          "http_proxy_anybody", .warning,
          "central.http.proxies: \(everybody.joined(separator: ", ")) is everybody: any caller can say"
            + " that a request came from elsewhere, and over TLS",
          remedy: "name the addresses of the proxies"))
    }
    return problems
  }

  /// That nothing can come in at a central: it has no modem, no provider may hand texts in, and there is no API.
  /// Nil when one of these is there.
  public var hearing: Problem? {
    let central = settings.central
    guard settings.roles.central else { return nil }
    let hasModem = central.modem.port != nil || central.modem.identity != nil
    let hasHTTP = central.http.enabled && (central.http.api || !central.twilio.publicURLs.isEmpty)
    guard !hasModem, !hasHTTP else { return nil }
    return Problem(
      "central_hears_nothing", .critical,
      "central has no modem, and no webhook or API over HTTP: nothing can come in",
      remedy: "set central.modem.port, or central.http.enabled with central.http.api or a provider")
  }

  /// Whether an address is one of this machine alone.
  private static func isOwn(_ address: String) -> Bool {
    address == "localhost" || address == "::1" || address.hasPrefix("127.")
      || address.lowercased().hasPrefix("::ffff:127.")
  }
}
