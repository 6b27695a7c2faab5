import CentralCore
import Events
import Host
import ModemSession
import NodeCore
import Settings
import Storage
import Time

/// What may stand at a node or a central, each made from the facts by which it is found. Each problem of the
/// catalogue has one here at least; what is not in this table is not a problem that anybody has seen.
struct EveryCondition {
  /// The problem by which it is told.
  var problem: String
  /// What happened.
  var words: String
  /// What is told.
  var problems: [Problem]
  /// What `/healthz` says of it.
  var health: ProblemCatalogue.Health?

  static let wall = WallTime(epochSeconds: 1_795_000_000)
  static let boot = BootInstant.seconds(500_000)
  private static var moment: Moment { Moment(boot: boot, wall: wall) }
  private static var yesterday: BootInstant { boot - .seconds(86_400) }
  private static let full = StorageError(
    .full, of: "n.sqlite", problem: "n.sqlite: no space left", remedy: "Make room")

  static var all: [EveryCondition] {
    store + server + refusals + texts + modems + central + machine
  }

  // MARK: How they are made

  static var overview: StoreOverview {
    StoreOverview(
      pending: 0, inFlight: 0, synced: 0, failed: 0, waitingForText: 0, texted: 0, undelivered: 0,
      unknownTexts: 0, parked: 0, undated: 0, textsLastDay: 0, databaseBytes: 1 << 20,
      freeBytes: 1 << 30, isReadOnly: false)
  }

  static var snapshot: NodeSnapshot {
    var rules = NodeRules()
    rules.hasServer = true
    rules.gateways = ["+15550100"]
    var node = NodeCore(rules: rules, seed: 1).snapshot(at: boot)
    node.connectivity = .online
    return node
  }

  /// A node of which nothing is wrong but what `change` does.
  static func node(
    _ problem: String, _ words: String,
    _ change: (inout NodeFacts, inout NodeSnapshot, inout StoreOverview) -> Void
  ) -> EveryCondition {
    var facts = NodeFacts(reserveBytes: 4 << 20)
    var (node, overview) = (snapshot, overview)
    facts.states = PassageStates(hasServer: true, awaitsReports: false)
    change(&facts, &node, &overview)
    facts.node = node
    facts.overview = overview
    return EveryCondition(
      problem: problem, words: words, problems: NodeProblems(facts, at: moment).all())
  }

  private static func modem(
    _ problem: String, _ words: String, at now: WallTime = wall + .seconds(3_600),
    _ change: (inout ModemStatus) -> Void
  ) -> EveryCondition {
    var status = ModemStatus(state: .ready, port: "/dev/ttyUSB0", canSend: true)
    change(&status)
    var problems = ModemProblems()
    problems.take(status, at: wall)
    return EveryCondition(
      problem: problem, words: words,
      problems: problems.all("modem", deletesLeftovers: false, at: now))
  }

  static func central(
    _ problem: String, _ words: String, _ change: (inout CentralFacts) -> Void
  ) -> EveryCondition {
    var facts = CentralFacts()
    facts.silentAfter = .seconds(86_400)
    facts.overview = heard([])
    change(&facts)
    return EveryCondition(
      problem: problem, words: words, problems: facts.problems(at: wall),
      health: facts.health(at: wall))
  }

  static func heard(_ posts: [PostHeard]) -> CentralOverview {
    CentralOverview(
      posts: 2, segments: 1, rangers: 2, passages: 9, received: 9, undecodable: 0, duplicates: 0,
      heard: posts)
  }

  private static func settings(
    _ problem: String, _ words: String, _ change: (inout Settings) -> Void
  ) -> EveryCondition {
    var loaded = LoadedSettings()
    change(&loaded.settings)
    let checks = ServiceChecks(loaded)
    return EveryCondition(
      problem: problem, words: words,
      problems: checks.refusals + checks.serverSecrets + checks.warnings)
  }

  private static func only(
    _ problem: Problem?, _ words: String
  ) -> EveryCondition {
    EveryCondition(
      problem: problem?.name ?? "", words: words, problems: [problem].compactMap { $0 })
  }

  // MARK: A node's store

