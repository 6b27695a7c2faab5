/// Every setting there is, in the order of the configuration file: the one place that says what a
/// setting means and what it may be. Its default stands in ``Settings``.
enum SettingsCatalogue {
  /// What a section is for, by its name.
  static let sections: [(name: String, words: String)] = [
    ("roles", "What this process does. One or both must be true for `checkpost run`."),
    ("node", "The checkpost: passages are recorded here and sent on."),
    ("node.sms", "Texts cost money and air time: their limits."),
    ("node.probe", "How often the server is asked whether it is there."),
    (
      "server",
      "The server that passages are uploaded to. While it answers, nothing is texted; without one"
        + " every passage leaves as a text."
    ),
    ("sync", "How passages go to the server, and what comes back."),
    ("modem", "The modem of the node, where it has one."),
    ("central", "The office: what the checkposts send arrives here."),
    (
      "central.postgresql",
      "A PostgreSQL database into which `checkpost central migrate` writes central's schema."
    ),
    (
      "central.forward",
      "Another server that gets what the central recognises, for an office that may not touch its database."
    ),
    (
      "central.clock_window",
      "How far the time in a text may lie from the time of its receipt. What lies outside waits in"
        + " the inbox for an operator; `checkpost central inbox run --any-time` takes it."
    ),
    ("central.modem", "The modem on which the central receives texts."),
    ("central.http", "Where the central listens for HTTP. A proxy in front of it does TLS."),
    (
      "central.http.limits",
      "How often an address, or a key, may ask in a minute; all of it may come at once. 0 is no bound."
    ),
    ("central.http.cors", "What a browser lets pages of other origins do."),
    ("central.http.auth", "How people and programs sign in over HTTP."),
    ("central.twilio", "Texts that a provider hands in over HTTP, in Twilio's form."),
    ("central.ingress", "Whose texts become passages."),
    (
      "central.judging",
      "By which numbers passages are judged. When they change, all that is there is judged again."
    ),
    ("log", "Events: what `checkpost log` shows."),
    ("control", "How commands reach the running service."),
    ("storage", "What the node keeps, and for how long."),
  ]

  /// Every setting.
  static let settings: [Setting] =
    roles + node + warnings + sms + probe + server + sync + modem("modem", \.modem) + [modems]
    + central
    + postgresql + forward + clockWindow
    + modem("central.modem", \.central.modem) + http + httpLimits + cors + auth + twilio + ingress
    + judging + log + control + storage

  /// The setting of that name.
  static func setting(_ key: String) -> Setting? {
    settings.first { $0.key == key }
  }

  /// What lies directly in a section: the names of its settings and of the sections within it.
  static func names(in section: String) -> [String] {
    var names: [String] = []
    let prefix = section.isEmpty ? "" : section + "."
    for key in settings.map(\.key) where key.hasPrefix(prefix) {
      let name = String(key.dropFirst(prefix.count).prefix { $0 != "." })
      if !names.contains(name) {
        names.append(name)
      }
    }
    return names
  }

  private static let storage: [Setting] = {
    let section = SectionOfSettings("storage", \.storage)
    return [
      section.size(
        "capacity", \.capacity, (16 << 20)...(1 << 40),
        "What the node's database and its photographs may take together; less where the disk has less"
          + " beside 64 MB for passages. At 80 % `checkpost status` warns. Beyond it photographs that"
          + " the server has are removed first, then the oldest passages that it has; only then are"
          + " photographs refused, and their passages recorded without them."),
      section.duration(
        "keep", \.keep, .seconds(86_400) ... .seconds(3_650 * 86_400), reloads: true,
        "How long a passage stays here that the server has, with its texts and its photograph; its"
          + " identity stays known after that. Without a server nothing is removed."),
      section.size(
        "ballast", \.ballast, 0...(1 << 30),
        "Space that is held back beside the node's database, and given up when the disk is full: what is"
          + " under way is brought to its end with it. 0 holds back none."),
    ]
  }()

