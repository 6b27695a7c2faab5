/// The settings of the office's HTTP server.
extension SettingsCatalogue {
  static let http: [Setting] = {
    let section = SectionOfSettings("central.http", \.central.http)
    return [
      section.flag("enabled", \.enabled, "Listen at all."),
      section.flag(
        "api", \.api,
        "Tables, photographs and functions for posts and dashboards, in the form of Supabase; whoever asks"
          + " signs in, or shows a key."),
      section.text(
        "address", \.address, .host,
        "The address to listen at. The server knows no TLS: leave it at this machine's own, and put a"
          + " proxy in front."),
      section.integer("port", \.port, 0...65_535, "The port to listen at; 0 takes a free one."),
      section.optional(
        "socket", \.socket, .socketPath,
        "The socket to listen at in place of address and port, for a proxy on this machine."),
      section.choice(
        "socket_access", \.socketAccess,
        "Who may connect to the socket, and so say of any request where it came from."),
      section.optional(
        "socket_group", \.socketGroup, .any,
        "The group of the socket, in which the service's user and the proxy's are; null is the service's"
          + " own."),
      section.integer(
        "connections_per_address", \.connectionsPerAddress, 1...256,
        "How many connections one address may have at a time, of the 256 that there are; of IPv6 a /64"
          + " is one. A provider needs few."),
      section.list(
        "proxies", \.proxies, .addressRange,
        "Addresses of proxies in front of it. Their connections are not counted, as they speak for many;"
          + " what they say of the client's address and of TLS is believed, of nobody else."),
      section.choice(
        "forwarded", \.forwarded, reloads: true,
        "The header in which the proxies name the client. They have to throw away what the client itself"
          + " wrote into it; the other header is not looked at."),
    ]
  }()

  static let httpLimits: [Setting] = {
    let section = SectionOfSettings("central.http.limits", \.central.http.limits)
    let range = 0...1_000_000
    return [
      section.integer(
        "bad_signatures", \.badSignatures, range, reloads: true,
        "Texts of a provider's that an address signs wrongly; its next ones are refused unread, unless it"
          + " has signed well within a day."),
      section.integer(
        "sign_ins", \.signIns, range, reloads: true, "Passwords that an address shows."),
      section.integer("reads", \.reads, range, reloads: true, "Requests of an address that read."),
      section.integer(
        "writes", \.writes, range, reloads: true, "Requests of an address that write."),
      section.integer(
        "key_reads", \.keyReads, range, reloads: true,
        "Requests that read, with one key or of one account."),
      section.integer(
        "key_writes", \.keyWrites, range, reloads: true,
        "Requests that write, with one key or of one account."),
    ]
  }()

  static let cors: [Setting] = {
    let section = SectionOfSettings("central.http.cors", \.central.http.cors)
    return [
      section.list(
        "origins", \.origins, .origin, reloads: true,
        "The origins whose pages a browser lets read answers: that of a dashboard. `*` lets any page read"
          + " what needs no key.")
    ]
  }()
}