  private static var store: [EveryCondition] {
    [
      node("store_failing", "nothing can be written") { facts, _, _ in
        facts.failure = NodeFacts.StoreFailure(full, since: yesterday)
      },
      node("store_unreadable", "the file is gone") { facts, _, _ in facts.unreadable = full },
      node("store_salvaged", "the file was damaged") { _, _, overview in
        overview.salvage = StoreSalvage(
          file: "/var/lib/checkpost/node.db.damaged", passages: 3, unreadable: 1, unsynced: 1,
          isWhole: false)
      },
      node("events_unstored", "events wait for the database") { facts, _, _ in facts.unstored = 2 },
      node("disk_full", "no room for a passage") { _, _, overview in overview.freeBytes = 1 << 20 },
      node("disk_read_only", "the card broke") { _, _, overview in overview.isReadOnly = true },
      node("storage_filling", "photographs are refused") { facts, _, _ in
        (facts.capacityBytes, facts.photoBytes) = (10 << 20, 9 << 20)
      },
      node("photos_left_out", "photographs were left out") { _, _, overview in
        overview.photosLeftOut = 2
        overview.photosLeftOutSince = yesterday
      },
      node("ballast_missing", "no space is held back") { facts, _, _ in facts.hasBallast = false },
      node("passages_undated", "the clock was not set") { _, _, overview in overview.undated = 2 },
      node("passages_on_hold", "a text was refused for good") { _, _, overview in
        (overview.refusedTexts, overview.parkedLive, overview.pending) = (1, 1, 1)
      },
      node("passages_stuck", "too old to be texted, and no server") { facts, node, overview in
        facts.states = PassageStates(hasServer: false, awaitsReports: false)
        node.hasServer = false
        overview.pending = 2
      },
    ]
  }

  // MARK: Its server

  private static func offline(_ outage: ServerFailure.Outage) -> EveryCondition {
    node("server_unreachable", "offline for a day: \(outage.rawValue)") { _, node, overview in
      node.connectivity = .offline(.outage(outage, words: "no answer"))
      (node.offlineSince, node.serverDownSince) = (yesterday, yesterday)
      overview.pending = 3
      overview.oldestOpenAge = [.passage: .seconds(86_400)]
    }
  }

  private static func impaired(_ problem: String, _ impairment: Impairment) -> EveryCondition {
    node(problem, "there, and takes nothing: \(impairment.name)") { _, node, overview in
      node.connectivity = .impaired(impairment)
      node.serverDownSince = yesterday
      overview.pending = 3
      overview.oldestOpenAge = [.passage: .seconds(86_400)]
    }
  }

  private static var server: [EveryCondition] {
    [
      .noLink, .noRoute, .noName, .refused, .noAnswer, .cannotAsk,
    ].map(offline) + [
      node("server_unreachable", "libcurl is not installed, from the first moment") { _, node, _ in
        node.connectivity = .offline(.outage(.cannotAsk, words: "libcurl cannot be used"))
        node.offlineSince = boot
      },
      node("server_untrusted", "TLS never worked") { _, node, _ in
        node.connectivity = .offline(.outage(.untrusted, words: "the certificate has ended"))
      },
      node("captive_portal", "a portal answers") { _, node, _ in
        node.connectivity = .offline(.outage(.captivePortal, words: "a page answers"))
      },
      node("credential_refused", "the password is wrong") { _, node, _ in
        node.credentialAlarm = "HTTP 400 invalid_credentials"
      },
      impaired("credential_refused", .credential), impaired("place_fault", .place(.noPost)),
      impaired("server_impaired", .trouble(.failing)), impaired("server_impaired", .trouble(.busy)),
      impaired("server_impaired", .trouble(.readOnly)),
      impaired("server_impaired", .trouble(.restricted)),
      impaired("server_impaired", .trouble(.staleSchema)), impaired("server_impaired", .unanswered),
    ]
  }

  private static func refused(_ status: String) -> EveryCondition {
    node("uploads_refused", "passages refused for good: \(status)") { _, _, overview in
      overview.failed = 2
      overview.refused[.passage] = RefusedUploads(count: 2, since: boot, error: status)
    }
  }