  private static let roles: [Setting] = {
    let section = SectionOfSettings("roles", \.roles)
    return [
      section.flag("node", \.node, "Record passages at a checkpost and send them on."),
      section.flag("central", \.central, "Receive what the checkposts send."),
    ]
  }()

  private static let node: [Setting] = {
    let section = SectionOfSettings("node", \.node)
    return [
      section.optional(
        "checkpost", \.checkpost, .checkpost, "The code of this post. The node needs it."),
      section.optional(
        "segment", \.segment, .any, "The stretch of road between two posts that it belongs to."),
      section.optional(
        "ranger_phone", \.rangerPhone, .phoneNumber,
        "The number of the ranger who records at this post, where `record --phone` does not say it;"
          + " its last four digits go with every passage. Without it those of the profile that is"
          + " signed in at the server do."),
      section.text(
        "database", \.database, .path,
        "The store of passages that wait and of texts that went. Put it on a disk that keeps what"
          + " it says it has written."),
      section.optional(
        "photo_directory", \.photoDirectory, .path,
        "The directory for photographs, which are kept until the server has them; null is `photos`"
          + " beside the database. It is made with the first one."),
      section.choice(
        "identity", \.identity,
        "Where a passage's client_id comes from: `content` makes a text and an upload of the same"
          + " passage one; `random` draws a UUID and carries the other beside it."),
      section.duration(
        "fallback_after", \.fallbackAfter, .seconds(0) ... .seconds(86_400), reloads: true,
        "A passage leaves as a text when connectivity has been absent for longer than offline_for,"
          + " and the passage has waited for longer than this, counted while the machine runs."),
      section.duration(
        "offline_for", \.offlineFor, .seconds(0) ... .seconds(86_400), reloads: true,
        "No passage is texted before connectivity has been absent for longer than this, restarts"
          + " included. Without a server it always is."),
      section.flag(
        "text_when_server_down", \.textWhenServerDown, reloads: true,
        "Whether a server that is there and takes nothing (its failures, a read-only database, a"
          + " credential to renew, a user without this post) counts as absent: then passages are texted"
          + " as soon."),
      section.duration(
        "server_down_after", \.serverDownAfter, .seconds(60) ... .seconds(7 * 86_400),
        reloads: true,
        "How long a server that is there may take nothing before passages are texted all the same. It"
          + " counts from each passage, too: one that is not taken for so long while others are is texted."
      ),
      section.duration(
        "heartbeat_after", \.heartbeatAfter, .seconds(0) ... .seconds(30 * 86_400), reloads: true,
        "After how long in which nothing left by any channel a text tells central that this post"
          + " lives: the number of its last passage, and what waits. It costs a text; 0s is never. 1d"
          + " is usual where central is this program."),
      section.choice(
        "metered", \.metered, reloads: true,
        "Whether the way to the server is paid by volume; `auto` says so of a mobile network's"
          + " interface (wwan, ppp)."),
      section.oneOrMore(
        "gateway", \.gateways, .phoneNumber, reloads: true,
        "The number of the central's modem, to which passages are texted; or several, of which the"
          + " next is used while one does not take texts. Without it none is texted."),
      section.list(
        "recipients", \.recipients, .phoneNumber, reloads: true,
        "Up to \(Limits.recipients) further numbers, such as officers', that get the text of each passage"
          + " as well. Each costs as many texts again; those to central go first, and these neither in"
          + " quiet hours nor from the last of a budget. One that takes no texts keeps nobody waiting."
      ),
    ]
  }()

