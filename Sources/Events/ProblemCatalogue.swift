/// Every problem there is, by its name: what it means, what helps, and what it keeps from going on. Names
/// never change: scripts rely on them.
///
/// Whether all is well is derived from what stands: see ``Problem``. What is overdue and is kept by no problem
/// of this list is a problem by itself (`delivery_overdue`), so that one that is forgotten here is told twice
/// and never hidden.
public enum ProblemCatalogue {
  /// The kind of a problem.
  public struct Entry: Hashable, Sendable {
    /// Its name in snake_case.
    public var name: String
    /// How bad it can be, the least first.
    public var severities: [Problem.Severity]
    /// What does not go on while it stands.
    public var keeps: Set<Kept>
    /// What `/healthz` answers while it stands; nil where it says nothing of it.
    public var health: Health?
    /// The event that tells of it in the log; nil where that is `problem_began`.
    public var event: String?
    /// What it means, in one sentence.
    public var words: String
    /// What helps, in one sentence.
    public var remedy: String
  }

  /// What may be kept from going on.
  public enum Kept: String, CaseIterable, Hashable, Sendable {
    /// Passages are not recorded.
    case recording
    /// Passages do not reach the server.
    case passages
    /// Photographs do not reach the server.
    case photographs
    /// Corrections do not reach the server.
    case corrections
    /// Texts do not leave, or do not come in.
    case texts
    /// Verdicts are not made, or do not become final.
    case verdicts
  }

  /// What `/healthz` answers.
  public enum Health: String, Hashable, Sendable {
    /// 200 and `degraded`: it is served, and a person has to look.
    case degraded
    /// 503 and `unavailable`: what comes in cannot be kept.
    case unavailable
  }

  /// All of them, those of one part of the program together.
  public static let entries: [Entry] = service + node + server + texts + modems + central

  /// The kind of a name; nil where there is no such problem.
  public static func entry(_ name: String) -> Entry? { byName[name] }

