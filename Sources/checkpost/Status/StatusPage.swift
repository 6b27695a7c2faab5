import Control
import Events
import Host
import ModemSession
import Text
import Time

/// A status for people: what somebody has to know first, then what works, and what happens next. It fits
/// the terminal that it is made for, down to that of a phone.
struct StatusPage {
  private let status: ServiceStatus
  private let times: TimeWords
  private let columns: Int
  private let isColoured: Bool
  private var lines: [ShownText] = []

  /// Columns of the names before the colons of rows.
  private static let label = 9

  /// A page for a terminal of so many columns.
  init(
    _ status: ServiceStatus, now: WallTime, clock: LocalClock, columns: Int, isColoured: Bool
  ) {
    self.status = status
    times = TimeWords(seenAt: now, clock: clock)
    self.columns = columns
    self.isColoured = isColoured
  }

  /// The page.
  func made() -> [ShownText] {
    var page = self
    page.heading()
    page.problems()
    page.next()
    page.queue()
    page.connections()
    page.modems()
    page.central()
    return page.lines
  }

  // MARK: What somebody has to know

  /// How it stands, in one line.
  static func summary(_ status: ServiceStatus) -> (words: String, colour: Colour) {
    if status.service?.isRunning == false { return ("NOT RUNNING", .bad) }
    if status.service?.answers == false { return ("DOES NOT ANSWER", .bad) }
    let problems = status.problems ?? []
    let critical = problems.count { $0.severity == .critical }
    let alarms = status.problems == nil ? status.alarms?.count ?? 0 : critical
    if alarms > 0 {
      return (alarms == 1 ? "1 thing does not work" : "\(alarms) things do not work", .bad)
    }
    let rest = problems.count
    if rest > 0 { return (rest == 1 ? "works, 1 warning" : "works, \(rest) warnings", .warning) }
    guard status.isWell else {
      // What was given up for now goes on by itself: another list than of what is stuck.
      let kinds = [("stuck", status.queue?.stuck ?? 0), ("failed", status.queue?.failed ?? 0)]
      guard let (kind, count) = kinds.first(where: { $0.1 > 0 }) else {
        return ("works, with trouble", .warning)
      }
      return ("works, \(count) \(kind) (checkpost queue list --status \(kind))", .warning)
    }
    return ("all is well", .good)
  }

  private mutating func heading() {
    let summary = StatusPage.summary(status)
    let name = "checkpost" + (status.service?.version.map { " \($0)" } ?? "")
    let words = "\(name): \(summary.words)"
    for line in WrappedText.lines(words, columns: columns, indent: 2) {
      lines.append(summary.colour.paint(line, if: isColoured))
    }
    let started = status.service?.startedAt.flatMap { WallTime(rfc3339: $0) }
    let since = started.map { ", running \(times.since($0))" } ?? ""
    let zone = times.clock.zone(at: times.now)
    add(faint: "\(times.clock.full(times.now)), times in \(zone)\(since)")
    if let owner = StatusPage.owner(status) { add(faint: owner) }
    if let reason = status.service?.reason, status.service?.answers == false {
      add(faint: reason)
      add(faint: "What follows is from the databases and the settings.")
    }
  }

  /// Whose answer it is: of one machine's services, the one with these settings.
  static func owner(_ status: ServiceStatus) -> String? {
    guard let service = status.service, let roles = service.roles else { return nil }
    let names = roles.map { role in
      role == "node" ? "post" + (service.checkpost.map { " \($0)" } ?? "") : role
    }
    return (names + [service.configuration ?? "built-in settings"]).joined(separator: ", ")
      + (service.process.map { ", process \($0)" } ?? "")
  }

