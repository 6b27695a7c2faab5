import Control
import Events
import JSON
import Testing
import Time

/// The status as it is written, which scripts read.
@Suite struct ServiceStatusTests {
  private let problem = Problem(
    "disk_full", .critical, "no room", remedy: "make room",
    since: WallTime(epochSeconds: 1_795_000_000))

  /// Every key of a status, as it always was.
  @Test func theKeysNeverChange() {
    var report = ServiceStatus(
      service: ServiceReport(startedAt: "2026-11-20T00:00:00Z", version: "0.1.0"))
    report.queue = QueueReport()
    report.queue?.oldestPendingSeconds = 1
    report.queue?.lastTextAt = "2026-11-20T00:00:00Z"
    report.queue?.freeBytes = 2
    report.queue?.isReadOnly = false
    report.connectivity = ConnectivityReport(state: "online", words: "online")
    report.budget = BudgetReport()
    report.budget?.opensInSeconds = 3
    report.budget?.modems = [BudgetReport.Modem(name: "a")]
    report.central = CentralReport()
    report.central?.heard = [PostReport(code: "BNP-A", name: "A", lastAt: "2026-11-20T00:00:00Z")]
    report.central?.databaseBytes = 1
    report.central?.freeBytes = 2
    report.modems = [ModemReport(role: "node")]
    report.tell([problem])
    let object = JSONText.object(of: report)
    #expect(
      object.keys.sorted() == [
        "alarms", "budget", "central", "connectivity", "modems", "problems", "queue", "service",
      ])
    #expect(
      object["queue"]?.object?.keys.sorted() == [
        "database_bytes", "failed", "free_bytes", "in_flight", "last_text_at",
        "oldest_pending_seconds", "parked", "pending", "read_only", "synced", "text_undelivered",
        "text_unknown", "texted", "texts_last_day", "undated", "waiting_for_text",
      ])
    #expect(
      object["budget"]?.object?.keys.sorted() == [
        "day_used", "hour_used", "minute_used", "modems", "month_used", "opens_in_seconds",
        "per_day", "per_hour", "per_minute", "per_month", "worst_day",
      ])
    #expect(
      object["budget"]?["modems"]?.list?.first?.object?.keys.sorted() == [
        "day_remaining", "hour_remaining", "minute_remaining", "month_remaining", "name",
      ])
    #expect(
      object["central"]?.object?.keys.sorted() == [
        "database_bytes", "free_bytes", "heard", "inbox", "inbox_duplicates", "inbox_undecodable",
        "passages", "posts", "rangers", "refused", "segments",
      ])
    #expect(
      object["central"]?["heard"]
        == [["code": "BNP-A", "name": "A", "last_at": "2026-11-20T00:00:00Z"]])
    #expect(object["modems"] == [["role": "node"]])
    #expect(object["alarms"] == ["no room; make room"])
    #expect(
      object["problems"] == [
        [
          "name": "disk_full", "severity": "critical", "what": "no room", "remedy": "make room",
          "since": .text(WallTime(epochSeconds: 1_795_000_000).rfc3339),
        ]
      ])
    #expect(JSONText.decode(ServiceStatus.self, from: object) == report)
  }

  @Test func aModemKeepsItsKeys() {
    var modem = ModemReport(role: "node")
    modem.name = "a"
    (modem.state, modem.stateWords, modem.port, modem.portPath) = (
      "ready", "ready", "auto", "/dev/x"
    )
    (modem.registration, modem.canSend, modem.manufacturer, modem.model) = ("home", true, "m", "n")
    (modem.revision, modem.profile, modem.imei, modem.imsi) = ("1", "generic", "2", "3")
    (modem.smsc, modem.operatorName, modem.access, modem.accessWords) = ("4", "o", "lte", "LTE")
    (modem.supply, modem.signalDBm, modem.isDeaf, modem.lastError) = ("low", -70, true, "why")
    (modem.storageUsed, modem.storageSize, modem.storageLeftovers) = (1, 2, 3)
    var clock = ClockReport()
    (clock.networkTime, clock.source, clock.verdict, clock.words) = ("t", "network", "ahead", "off")
    (clock.uncertaintySeconds, clock.aheadSeconds) = (1, 2)
    modem.clock = clock
    let object = JSONText.object(of: modem)
    #expect(
      object.keys.sorted() == [
        "access", "access_words", "can_send", "clock", "deaf", "imei", "imsi", "last_error",
        "manufacturer", "model", "name", "operator", "port", "port_path", "profile",
        "registration", "revision", "role", "signal_dbm", "smsc", "state", "state_words",
        "storage_leftovers", "storage_size", "storage_used", "supply",
      ])
    #expect(
      object["clock"]?.object?.keys.sorted() == [
        "ahead_s", "network_time", "source", "uncertainty_s", "verdict", "words",
      ])
    #expect(JSONText.decode(ModemReport.self, from: object) == modem)
  }

  /// Also that nobody can tell whether the service runs is said.
  @Test func aServiceThatDoesNotAnswerSaysWhy() {
    #expect(JSONText.object(of: ServiceReport(.notRunning(path: "/s")))["running"] == false)
    #expect(JSONText.object(of: ServiceReport(.busy(path: "/s")))["running"] == true)
    let denied = JSONText.object(of: ServiceReport(.noPermission(path: "/s")))
    #expect(denied["running"] == .null)
    #expect(denied["answers"] == false)
    #expect(denied["reason"]?.text?.contains("no permission") == true)
  }

  @Test func theStatusOfAnOlderServiceIsRead() throws {
    let old: [String: JSONValue] = [
      "service": ["running": true], "modems": [], "alarms": ["a; b"], "more": 1,
    ]
    let report = try #require(JSONText.decode(ServiceStatus.self, from: old))
    #expect(report.alarms == ["a; b"])
    #expect(report.problems == nil)
  }

  @Test func aProblemIsSaidInOneLine() {
    #expect(Problem("a", .warning, "what").sentence == "what")
    #expect(Problem("a", .warning, "what", remedy: "act").sentence == "what; act")
    #expect(Problem("a", .warning, "What.", remedy: "Act.").sentence == "What. Act.")
  }

  @Test func aProblemStandsSinceItWasSeenFirst() {
    let start = WallTime(epochSeconds: 1_795_000_000)
    var standing = StandingProblems()
    let bare = Problem("disk_full", .critical, "1 MiB")
    #expect(standing.dated([bare], at: start).map(\.since) == [start])
    var changed = bare
    changed.what = "2 MiB"
    var other = bare
    other.subject = "other"
    let later = start + .seconds(60)
    #expect(
      standing.dated([changed, other, problem], at: later).map(\.since)
        == [start, later, problem.since])
    #expect(standing.dated([], at: later).isEmpty)
    #expect(standing.dated([bare], at: later).map(\.since) == [later], "it was over meanwhile")
  }
}