  private static let sms: [Setting] = {
    let section = SectionOfSettings("node.sms", \.node.sms)
    return [
      section.integer(
        "per_minute", \.perMinute, 1...60, reloads: true,
        "Texts of each modem within any 60 seconds, at most."),
      section.integer(
        "per_hour", \.perHour, 1...3_600, reloads: true,
        "Texts of each modem within any 60 minutes, at most."),
      section.integer(
        "per_day", \.perDay, 1...10_000, reloads: true,
        "Texts of each modem within any 24 hours, at most."),
      section.integer(
        "per_month", \.perMonth, 1...100_000, reloads: true,
        "Texts of each modem within any 30 days, at most."),
      section.integer(
        "per_passage", \.perPassage, 1...3, reloads: true,
        "Texts for one passage that may have gone on air by themselves. At 1, a text of which nobody"
          + " knows whether it left is not sent again: the passage stays in the queue, `checkpost"
          + " status` counts it, and `checkpost queue retry` sends it again."),
      section.duration(
        "unknown_spacing", \.unknownSpacing, .seconds(60) ... .seconds(86_400), reloads: true,
        "Time between a text with an unknown outcome and the next one for the same passage."),
      section.duration(
        "validity", \.validity, .seconds(300) ... .seconds(63 * 7 * 86_400), reloads: true,
        "How long the network keeps a text that it cannot deliver; less when its passage is worth"
          + " less, and never less than 5m."),
      section.duration(
        "worth_for", \.worthFor, .seconds(600) ... .seconds(90 * 86_400), reloads: true,
        "A passage that is older than this is not texted any more; it stays in the queue for the"
          + " server. The central takes nothing older than its central.clock_window.past."),
      section.optional(
        "quiet_hours", \.quietHours, .hours, reloads: true,
        "When on each day no passage is texted unless it is urgent, by the clock of the machine's"
          + " time zone."),
    ]
  }()

  private static let probe: [Setting] = {
    let section = SectionOfSettings("node.probe", \.node.probe)
    return [
      section.duration(
        "every", \.every, .seconds(5) ... .seconds(3_600), reloads: true,
        "Time between probes while the server answers."),
      section.duration(
        "retry_first", \.retryFirst, .seconds(1) ... .seconds(3_600), reloads: true,
        "Time to the next probe after the first one that failed; it doubles with each further one."),
      section.duration(
        "retry_most", \.retryMost, .seconds(1) ... .seconds(3_600), reloads: true,
        "Time to the next probe, at most. A line that is back is seen within half a minute, also where"
          + " the kernel tells nothing: what would take longer with server.timeout counts as less."),
      section.duration(
        "online_for", \.onlineFor, .seconds(5) ... .seconds(3_600), reloads: true,
        "How long an answer of the server counts as connectivity."),
    ]
  }()