  private mutating func problems() {
    guard let problems = status.problems else {
      // A service of an older version tells them in sentences alone.
      for alarm in status.alarms ?? [] { problem(alarm, .bad, "!") }
      return
    }
    // What does not work first, each kind in the order in which it was found.
    let ordered =
      problems.filter { $0.severity == .critical } + problems.filter { $0.severity != .critical }
    for found in ordered {
      let (colour, mark): (Colour, String) =
        found.severity == .critical ? (.bad, "!") : (.warning, "*")
      problem(found.what, colour, mark)
      // What was seen just now for the first time may be older: nothing is said of that.
      let since = found.since.flatMap { times.now - $0 < .seconds(2) ? nil : $0 }
      let lasts = [since.map(times.since), found.until.map(times.until)].compactMap { $0 }
      if !lasts.isEmpty { add("  ", lasts.joined(separator: "; "), .faint) }
      if let remedy = found.remedy { add("  → ", remedy) }
    }
  }

  private mutating func problem(_ words: String, _ colour: Colour, _ mark: String) {
    add("\(mark) ", words, colour)
  }

  // MARK: What happens next

  private mutating func next() {
    guard let queue = status.queue else { return }
    if let sending = queue.textsSending, sending > 0 {
      let since = queue.sendingSince.flatMap { WallTime(rfc3339: $0) }
      let what = sending == 1 ? "a text is" : "\(sending) texts are"
      row("sending", "\(what) being sent\(since.map { " \(times.since($0))" } ?? "")")
    }
    guard queue.waitingForText > 0 else { return }
    let at = queue.nextTextAt.flatMap { WallTime(rfc3339: $0) }
    let when = at.map { times.next($0) }
    // What helps a modem stands above, with what is wrong with it.
    if let reason = queue.nextTextReason.map({ FailureWords($0).problem }) {
      row("next text", "\(when ?? "not yet"): \(reason)", .warning)
    } else if status.service?.isRunning == true {
      row("next text", when ?? "now")
    }
  }

  private mutating func queue() {
    guard let queue = status.queue else { return }
    let pending = queue.pending + queue.inFlight
    var parts = ["\(queue.waitingForText) to be texted"]
    if queue.synced > 0 || status.connectivity?.state == "online" {
      parts += ["\(pending) to be uploaded", "\(queue.synced) uploaded"]
    }
    parts += [
      queue.failed > 0 ? "\(queue.failed) failed" : nil,
      queue.parked > 0 ? "\(queue.parked) parked" : nil,
      queue.undated > 0 ? "\(queue.undated) without a time" : nil,
    ].compactMap { $0 }
    if let done = queue.done { parts.append("\(done) done") }
    if let stuck = queue.stuck, stuck > 0 { parts.append("\(stuck) stuck") }
    row("passages", parts.joined(separator: ", "))
    // A passage that was texted is pending all the same, and waits for nothing at a post without a server.
    if let age = queue.oldestWaitingSeconds, queue.waitingForText > 0 {
      row("oldest", "waits \(times.since(times.now - .seconds(age)))")
    }
    let last = queue.lastTextAt.flatMap { WallTime(rfc3339: $0) }
    row(
      "texts",
      "\(queue.texted) texted, \(queue.undelivered) undelivered, \(queue.unknownTexts) unknown;"
        + " \(queue.textsLastDay) in 24 h" + (last.map { ", the last \(times.past($0))" } ?? ""))
    storage("storage", queue.databaseBytes, queue.freeBytes)
  }

  // MARK: What works