  private static func late(
    _ kind: UploadKind, _ age: Duration, _ change: @escaping (inout StoreOverview) -> Void
  ) -> EveryCondition {
    node("delivery_overdue", "a \(kind.rawValue) waits and nobody knows why") { _, _, overview in
      overview.oldestOpenAge[kind] = age
      change(&overview)
    }
  }

  private static var refusals: [EveryCondition] {
    ["HTTP 400", "HTTP 403 42501", "HTTP 409 23514", "HTTP 413"].map(refused) + [
      node("photos_refused", "photographs refused for good") { _, _, overview in
        overview.photosOpen = 1
        overview.refused[.photo] = RefusedUploads(count: 1, since: boot, error: "HTTP 413")
      },
      node("corrections_refused", "corrections refused for good") { _, _, overview in
        overview.correctionsOpen = 1
        overview.refused[.correction] = RefusedUploads(count: 1, since: boot, error: "HTTP 403")
      },
      node("conflicts_open", "a conflict waits for a person") { _, _, overview in
        overview.conflictsOpen = 1
      },
      late(.passage, .seconds(3_600)) { $0.pending = 1 },
      // What is told of others explains nothing of these.
      late(.passage, .seconds(3_600)) { ($0.pending, $0.undated) = (2, 1) },
      late(.photo, .seconds(2 * 86_400)) { ($0.photosOpen, $0.freeBytes) = (1, 9 << 20) },
      late(.correction, .seconds(3_600)) { $0.correctionsOpen = 1 },
      late(.photo, .seconds(2 * 86_400)) { $0.photosOpen = 1 },
    ]
  }

  // MARK: Its texts

  private static var texts: [EveryCondition] {
    [
      node("no_gateway", "no number to text to") { _, node, _ in node.gateways = [] },
      only(NodeSetup(modems: 0, gateways: 1).problems.first, "no modem is configured"),
      node("gateway_rests", "the number refuses") { _, node, _ in
        node.gateways[0].restUntil = boot + .seconds(600)
      },
      node("recipient_rests", "an officer's number refuses") { _, node, _ in
        node.restingRecipients = [
          NodeSnapshot.RestingRecipient(place: 1, restUntil: boot + .seconds(600))
        ]
      },
      node("budget_used", "the day's texts are used up") { _, node, overview in
        overview.waitingForText = 3
        node.outlook = TextOutlook(
          .budget(BudgetUse(window: .day, used: 9, limit: 9)), until: boot + .seconds(600))
      },
      node("text_undelivered", "not delivered") { _, _, overview in overview.undelivered = 1 },
      node("text_unknown", "nobody knows whether it left") { _, _, overview in
        overview.unknownTexts = 1
      },
      node("delivery_overdue", "texts wait and nobody knows why") { _, node, overview in
        node.hasServer = false
        (node.textGate, node.outlook) = (.open, TextOutlook())
        (overview.waitingForText, overview.firstTextDue) = (2, yesterday)
      },
    ]
  }

  // MARK: Modems

  private static var modems: [EveryCondition] {
    [
      modem("modem_failing", "the SIM is locked") { $0.lastError = "the SIM wants its PIN" },
      modem("modem_unregistered", "no network for an hour") { $0.state = .registering },
      modem("modem_deaf", "a deaf port") { $0.isDeaf = true },
      modem("modem_storage_filling", "the storage fills") {
        ($0.storageUsed, $0.storageSize) = (8, 10)
      },
      modem("modem_storage_filling", "the storage is full of another's drafts") {
        ($0.storageUsed, $0.storageSize, $0.storageLeftovers) = (10, 10, 10)
      },
      modem("modem_deletes_failing", "messages cannot be deleted") { $0.undeletable = 3 },
      node("modem_held", "paused after a doubtful outcome") { _, node, _ in
        node.modems[0].holdUntil = boot + .seconds(60)
        node.modems[0].holdReason = "outcome unknown: CMS 500"
      },
      node("no_credit_suspected", "the account is empty") { _, node, _ in
        node.modems[0].isCreditSuspected = true
      },
    ]
  }

  // MARK: A central

  private static func refusal(_ kind: WebhookRefusal.Kind, _ count: Int) -> WebhookTally {
    WebhookTally(
      path: "/functions/v1/sms-webhook", kind: kind, words: "the signature is wrong", count: count,
      since: wall, last: wall)
  }

