extension SettingsCatalogue {
  static let server: [Setting] = {
    let section = SectionOfSettings("server", \.server)
    return [
      section.optional(
        "url", \.url, .url, reloads: true,
        "The server's URL, without the path: https://example.supabase.co. A number of a private"
          + " network, such as 192.168.1.5, is asked even without a default route."),
      section.optional(
        "api_key_file", \.apiKeyFile, .path, secret: true, reloads: true,
        "The file with the key that goes into the `apikey` header."),
      section.optional(
        "token_file", \.tokenFile, .path, secret: true, reloads: true,
        "The file with the token that goes into the `Authorization` header, where the node does not"
          + " sign in."),
      section.optional(
        "user", \.user, .any, reloads: true,
        "The name that the node signs in with, as the rangers type it; or an address. Without it the"
          + " node shows the key and the token alone."),
      section.optional(
        "password_file", \.passwordFile, .path, secret: true, reloads: true,
        "The file with the password that belongs to that name."),
      section.text(
        "email_domain", \.emailDomain, .host, reloads: true,
        "What the server puts behind a name that is no address: ram@bnp.local."),
      section.duration(
        "timeout", \.timeout, .seconds(1) ... .seconds(300), reloads: true,
        "How long the server may take over an answer; a photograph has longer, by its size."),
      section.duration(
        "name_timeout", \.nameTimeout, .seconds(1) ... .seconds(300), reloads: true,
        "How long it may take to find the address that belongs to the server's name."),
      section.duration(
        "connect_timeout", \.connectTimeout, .seconds(1) ... .seconds(300), reloads: true,
        "How long it may take until the machine at that address has taken the connection."),
      section.duration(
        "tls_timeout", \.tlsTimeout, .seconds(1) ... .seconds(300), reloads: true,
        "How long it may take to agree on TLS, once the connection stands."),
      section.duration(
        "stall_timeout", \.stallTimeout, .seconds(1) ... .seconds(300), reloads: true,
        "How long an exchange may stand still before it is given up."),
      section.optional(
        "proxy", \.proxy, .proxy, reloads: true,
        "The HTTP proxy on the way to the server, or `none`. With null the environment says it"
          + " (`http_proxy`, `https_proxy`, `all_proxy`); what `no_proxy` names is asked without one"
          + " either way."),
      section.optional(
        "ca_file", \.caFile, .path, reloads: true,
        "The file, in PEM, of the certificates that may vouch for the server, in place of those of"
          + " the system."),
      section.oneOrMore(
        "pin", \.pins, .pin, reloads: true,
        "The public key that the server has to have, as its SHA-256; or several, while it is being"
          + " changed."),
      section.flag(
        "allow_plain_http", \.allowPlainHTTP, reloads: true,
        "Ask a server whose address is a number of a private network also without TLS. Whoever is on"
          + " that network can read every passage and the password then, and alter them; so the time"
          + " that such a server tells dates no passage. This machine itself needs no leave."),
    ]
  }()

  static let sync: [Setting] = {
    let section = SectionOfSettings("sync", \.sync)
    return [
      section.duration(
        "every", \.every, .seconds(5) ... .seconds(3_600), reloads: true,
        "Time between two looks at what is to be uploaded when nothing else calls for one; a new"
          + " passage does."),
      section.choice(
        "retry", \.retry, reloads: true,
        "How attempts that failed are spaced out: `offline-sync` doubles its pauses up to 15 minutes,"
          + " `fleet` from 1 s up to 5 minutes, `core` waits 0, 5, 25 and 125 s, and then a person"
          + " decides."),
      section.integer(
        "attempts", \.attempts, 1...20, reloads: true,
        "Answers and time-outs of a server that was thought to be there, after which a passage counts"
          + " as failed; it is tried again when the line returns."),
      section.integer(
        "batch_over", \.batchOver, 0...10_000, reloads: true,
        "A backlog of more passages than this goes in batches, a smaller one passage by passage."),
      section.integer(
        "batch_size", \.batchSize, 1...50, reloads: true, "Passages in one batch, at most."),
      section.duration(
        "spread", \.spread, .seconds(0) ... .seconds(600), reloads: true,
        "How long at most a backlog waits, by chance, after the line has come back, so that not all"
          + " posts begin at once; the first passage goes at once. 2m suits a large fleet."),
      section.choice(
        "conflicts", \.conflicts, reloads: true,
        "What becomes of a passage that the server has with another content under the same identity;"
          + " both are kept side by side whatever is chosen."),
      section.flag(
        "pull", \.pull, reloads: true,
        "Fetch the passages of the opposite post that have no partner yet, to warn on the spot."),
      section.duration(
        "pull_buffer", \.pullBuffer, .seconds(0) ... .seconds(86_400), reloads: true,
        "How much further back than the slowest expected travel each look asks; every 15 minutes, and"
          + " after each outage, one asks for a day."),
      section.flag(
        "photos_when_metered", \.photosWhenMetered, reloads: true,
        "Upload photographs also over a link that is paid by volume."),
      section.integer(
        "photos_above_battery", \.photosAboveBattery, 0...100, reloads: true,
        "The charge of the battery, in percent, below which no photograph is uploaded."),
    ]
  }()
}
