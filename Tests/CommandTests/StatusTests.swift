import Control
import Doctor
import Events
import Host
import Testing
import Text
import Time

@testable import checkpost

/// What a status says to people.
@Suite(.ownThreads) struct StatusTests {
  private let now = WallTime(epochSeconds: 1_795_000_000)
  private let nepal = LocalClock { _ in 345 }

  private func page(_ status: ServiceStatus, columns: Int = 80) -> [String] {
    StatusPage(status, now: now, clock: nepal, columns: columns, isColoured: false).made()
      .map(\.text)
  }

  @Test func aServiceThatDoesNotAnswerIsNotCalledGone() {
    for error in [
      ControlError.busy(path: "/run/s"), .noPermission(path: "/run/s"),
      .timedOut(path: "/run/s", after: .seconds(10)),
    ] {
      let lines = page(ServiceStatus(service: ServiceReport(error)), columns: 200)
      #expect(lines.first?.contains("DOES NOT ANSWER") == true, "\(error)")
      #expect(lines.contains(error.description), "the reason is shown")
    }
    let gone = ServiceReport(.notRunning(path: "/run/s"))
    #expect(gone.isRunning == false)
    #expect(page(ServiceStatus(service: gone)).first == "checkpost: NOT RUNNING")
  }

  @Test func textsThatAreLostAreShown() {
    var status = ServiceStatus()
    var queue = QueueReport()
    (queue.undelivered, queue.unknownTexts, queue.texted) = (2, 1, 5)
    status.queue = queue
    #expect(page(status).contains { $0.contains("5 texted, 2 undelivered, 1 unknown") })
  }

  @Test func whatWasRefusedIsNamedAsTheLogNamesIt() {
    var status = ServiceStatus()
    var central = CentralReport()
    central.refused = [
      RefusalReport(event: "sign_in_refused", count: 8),
      RefusalReport(event: "caller_refused", code: "42501", count: 7),
      RefusalReport(event: "caller_refused", code: "PGRST100", count: 4),
    ]
    status.central = central
    let words =
      "11 caller_refused, 8 sign_in_refused since the start: `checkpost log --event caller_refused` tells"
      + " of whom"
    #expect(page(status, columns: 200).contains { $0.contains(words) })
  }

  @Test func theSizeOfTheStoreIsShown() {
    var status = ServiceStatus()
    var queue = QueueReport()
    (queue.freeBytes, queue.databaseBytes) = (5 << 30, 3_145_728)
    status.queue = queue
    #expect(page(status).contains("storage    database of 3 MiB, 5 GiB free"))
  }

  /// A post at which nothing goes, with all that a status may hold.
  private var troubled: ServiceStatus {
    var status = ServiceStatus(
      service: ServiceReport(startedAt: (now - .seconds(90_000)).rfc3339, version: "0.1.0"))
    var queue = QueueReport()
    (queue.waitingForText, queue.textsSending) = (12, 1)
    queue.sendingSince = (now - .seconds(60)).rfc3339
    (queue.nextTextWaitsFor, queue.nextTextReason) = ("budget", "hour budget used (3 of 3)")
    queue.nextTextAt = (now + .seconds(1_800)).rfc3339
    status.queue = queue
    var modem = ModemReport(role: "node")
    (modem.stateWords, modem.manufacturer, modem.model) = ("port closed", "HUAWEI", "E173")
    (modem.port, modem.operatorName, modem.canSend) = ("/dev/checkpost/modem", "NTC", false)
    status.modems = [modem]
    status.tell([
      Problem(
        "budget_used", .warning, "the hour budget is used (3 of 3), and 12 passages wait",
        remedy: "it opens by itself; raise node.sms.per_hour if the SIM allows more",
        until: now + .seconds(1_800)),
      Problem(
        "modem_failing", .critical, of: "modem",
        "modem: /dev/checkpost/modem: held by process 4711 ModemManager",
        remedy:
          "stop it, or let it leave this modem alone (udev/60-checkpost-modem.rules does that)",
        since: now - .seconds(86_400)),
    ])
    return status
  }