  private static func modem(
    _ name: String, _ part: Field<Settings, Settings.Modem>
  ) -> [Setting] {
    let section = SectionOfSettings(name, part)
    return [
      section.optional(
        "port", \.port, .modemPort,
        "Its serial port, or auto for that of whichever modem is plugged in. The links in"
          + " /dev/serial/by-id keep their names when it is plugged in again; `checkpost modem list`"
          + " shows them, and what auto takes."),
      section.optional(
        "identity", \.identity, .modemIdentity,
        "Which modem it is, where there are several: the port is then found by this alone, in"
          + " whichever socket. May also stand there as {usb: \"12d1:1506\", interface: \"02\","
          + " serial: TEXT, imei: DIGITS}."),
      section.integer(
        "baud", \.baud, 300...4_000_000, "Bits a second on a real serial line; USB does not care."),
      section.optional(
        "pin_file", \.pinFile, .path, secret: true,
        "The file with the SIM's PIN, where it asks for one. It is tried once."),
      section.optional(
        "smsc", \.smsc, .phoneNumber,
        "The number of the service centre, where the SIM's own is wrong or missing."),
      section.optional(
        "number", \.number, .phoneNumber,
        "The number of its own SIM, where it is known: `checkpost config check` then refuses settings by"
          + " which a post would text itself."),
      section.flag("status_reports", \.statusReports, "Ask the network whether a text arrived."),
      section.integer(
        "message_parts", \.messageParts, 1...255,
        "How many messages a long text may become, each of which costs; one that needs more is"
          + " refused. The text of a passage is always one."),
      section.duration(
        "check_interval", \.checkInterval, .seconds(30) ... .seconds(3_600),
        "Time between looks at its signal while it has nothing to do."),
      section.duration(
        "sweep_interval", \.sweepInterval, .seconds(60) ... .seconds(86_400),
        "Time between looks for stored texts of which it said nothing."),
      section.flag(
        "delete_leftovers", \.deleteLeftovers,
        "Delete sent messages and drafts that another program or a telephone left on the SIM or in"
          + " the modem. A storage that is full takes in no text."),
      section.duration(
        "reopen_first", \.reopenFirst, .milliseconds(100) ... .seconds(600),
        "Time to the first try to open a port again that went away; it doubles with each."),
      section.duration(
        "reopen_most", \.reopenMost, .milliseconds(100) ... .seconds(3_600),
        "Time to the next try to open it, at most."),
      section.flag(
        "usb_reset", \.usbReset,
        "Take a modem that stays silent off the USB bus and put it back, at most every 15 minutes."
          + " Needs the right to write `authorized` in sysfs: root, or the rule in udev/."),
      section.flag(
        "access_fallback", \.accessFallback,
        "Send texts over another access technology (3G or 2G instead of LTE) for an hour or more when"
          + " the network refuses them again and again on the one in use; then the modem is given back"
          + " what it had."),
      section.list(
        "power_command", \.powerCommand, .any,
        "The program, with a path that begins with /, and its arguments, that switches the modem's"
          + " power off and on: tried last, at most every 30 minutes. No shell reads it; it is ended"
          + " after 30 seconds."),
      section.optional(
        "trace_directory", \.traceDirectory, .path,
        "The directory for the last minutes on the line whenever something failed: the newest 20"
          + " files, numbers and texts masked. `checkpost simulate --script` replays them. Without one"
          + " they lie in traces beside the database."),
    ]
  }

  /// The list of modems, of which each holds the settings of `modem`.
  private static let modems = Setting(
    key: "modems",
    words: "The modems of the node, where it has several; `modem` is not used then. Each has a name"
      + " (a-z, 0-9 and -), all settings of `modem`, and may have prefixes, such as [\"+97798\"]: how"
      + " the numbers begin that it is preferred for. Budgets are kept by name.",
    form: .modems, isOptional: false, namesSecret: false, isReloadable: false,
    read: { .sections($0.modems.map(ModemList.line)) }, write: { _, _ in })

  private static let log: [Setting] = {
    let section = SectionOfSettings("log", \.log)
    return [
      section.choice("level", \.level, reloads: true, "The least level that is written."),
      section.choice(
        "format", \.format,
        "What goes to standard output: `console` for people, `json` for machines, or nothing."),
      section.optional(
        "file", \.file, .path,
        "The file, in JSON Lines, that `checkpost log` reads; null writes none."),
      section.size(
        "file_size", \.fileSize, 64 * 1_024...1 << 30, reloads: true,
        "The size at which a new file is begun."),
      section.integer(
        "file_count", \.fileCount, 1...Settings.Log.mostFiles, reloads: true,
        "Files that are kept, the current one among them."),
      section.flag(
        "mask", \.mask, "Write no whole plate and no whole phone number."),
      section.optional(
        "mask_key_file", \.maskKeyFile, .path, secret: true,
        "The key of the masks: with it one plate has one mask, so that `checkpost log --plate`"
          + " finds it. Made at the first start. With null a plate keeps two characters."),
    ]
  }()

  private static let control: [Setting] = {
    let section = SectionOfSettings("control", \.control)
    return [
      section.text(
        "socket", \.socket, .socketPath,
        "The socket of the running service; its owner and its group may use it.")
    ]
  }()
}
