/// The settings of the office that receives.
extension SettingsCatalogue {
  static let central: [Setting] = {
    let section = SectionOfSettings("central", \.central)
    return [
      section.choice(
        "store", \.store,
        "What keeps posts, rangers, passages and the inbox. `sqlite`: the file of central.database."
          + " `postgresql`: the database of central.postgresql, which several centrals may share."),
      section.text(
        "database", \.database, .path,
        "The SQLite file. With PostgreSQL the central's modem keeps what it must not forget beside it."
      ),
      section.text(
        "photos", \.photos, .path, "The directory of the photographs that posts hand in."),
      section.duration(
        "keep", \.keep, .seconds(60 * 86_400) ... .seconds(20 * 365 * 86_400), reloads: true,
        "How long a passage is kept after it was recorded, with all that depends on it, and a text"
          + " after it came. The evidence of a violation stays until its outcome is recorded, and then"
          + " for as long again. What comes of a time before that is not taken."),
      section.duration(
        "provisional_for", \.provisionalFor, .seconds(0) ... .seconds(365 * 86_400), reloads: true,
        "A violation is provisional until both posts have told that all of that time is here. Where a"
          + " post never does, it is taken as final after so long, and flagged."),
      section.integer(
        "fastest", \.fastest, 50...1_000, reloads: true,
        "Kilometres an hour that no vehicle reaches. A speeding that is faster is a doubt"
          + " (`impossible_speed`): it is not final until a person confirms it."),
      section.duration(
        "silent_after", \.silentAfter, .seconds(0) ... .seconds(365 * 86_400), reloads: true,
        "A post of which nothing came for so long (no passage, text, heartbeat or sign-in) is told as"
          + " silent in `status`; `0s` for never. Set node.heartbeat_after of posts without a network to"
          + " less than that."),
    ]
  }()

  static let postgresql: [Setting] = {
    let section = SectionOfSettings("central.postgresql", \.central.postgresql)
    return [
      section.optional(
        "connection", \.connection, .databaseConnection,
        "Where it is, as libpq names it: `host=db dbname=passages user=checkpost sslmode=verify-full`,"
          + " without a password."),
      section.optional(
        "password_file", \.passwordFile, .path, secret: true,
        "The file with its password, in the first line."),
      section.integer(
        "connections", \.connections, 2...64,
        "So many connections a service keeps to it, for what comes in and for what is asked over HTTP."
      ),
      section.choice(
        "partitions", \.partitions,
        "How the tables that grow fastest are kept: whole, or in a partition for each month, which pays from"
          + " tens of millions of passages on. `checkpost central migrate` makes them so."),
    ]
  }()

  static let forward: [Setting] = {
    let section = SectionOfSettings("central.forward", \.central.forward)
    return [
      section.optional(
        "key_file", \.keyFile, .path, secret: true,
        "The file with the service key of the server of server.url. With it the passages that the central"
          + " recognises are inserted there, each under the identity that it came under.")
    ]
  }()

  static let clockWindow: [Setting] = {
    let section = SectionOfSettings("central.clock_window", \.central.clockWindow)
    return [
      section.duration(
        "past", \.past, .seconds(60) ... .seconds(90 * 86_400), reloads: true,
        "A passage may be so old when its text comes."),
      section.duration(
        "future", \.future, .seconds(0) ... .seconds(86_400), reloads: true,
        "A post's clock may be so far ahead."),
    ]
  }()

  static let twilio: [Setting] = {
    let section = SectionOfSettings("central.twilio", \.central.twilio)
    return [
      section.list(
        "public_urls", \.publicURLs, .url, reloads: true,
        "The URLs that the provider calls, byte for byte as they are configured there: its"
          + " signature covers them. Without one no text is taken over HTTP."),
      section.list(
        "auth_token_files", \.authTokenFiles, .path, secret: true, reloads: true,
        "Files with the account's auth token, two of them while it is being changed; or with the key"
          + " that the provider signs by instead (HMAC-SHA256)."),
      section.optional(
        "account_sid", \.accountSID, .accountSID, reloads: true,
        "The account; texts of another one are refused."),
      section.optional(
        "to", \.to, .phoneNumber, reloads: true,
        "Our number there; texts to another one are refused."),
    ]
  }()

  static let judging: [Setting] = {
    let section = SectionOfSettings("central.judging", \.central.judging)
    return [
      section.duration(
        "ranger_window", \.rangerWindow, .seconds(0) ... .seconds(600), reloads: true,
        "What two rangers of a post write down of one vehicle within this time is one passage."),
      section.duration(
        "pairing_window", \.pairingWindow, .seconds(5 * 3_600) ... .seconds(30 * 86_400),
        reloads: true,
        "The next passage at the other end is the exit of an entry when nothing was seen in between"
          + " for up to so long."),
      section.list(
        "pairing_windows", \.pairingWindows, .windowOfSegment, reloads: true,
        "Segments on which that is another time, such as `Banepa=48h`."),
      section.duration(
        "long_stay", \.longStay, .seconds(3_600) ... .seconds(30 * 86_400), reloads: true,
        "A stay that took longer is flagged for a person: an exit that nobody saw explains it too."),
    ]
  }()

  static let ingress: [Setting] = {
    let section = SectionOfSettings("central.ingress", \.central.ingress)
    return [
      section.choice(
        "mode", \.mode, reloads: true,
        "`allowlist`: only texts of a number that is bound to the post they name; others wait in"
          + " the inbox. `open`: anybody's. The number of a sender can be forged either way."),
      section.choice(
        "trust", \.trust, reloads: true,
        "`nothing`: a violation with an end that came by text alone waits for an upload or a person."
          + " `number`: a text of a number that is bound to its post counts as the post's own."),
      section.list(
        "numbers", \.numbers, .numberOfPost, reloads: true,
        "Numbers and the post each speaks for, besides those of `checkpost central import`."),
      section.integer(
        "per_minute", \.perMinute, 1...1_000_000, reloads: true,
        "Texts a minute that each number bound to a post may send in the long run; a modem makes 10 to"
          + " 15. What is more waits in the inbox; `checkpost central inbox run --any-rate` takes it."
      ),
      section.integer(
        "burst", \.burst, 1...1_000_000, reloads: true,
        "Texts that such a number may send at once after a time with fewer: what a network kept for"
          + " three days comes in a moment."),
      section.integer(
        "unbound_per_minute", \.unboundPerMinute, 1...1_000_000, reloads: true,
        "The same of all other numbers together, which send passages only with `mode: open`."),
      section.integer(
        "unbound_burst", \.unboundBurst, 1...1_000_000, reloads: true,
        "Texts of all other numbers at once after a time with fewer."),
      section.integer(
        "kept_of_number", \.keptOfNumber, 1...10_000_000, reloads: true,
        "Texts of one number that are kept though they are no passage. What is more is not kept: a"
          + " provider is answered 429, and a modem forgets it."),
      section.integer(
        "kept", \.kept, 1...100_000_000, reloads: true,
        "Texts of all numbers that are kept though they are no passage, some 500 bytes each."),
    ]
  }()
}