  private mutating func connections() {
    if let connectivity = status.connectivity {
      let from = connectivity.textsFrom.flatMap { WallTime(rfc3339: $0) }
      row(
        "server", connectivity.words + (from.map { "; texts \(times.next($0))" } ?? ""),
        connectivity.state == "online" ? .good : nil)
    }
    if let sync = status.sync { way(sync) }
    if let warnings = status.warnings {
      let since = warnings.overdueSince.flatMap { WallTime(rfc3339: $0) }
      let at = warnings.lastAt.flatMap { WallTime(rfc3339: $0) }
      let overdue =
        warnings.overdue == 0
        ? "no vehicle overdue"
        : "\(warnings.overdue) overdue" + (since.map { ", in \(times.since($0))" } ?? "")
      let last =
        warnings.lastKind.map { "; last \($0)" + (at.map { " \(times.past($0))" } ?? "") } ?? ""
      row("vehicles", overdue + last, warnings.overdue == 0 ? nil : .warning)
      for vehicle in warnings.vehicles ?? [] {
        row("", OverdueCommand.words(vehicle, times), .warning)
      }
      if warnings.overdue > (warnings.vehicles?.count ?? 0), warnings.vehicles != nil {
        row("", "and more: checkpost overdue", .faint)
      }
    }
    guard let budget = status.budget else { return }
    let opens =
      budget.opensInSeconds.map { ", opens \(times.next(times.now + .seconds($0)))" } ?? ""
    row(
      "budget",
      "\(budget.hourUsed) of \(budget.perHour) an hour, \(budget.dayUsed) of \(budget.perDay) a day,"
        + " \(budget.monthUsed) of \(budget.perMonth) in 30 days\(opens)",
      budget.opensInSeconds == nil ? nil : .warning)
  }

  /// What goes to the server, with a bar while a backlog does.
  private mutating func way(_ sync: SyncReport) {
    var words = sync.words
    if let done = sync.done, let total = sync.total, total > 1 {
      words += " " + StatusPage.bar(done: done, total: total)
    }
    if let until = sync.until.flatMap({ WallTime(rfc3339: $0) }) {
      words += ", \(times.until(until))"
    }
    if let last = sync.lastSyncedAt.flatMap({ WallTime(rfc3339: $0) }) {
      words += "; all there \(times.past(last))"
    }
    row("sync", words, sync.state == "idle" ? .good : sync.state == "syncing" ? nil : .warning)
  }