  private static var central: [EveryCondition] {
    [
      central("central_keeps_nothing", "nothing that comes in is kept") {
        $0.keeping = CentralFacts.Failure(full)
      },
      central("central_processes_nothing", "what came in waits") {
        $0.processing = CentralFacts.Failure(full)
      },
      central("central_store_unreadable", "the database cannot be used") { $0.unreadable = full },
      central("post_silent", "a post is silent") {
        var post = PostHeard(code: "BNP-A", lastAt: wall - .seconds(200_000))
        post.signedInAt = wall - .seconds(90_000)
        $0.overview = heard([post])
      },
      central("rows_unreadable", "rows cannot be read") { $0.overview?.unreadable = 3 },
      central("post_mark_went_back", "a post said less than before") {
        var post = PostHeard(code: "BNP-A", lastAt: wall)
        post.wentBackAt = wall - .seconds(60)
        $0.overview = heard([post])
      },
      central("texts_undecodable", "texts wait for an operator") { $0.overview?.undecodable = 2 },
      central("verdicts_waiting", "violations rest on texts alone") {
        $0.overview?.unproven = 1
        $0.overview?.unprovenSince = wall - .seconds(90_000)
      },
      central("verdicts_changed", "violations that were final are others") {
        $0.overview?.changedAfterFinal = 1
        $0.overview?.changedSince = wall - .seconds(90_000)
      },
      central("webhook_refused", "each request of a provider is refused") {
        $0.webhooks = [refusal(.signature, 3)]
      },
      central("inbox_crowded", "too many texts wait") { $0.crowdedAgo = .zero },
      central("http_connections_full", "connections ran out") {
        $0.connections = CentralFacts.Connections(most: 8, mostPerAddress: 4)
        $0.connections?.fullAgo = .zero
      },
      central("http_address_full", "an address has too many connections") {
        $0.connections = CentralFacts.Connections(most: 8, mostPerAddress: 4)
        $0.connections?.refusedAgo = .zero
      },
      central("forward_failing", "nothing is handed on") {
        $0.forwarding = CentralFacts.Forwarding(setAside: 0, failingSince: wall, words: "no answer")
      },
      central("forwards_set_aside", "the server does not take some") {
        $0.forwarding = CentralFacts.Forwarding(setAside: 2)
      },
      settings("central_hears_nothing", "a central listens nowhere") { settings in
        settings.roles.central = true
        settings.central.http.enabled = false
      },
    ]
  }

  // MARK: Machine and settings

  private static var machine: [EveryCondition] {
    [
      settings("no_role", "no role is enabled") {
        ($0.roles.node, $0.roles.central) = (false, false)
      },
      settings("secret_unusable", "the file with the key is gone") {
        $0.roles.node = true
        $0.server.url = "https://example.org"
        $0.server.apiKeyFile = "/nonexistent/key"
      },
      settings("no_database", "the database is not named") {
        $0.roles.central = true
        $0.central.store = .postgresql
      },
      settings("directory_missing", "a directory is not there") {
        $0.roles.node = true
        $0.node.database = "/nonexistent/node.db"
      },
      settings("server_without_tls", "server.url goes without TLS") {
        $0.roles.node = true
        $0.server.url = "http://203.0.113.1"
      },
      settings("database_without_tls", "the database is reached without TLS") {
        $0.roles.central = true
        $0.central.store = .postgresql
        $0.central.postgresql.connection = "host=192.0.2.1 dbname=c user=c"
      },
      settings("http_without_proxy", "HTTP without TLS for other machines") {
        $0.roles.central = true
        $0.central.http.enabled = true
        $0.central.http.address = "0.0.0.0"
      },
      settings("http_proxy_anybody", "everybody is a proxy") {
        $0.roles.central = true
        $0.central.http.enabled = true
        $0.central.http.proxies = ["0.0.0.0/0"]
      },
      settings("webhook_without_tls", "the provider calls without TLS") {
        $0.roles.central = true
        $0.central.twilio.publicURLs = ["http://example.org/sms"]
      },
      settings("directory_open_to_all", "anybody may write in the directory") {
        $0.roles.node = true
        $0.node.database = "/tmp/node.db"
      },
    ]
  }
}