  @Test func whatDoesNotWorkStandsFirstWithSinceWhenAndWhatToDo() throws {
    let lines = page(troubled)
    #expect(lines.first == "checkpost 0.1.0: 1 thing does not work")
    #expect(
      lines.dropFirst().first?.hasPrefix("\(nepal.full(now)), times in UTC+05:45") == true)
    let failing = try #require(lines.firstIndex { $0.hasPrefix("! modem: ") })
    let used = try #require(lines.firstIndex { $0.hasPrefix("* the hour budget") })
    #expect(failing < used)
    #expect(
      lines[failing + 1] == "  since \(nepal.full(now - .seconds(86_400))), for 24 h", "another day"
    )
    #expect(lines[failing + 2].hasPrefix("  → stop it"))
    #expect(lines[used + 1] == "  until \(nepal.time(now + .seconds(1_800))), in 30 min")
    #expect(
      lines.contains(
        "next text  at \(nepal.time(now + .seconds(1_800))), in 30 min: hour budget used (3 of 3)"))
    #expect(
      lines.contains(
        "sending    a text is being sent since \(nepal.time(now - .seconds(60))), for 60 s"))
    #expect(lines.contains { $0.hasPrefix("passages   12 to be texted") })
  }

  /// Every row tells moments as `queue list` and `queue show` do: by the same words, in the same zone.
  @Test(arguments: [-300, 0, 345, 840]) func everyRowTellsMomentsAlike(_ offset: Int) throws {
    let zone = LocalClock { _ in offset }
    let times = TimeWords(seenAt: now, clock: zone)
    func ago(_ seconds: Int64) -> WallTime { now - .seconds(seconds) }
    var status = ServiceStatus(
      service: ServiceReport(startedAt: ago(90_000).rfc3339, version: "0.1.0"))
    var queue = QueueReport()
    (queue.waitingForText, queue.oldestWaitingSeconds) = (2, 5_000)
    (queue.lastTextAt, queue.nextTextAt) = (ago(9_000).rfc3339, ago(-600).rfc3339)
    queue.nextTextReason = "hour budget used (3 of 3)"
    status.queue = queue
    var central = CentralReport()
    central.heard = [PostReport(code: "BNP-A", name: nil, lastAt: ago(100_000).rfc3339)]
    status.central = central
    let lines = StatusPage(status, now: now, clock: zone, columns: .max, isColoured: false).made()
      .map(\.text)
    for words in [
      ", running \(times.since(ago(90_000)))", "oldest     waits \(times.since(ago(5_000)))",
      ", the last \(times.past(ago(9_000)))", "next text  \(times.next(ago(-600)))",
      "last passage came \(times.past(ago(100_000)))",
    ] {
      #expect(lines.contains { $0.contains(words) }, "\(words)")
    }
    #expect(times.past(ago(100_000)).hasSuffix(", 27 h ago"))
    #expect(times.since(ago(5_000)).hasSuffix(", for 83 min"))
  }

  @Test(arguments: [32, 40, 60, 80, 132]) func noLineIsWiderThanTheTerminal(columns: Int) {
    for line in page(troubled, columns: columns) {
      #expect(ForeignText.width(line) <= columns, "\(line)")
    }
  }

  @Test func aServiceThatIsWellSaysSo() {
    let status = ServiceStatus(
      service: ServiceReport(startedAt: (now - .seconds(600)).rfc3339, version: "0.1.0"))
    var well = status
    well.tell([])
    #expect(page(well).first == "checkpost 0.1.0: all is well")
    var doubt = status
    doubt.tell([Problem("a", .warning, "one")])
    #expect(page(doubt).first == "checkpost 0.1.0: works, 1 warning")
    // An older service tells its problems in sentences alone.
    var old = status
    old.alarms = ["a; b"]
    #expect(page(old).first == "checkpost 0.1.0: 1 thing does not work")
    #expect(page(old).contains("! a; b"))
  }

  @Test func centralTellsOfEachPostAndOfWhatWaitsForAnOperator() {
    var status = ServiceStatus(
      service: ServiceReport(startedAt: now.rfc3339, version: "0.1.0"))
    var central = CentralReport()
    (central.passages, central.inbox, central.undecodable) = (40, 43, 1)
    central.heard = [
      PostReport(code: "BNP-A", name: "Bardia", lastAt: (now - .seconds(300)).rfc3339),
      PostReport(code: "BNP-B", name: nil, lastAt: nil),
    ]
    (central.databaseBytes, central.freeBytes) = (1 << 20, 5 << 30)
    status.central = central
    let lines = page(status)
    #expect(lines.contains { $0.hasPrefix("inbox      1 message waits for an operator") })
    #expect(
      lines.contains(
        "BNP-A      last passage came \(nepal.time(now - .seconds(300))), 5 min ago, Bardia"))
    #expect(lines.contains("BNP-B      nothing has come yet"))
    #expect(lines.contains("storage    database of 1 MiB, 5 GiB free"))
  }
}

/// What the doctor found, for people.
@Suite(.ownThreads) struct FindingTests {
  private let finding = Finding(
    "node_database", .bad, "/var/lib/checkpost: this user may not write there, whatever it tries",
    remedy: "run this as the user of the service, or give that user the directory, which is best")

  @Test func aPipeGetsWholeLines() {
    #expect(
      finding.lines(colour: false, columns: .max).map(\.text) == [
        "BAD   node database     \(finding.words)",
        "                        → \(finding.remedy ?? "")",
      ])
  }

  @Test(arguments: [40, 60, 80]) func aTerminalGetsLinesThatFit(columns: Int) {
    let lines = finding.lines(colour: false, columns: columns).map(\.text)
    #expect(lines.count > 2)
    #expect(lines.allSatisfy { ForeignText.width($0) <= columns }, "\(lines)")
    let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(words.hasSuffix(finding.remedy ?? "?"))
  }
}