  private static let byName = Dictionary(
    entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  private static func warning(
    _ name: String, _ words: String, remedy: String, keeps: Set<Kept> = [], health: Health? = nil,
    event: String? = nil
  ) -> Entry {
    Entry(
      name: name, severities: [.warning], keeps: keeps, health: health, event: event, words: words,
      remedy: remedy)
  }

  private static func critical(
    _ name: String, _ words: String, remedy: String, keeps: Set<Kept> = [], health: Health? = nil,
    event: String? = nil
  ) -> Entry {
    Entry(
      name: name, severities: [.critical], keeps: keeps, health: health, event: event, words: words,
      remedy: remedy)
  }

  private static func either(
    _ name: String, _ words: String, remedy: String, keeps: Set<Kept> = [], health: Health? = nil,
    event: String? = nil
  ) -> Entry {
    Entry(
      name: name, severities: [.warning, .critical], keeps: keeps, health: health, event: event,
      words: words, remedy: remedy)
  }

  private static let service = [
    critical(
      "spool_unreadable", "A file in the spool could not be taken into the queue.",
      remedy: "Look what stands there, record it, and remove the file.", keeps: [.passages],
      event: "spool_unreadable"),
    critical(
      "spool_waits", "Passages wait in the spool, and no setting says which post this is.",
      remedy: "Set node.checkpost, and restart the service.", keeps: [.passages],
      event: "spool_waits"),
    warning(
      "photos_left_out", "Passages were recorded without their photographs in the last day.",
      remedy: "Make room on the disk; apt-get install libvips-tools scales down what is too large.",
      keeps: [.photographs], event: "photo_left_out"),
    critical(
      "starting", "The service waits for its storage before it starts.",
      remedy: "Do what the message says.", keeps: [.recording], event: "storage_awaited"),
    critical(
      "no_role", "The configuration enables no role.",
      remedy: "Run checkpost config init, or set roles.node or roles.central.", keeps: [.recording]),
    critical(
      "no_database", "The connection to central's database is not configured.",
      remedy: "Set central.postgresql.connection.", keeps: [.texts, .passages]),
    either(
      "secret_unusable", "A file with a key, a token or a password cannot be used.",
      remedy: "Give the service's user the right to read that file, and nobody else.",
      keeps: [.passages, .photographs, .corrections], event: "secret_unusable"),
    critical(
      "directory_missing", "A directory that the service writes into is not there.",
      remedy: "Make it, and give it to the service's user.", keeps: [.recording]),
    warning(
      "directory_open_to_all", "Everybody may write in a directory of the service.",
      remedy: "Take that right away with chmod o-w.", event: "directory_open_to_all"),
    either(
      "server_without_tls",
      "server.url goes without TLS, or the server is not asked since it would.",
      remedy: "Have the server speak https.", keeps: [.passages, .photographs, .corrections],
      event: "server_without_tls"),
    warning(
      "database_without_tls", "Central reaches its database over a network without TLS.",
      remedy: "Use sslmode verify-full.", event: "database_without_tls"),
    warning(
      "http_without_proxy", "Other machines reach central's HTTP without TLS.",
      remedy: "Listen on 127.0.0.1 behind a proxy, or name the proxy.", event: "http_without_proxy"),
    warning(
      "http_proxy_anybody", "X-Forwarded-For is trusted from any address.",
      remedy: "Name the addresses of the proxies.", event: "http_proxy_anybody"),
    warning(
      "webhook_without_tls", "A provider calls without TLS.",
      remedy: "Have the provider call https.", event: "webhook_without_tls"),
    warning(
      "log_incomplete", "Events did not get into the log.",
      remedy: "Make room on the disk of log.file."),
    critical(
      "clock_wrong", "This machine's clock is wrong.", remedy: "Set it with timedatectl.",
      event: "clock_off"),
    either(
      "clock_skewed", "This machine's clock differs from the server's.",
      remedy: "Set it with timedatectl.", event: "clock_off"),
  ]

  private static let node = [
    critical(
      "store_failing", "Nothing can be written into the node's database.",
      remedy: "Do what the message says of the disk or the file.",
      keeps: [.recording, .passages, .photographs, .corrections, .texts], event: "storage_failed"),
    critical(
      "store_unreadable", "The node's database cannot be read.",
      remedy: "Do what the message says of the file.",
      keeps: [.recording, .passages, .photographs, .corrections, .texts], event: "storage_failed"),
    critical(
      "store_salvaged", "The node's database was damaged and is kept beside the new one.",
      remedy: "Look what it holds, and move it away.", event: "store_salvaged"),
    warning(
      "events_unstored", "Events wait for the node's database.", remedy: "See checkpost log.",
      keeps: [.texts]),
    critical(
      "disk_full", "The disk of the node's database is full: passages may be refused.",
      remedy: "Make room on that disk.", keeps: [.recording]),
    critical(
      "disk_read_only", "The disk of the node's database is read-only: no passage is recorded.",
      remedy: "See the kernel's log, and mount it read-write again.", keeps: [.recording]),
    either(
      "storage_filling",
      "What the node may keep is nearly used; photographs are refused when it is.",
      remedy: "Raise storage.capacity, or see why the server takes nothing."),
    warning(
      "ballast_missing", "No space is held back for a disk that is full.",
      remedy: "Make room on that disk."),
    warning(
      "passages_undated", "Passages have no time, since the clock was not set.",
      remedy: "Set the clock; say by checkpost queue date when the others were."),
    either(
      "passages_on_hold", "Passages were refused as texts for good and are on hold.",
      remedy: "See checkpost queue list --status parked, and retry or park each."),
    warning(
      "passages_stuck", "Passages wait for a decision: they are too old to be texted, for example.",
      remedy: "See checkpost queue list --status stuck, and retry or park each."),
    warning(
      "delivery_overdue",
      "Something waits for longer than usual, and nothing else in this list says why.",
      remedy: "See checkpost queue list and checkpost log; checkpost sync now tries again."),
  ]

  private static let server = [
    critical(
      "credential_refused", "The server refuses this node's key, token or password.",
      remedy:
        "Correct server.user and the files of the secrets; the service takes them up by itself.",
      keeps: [.passages, .photographs, .corrections], event: "credential_refused"),
    critical(
      "place_fault", "The server does not know this node at this post, so it takes no passage.",
      remedy: "Correct node.checkpost or server.user, or have the user assigned to this post.",
      keeps: [.passages, .photographs, .corrections], event: "directory_fault"),
    critical(
      "server_untrusted", "What answers at server.url does not prove to be the server (TLS).",
      remedy: "See the clock, server.url and the server's certificate.",
      keeps: [.passages, .photographs, .corrections], event: "offline"),
    critical(
      "captive_portal", "A page of the network answers in the server's place.",
      remedy: "Sign in to that network, or use another one.",
      keeps: [.passages, .photographs, .corrections], event: "offline"),
    either(
      "server_unreachable",
      "Nothing of the server answers, for longer than usual, or this machine cannot ask it.",
      remedy: "See the network, its cable or its SIM; passages leave as texts meanwhile.",
      keeps: [.passages, .photographs, .corrections], event: "offline"),
    either(
      "server_impaired", "The server answers and takes nothing.",
      remedy: "Tell the server's administrator; passages leave as texts meanwhile.",
      keeps: [.passages, .photographs, .corrections], event: "impaired"),
    critical(
      "uploads_refused", "The server refused passages for good.",
      remedy:
        "See checkpost queue list --status stuck; once the cause is mended, checkpost sync now.",
      event: "upload_failed"),
    critical(
      "photos_refused", "The server refused photographs for good.",
      remedy: "See checkpost queue show; once the cause is mended, checkpost sync now.",
      event: "upload_failed"),
    critical(
      "corrections_refused", "The server refused corrections for good.",
      remedy: "See checkpost queue show; once the cause is mended, checkpost sync now.",
      event: "upload_failed"),
    critical(
      "conflicts_open", "The server has something else under the identity of a passage.",
      remedy: "Decide with checkpost queue conflicts.", event: "conflict_found"),
  ]

  private static let texts = [
    critical(
      "no_modem", "No modem is configured, so no text can leave.",
      remedy: "Set modem.port; checkpost modem list shows what is plugged in.", keeps: [.texts],
      event: "no_modem"),
    either(
      "no_gateway", "No number to text to is configured, so no text can leave.",
      remedy: "Set node.gateway to the number of central's modem.", keeps: [.texts],
      event: "no_gateway"),
    critical(
      "gateway_rests", "Every number to text to is left alone after it refused.",
      remedy: "Check node.gateway and the SIM's credit.", keeps: [.texts], event: "gateway_rests"),
    warning(
      "recipient_rests",
      "A number that gets each passage beside central is left alone after it refused.",
      remedy: "Check that number in the settings.", event: "recipient_rests"),
    either(
      "budget_used", "A budget of texts is used up.",
      remedy: "It opens by itself; raise node.sms if the SIM allows more.", keeps: [.texts],
      event: "budget_exhausted"),
    critical(
      "text_undelivered", "The network reports that texts were not delivered.",
      remedy: "See checkpost queue list --status undelivered, and retry or park each.",
      event: "text_undelivered"),
    critical(
      "text_unknown", "It is not known whether texts left.",
      remedy: "See checkpost queue list --status unknown, and retry or park each.",
      event: "text_unknown"),
  ]

  private static let modems = [
    critical(
      "modem_failing", "A modem does not work.",
      remedy: "Do what the message says, or try checkpost modem reset.", keeps: [.texts],
      event: "modem_not_ready"),
    either(
      "modem_unregistered", "A modem has no network.",
      remedy: "Look at the antenna and the place; is the SIM paid for?", keeps: [.texts],
      event: "modem_unregistered"),
    warning(
      "modem_deaf", "A modem does not tell of messages at this port.",
      remedy: "Name another of its ports; checkpost modem list shows them.", event: "modem_deaf"),
    either(
      "modem_held", "A modem pauses after a text that failed, or whose outcome is unclear.",
      remedy: "It goes on by itself; look at the modem, its card or its account if it returns.",
      keeps: [.texts], event: "sending_held"),
    critical(
      "no_credit_suspected", "A modem is refused as one without credit is.",
      remedy: "Ask with checkpost modem ussd, and top it up.", keeps: [.texts],
      event: "modem_no_credit_suspected"),
    either(
      "modem_storage_filling", "A modem's storage for messages is nearly full, or full.",
      remedy: "Set modem.delete_leftovers, or see why messages are not deleted.",
      event: "modem_storage_filling"),
    warning(
      "modem_deletes_failing", "A modem does not delete messages that are stored here.",
      remedy: "Try checkpost modem reset; exchange the SIM if it stays so.",
      event: "modem_delete_failed"),
  ]

  private static let central = [
    critical(
      "central_keeps_nothing", "Nothing that comes in at central can be kept.",
      remedy: "Do what the message says of the disk or the database.",
      keeps: [.passages, .photographs, .corrections, .texts, .verdicts], health: .unavailable,
      event: "central_storage_failed"),
    critical(
      "central_processes_nothing", "What came in at central waits to be processed.",
      remedy: "Do what the message says of the disk or the database.", keeps: [.texts, .verdicts],
      health: .degraded, event: "central_storage_failed"),
    critical(
      "central_store_unreadable", "Central's database cannot be used.",
      remedy: "Do what the message says of the database.", keeps: [.verdicts]),
    critical(
      "central_hears_nothing", "Central has no modem, no webhook and no API: nothing can come in.",
      remedy: "Set central.modem.port, or central.http with its API or a provider.",
      keeps: [.passages, .texts], event: "central_hears_nothing"),
    warning(
      "post_silent", "Nothing came from a post for central.silent_after, in any way.",
      remedy: "Call the post: its line, its modem or its power may be off.", keeps: [.verdicts]),
    warning(
      "rows_unreadable",
      "Rows of passages that another program wrote cannot be read, and are not judged.",
      remedy: "See checkpost central passages --unreadable; put each right or delete it.",
      keeps: [.verdicts]),
    warning(
      "post_mark_went_back", "A post said that less of it is here than it had said before.",
      remedy:
        "Ask the post whether its queue was restored, or somebody else uses its account or number.",
      keeps: [.verdicts]),
    warning(
      "inbox_crowded", "Texts that are not passages were not kept, since too many wait.",
      remedy: "See checkpost central inbox; central.ingress bounds them.", health: .degraded,
      event: "inbox_crowded"),
    warning(
      "texts_undecodable", "Texts that are not passages wait for an operator.",
      remedy: "See checkpost central inbox --state undecodable; retry or dismiss each.",
      event: "text_undecodable"),
    warning(
      "verdicts_waiting",
      "Violations wait for longer than provisional_for, since they rest on texts alone.",
      remedy: "See checkpost central violations; confirm each after a look.", keeps: [.verdicts]),
    warning(
      "verdicts_changed", "Violations that were final are others by what came later, or none.",
      remedy: "See checkpost central violations list --changed; confirm each after a look.",
      keeps: [.verdicts]),
    critical(
      "webhook_refused", "Every request of a provider is refused for one reason.",
      remedy: "Do what the message says of the provider's settings.", keeps: [.texts],
      health: .degraded, event: "webhook_signature"),
    warning(
      "http_connections_full", "All connections of central's HTTP server were in use.",
      remedy: "See what connects there with ss -tn.", health: .degraded),
    warning(
      "http_address_full", "Connections of an address with too many were closed.",
      remedy: "If a proxy is there, name it in central.http.proxies."),
    warning(
      "forward_failing", "Passages cannot be handed on to another server.",
      remedy: "See whether server.url can be reached and takes the key of central.forward.",
      event: "forward_failed"),
    warning(
      "forwards_set_aside", "Another server does not take some passages.",
      remedy: "See checkpost central forwards; --retry tries them again.", event: "forward_held"),
  ]
}