  /// How far something has come: `[####------]`.
  static func bar(done: Int, total: Int) -> String {
    let filled = total > 0 ? min(max(10 * done / total, 0), 10) : 0
    return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: 10 - filled)
      + "]"
  }

  private mutating func modems() {
    for modem in status.modems ?? [] {
      row(
        "modem", (StatusPage.which(modem).map { "\($0): " } ?? "") + StatusPage.modem(modem),
        modem.canSend == true ? .good : .warning)
    }
  }

  /// Which of several a modem is; nil where there is one.
  private static func which(_ modem: ModemReport) -> String? {
    modem.role == "central" ? "central" : modem.name
  }

  /// A modem in one line.
  static func modem(_ modem: ModemReport) -> String {
    // What is wrong, with what helps, stands above; here it is enough to say that it is.
    if ["failed", "closed", "sim_locked"].contains(modem.state) {
      let words = FailureWords(modem.stateWords ?? "closed").problem
      let port = modem.portPath ?? modem.port
      return [port.flatMap { words.contains($0) ? nil : $0 }, words].compactMap { $0 }
        .joined(separator: ": ")
    }
    let name = [modem.manufacturer, modem.model].compactMap { $0 }.joined(separator: " ")
    let registration = modem.registration.flatMap { ["home", "unknown"].contains($0) ? nil : $0 }
    return [
      modem.stateWords ?? "has said nothing yet", name.isEmpty ? nil : name,
      modem.portPath ?? modem.port, modem.operatorName, modem.accessWords,
      modem.signalDBm.map { "\($0) dBm" }, registration.map { "registration \($0)" },
    ].compactMap { $0 }.joined(separator: ", ")
  }

  // MARK: central

  private mutating func central() {
    guard let central = status.central else { return }
    row(
      "central",
      "\(central.passages) passages of \(central.inbox) messages, \(central.duplicates) of them"
        + " repeated")
    if central.undecodable > 0 {
      let messages = central.undecodable == 1 ? "message waits" : "messages wait"
      row(
        "inbox",
        "\(central.undecodable) \(messages) for an operator: `checkpost central inbox --state"
          + " undecodable`", .warning)
    } else {
      row("inbox", "nothing to look at", .good)
    }
    if let violations = central.violations, let alerts = central.alerts {
      let again = central.judgesAgain == true ? "; what is there is being judged again" : ""
      row("judged", "violations \(violations), vehicles inside for too long \(alerts)\(again)")
    }
    if let forwards = central.forwards {
      row(
        "handed on",
        "\(forwards.forwarded) passages, \(forwards.waiting) wait, \(forwards.setAside) set aside",
        forwards.setAside > 0 ? .warning : .good)
    }
    if let refused = central.refused, !refused.isEmpty {
      // An event counts once here; `--json` has an entry for each code that was answered.
      let counts = Dictionary(refused.map { ($0.event, $0.count) }, uniquingKeysWith: +)
      let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? refused[0].event
      row(
        "refused",
        counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
          + " since the start: `checkpost log --event \(most)` tells of whom")
    }
    for post in central.heard ?? [] {
      let last = post.lastAt.flatMap { WallTime(rfc3339: $0) }
      row(
        post.code,
        (last.map { "last passage came \(times.past($0))" } ?? "nothing has come yet")
          + (post.name.map { ", \($0)" } ?? ""))
      word(of: post)
      heartbeat(of: post)
    }
    if let bytes = central.databaseBytes { storage("storage", bytes, central.freeBytes) }
  }

  /// That a post without traffic is there, and what it says that waits.
  private mutating func word(of post: PostReport) {
    let heard = post.heardAt.flatMap { WallTime(rfc3339: $0) }
    if let heard, post.heardAt != post.lastAt, post.heardAt != post.heartbeatAt {
      row("", "no traffic since; it was last heard of \(times.past(heard))")
    }
    if let waiting = post.deviceWaiting, waiting > 0,
      let at = post.deviceAt.flatMap({ WallTime(rfc3339: $0) })
    {
      row("", "told \(times.past(at)): \(waiting) passages wait there", .warning)
    }
  }

  private mutating func heartbeat(of post: PostReport) {
    guard let at = post.heartbeatAt.flatMap({ WallTime(rfc3339: $0) }), let waiting = post.waiting,
      let last = post.lastNumber
    else { return }
    row("", "told \(times.past(at)): \(waiting) of \(last) passages wait there")
    guard let missing = post.missing, missing > 0 else { return }
    row(
      "",
      "\(missing) of the passages up to number \(last) that it texted have not come; `checkpost"
        + " central inbox --state undecodable` may have them", .warning)
  }

  // MARK: Lines

  private mutating func storage(_ name: String, _ bytes: Int64, _ free: Int64?) {
    row(
      name,
      "database of \(ByteCountText.format(bytes))"
        + (free.map { ", \(ByteCountText.format($0)) free" } ?? ""))
  }

  private mutating func row(_ name: String, _ words: String, _ colour: Colour? = nil) {
    let label = ForeignText.padded(ForeignText.shown(name), to: StatusPage.label) + "  "
    add(label, words, colour, isStrong: true)
  }

  /// Words behind a label, the lines that follow indented under them; on a phone under the label.
  private mutating func add(
    _ label: String, _ words: String, _ colour: Colour? = nil, isStrong: Bool = false
  ) {
    let width = ForeignText.width(label)
    let indent = columns < 60 ? min(width, 4) : width
    let parts = WrappedText.lines(
      ForeignText.shown(words), columns: columns, first: width, indent: indent)
    for (index, part) in parts.enumerated() {
      let before = index == 0 ? label : String(repeating: " ", count: indent)
      let head =
        isStrong && index == 0 ? Colour.strong.paint(before, if: isColoured) : ShownText(before)
      lines.append(head + (colour?.paint(part, if: isColoured) ?? ShownText(part)))
    }
  }

  private mutating func add(faint words: String) {
    add("", words, .faint)
  }
}
