import ArgumentParser
import Control
import EventLoop
import Glibc
import Host
import JSON
import ModemSession
import NodeCore
import Passages
import Settings
import Text
import Time

/// `queue show`.
struct QueueShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract:
      "Show one passage, where everything stands that goes out for it, and what it waits for.")

  @Argument(help: "The passage: its number in the queue, or its client_id or the beginning of it.")
  var passage: String

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let loaded = try settings.load()
    let asked = Operations.QueueShow(passage)
    let report = try QueueAccess(loaded).look(asked) { desk in
      try desk.show(asked) { try ServiceStatus.read(loaded, clocks: SystemClocks()) }
    }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(JSONValue.object(report.fields))
    } else {
      let page = PassagePage(report, loaded.settings, TimeWords(seenAt: SystemClocks().wall()))
      for line in page.lines() {
        for part in QueueShow.wrapped(line) { try out.line(part) }
      }
    }
    try out.flush()
  }

  /// A line as a terminal holds it, what does not fit below the values; as it is for everybody else.
  private static func wrapped(_ line: String) -> [String] {
    guard Terminal.isTerminal(STDOUT_FILENO) else { return [line] }
    let indent = PassagePage.indent
    let shown = ForeignText.shown(line)
    let name = shown.prefix(indent)
    let parts = LineWrap.lines(
      String(shown.dropFirst(indent)), columns: Terminal.columns(STDOUT_FILENO) - indent)
    return parts.enumerated().map { index, part in
      (index == 0 ? String(name) : String(repeating: " ", count: indent)) + part
    }
  }
}

/// One passage with everything that goes out for it, for people.
struct PassagePage {
  /// Columns of the names on the left.
  static let indent = 14

  private let report: PassageReport
  private let names: RecipientNames
  private let hasServer: Bool
  private let times: TimeWords

  init(_ report: PassageReport, _ settings: Settings, _ times: TimeWords) {
    self.report = report
    self.times = times
    names = RecipientNames(settings)
    hasServer = PassageStates(settings).hasServer
  }

  /// A value behind its name.
  private func row(_ name: String, _ value: String) -> String {
    name + String(repeating: " ", count: max(1, Self.indent - name.count)) + value
  }

  private func text(_ key: String) -> String? { report[key]?.text }

  private func time(_ key: String) -> WallTime? { text(key).flatMap { WallTime(rfc3339: $0) } }

  /// The page.
  func lines() -> [String] {
    let recorded = time("recorded_at").map { times.whole($0) } ?? ""
    var lines = [
      row("number", "\(report.queueID)"), row("client_id", report.clientID),
      row("recorded", recorded), row("post", text("checkpost") ?? ""),
      row("plate", "\(report.plate)  (as read: \(text("plate_number_raw") ?? ""))"),
      row("type", text("vehicle_type") ?? ""), row("text body", text("v1") ?? ""),
      row("status", QueueWords.standing(report, hasServer: hasServer, times)),
    ]
    if let remedy = text("remedy") { lines.append(row("", "→ `\(remedy)`")) }
    if let at = time("withdrawn_at") {
      lines.append(row("withdrawn", "\(times.past(at)): \(text("withdrawn_reason") ?? "")"))
    }
    if let number = report["corrects"]?.integer {
      lines.append(row("instead of", "number \(number), which was recorded wrongly"))
    }
    lines += uploads()
    if let reason = text("photo_left_out") {
      lines.append(row("photograph", "left out when it was recorded: \(reason)"))
    }
    lines += recipients()
    if let skew = report["clock_skew_seconds"]?.integer {
      lines.append(
        row(
          "clock",
          "this machine's was \(ClockComparison.span(.seconds(abs(skew))))"
            + " \(skew > 0 ? "ahead of" : "behind") the server's when it was recorded"))
    }
    for alert in report["alerts"]?.list ?? [] {
      let at = alert["raised_at"]?.text.flatMap { WallTime(rfc3339: $0) }.map { times.time($0) }
      lines.append(row("warning", "\(at ?? "")  \(alert["words"]?.text ?? "")"))
    }
    if let reason = text("on_hold_reason") {
      lines.append(row("on hold", reason))
    } else if let reason = text("parked_reason") {
      lines.append(row("not texted", reason))
    }
    if let priority = report["priority"]?.integer,
      priority != Int64(RecordRequest.standardPriority)
    {
      lines.append(row("priority", "\(priority)"))
    }
    return lines + texts()
  }

  // MARK: Deliveries

  /// What goes to the server: the passage, its photograph and what changes it there.
  private func uploads() -> [String] {
    (report["uploads"]?.list ?? []).compactMap { upload in
      let kind = upload["kind"]?.text ?? ""
      let isPassage = kind == UploadKind.passage.rawValue
      let attempts = upload["attempts"]?.integer ?? 0
      if isPassage, attempts == 0, !hasServer { return row("uploads", "none: no server is set") }
      let name =
        isPassage ? "to the server" : kind == UploadKind.photo.rawValue ? "photograph" : kind
      var words = [state(of: upload)]
      if let plate = change(upload) { words.insert(plate, at: 0) }
      if let reason = upload["reason"]?.text { words.insert(reason, at: 0) }
      return row(name, (words + tries(upload, attempts: attempts)).joined(separator: "; "))
    }
  }

  /// The old and the new plate of a correction, and the types where these differ.
  private func change(_ upload: JSONValue) -> String? {
    let pairs = ["plate", "vehicle_type"].compactMap { key -> String? in
      guard let old = upload["old_\(key)"]?.text, let new = upload["new_\(key)"]?.text, old != new
      else { return nil }
      return "\(old) → \(new)"
    }
    return pairs.isEmpty ? nil : pairs.joined(separator: ", ")
  }

  private func state(of upload: JSONValue) -> String {
    let isPassage = upload["kind"]?.text == UploadKind.passage.rawValue
    switch upload["status"]?.text {
    case QueueStatus.synced.rawValue:
      let at = upload["synced_at"]?.text.flatMap { WallTime(rfc3339: $0) }
      return "the server has it" + (at.map { " since \(times.time($0))" } ?? "")
    case QueueStatus.inFlight.rawValue: return "on its way"
    case QueueStatus.failed.rawValue:
      guard upload["stuck"]?.flag == true else {
        return "given up for now, and tried again within 15 min"
      }
      return "stuck"
    default: break
    }
    if let next = upload["next_at"]?.text.flatMap({ WallTime(rfc3339: $0) }) {
      let when = times.next(next)
      return when == "now" ? "waits for its turn" : "next try \(when)"
    }
    if text("on_hold_reason") != nil { return "on hold" }
    if text("withdrawn_at") != nil { return isPassage ? "stays here" : "waits for the passage" }
    if report["undated"]?.flag == true { return "waits for its time" }
    if text("handed_on_at") != nil { return "handed on" }
    return isPassage ? "waits" : "waits for the passage"
  }

  /// How often something was tried, when last, and what came of it.
  private func tries(_ delivery: JSONValue, attempts: Int64) -> [String] {
    var words: [String] = []
    let last = delivery["last_attempt_at"]?.text.flatMap { WallTime(rfc3339: $0) }
    let isDone = delivery["status"]?.text == QueueStatus.synced.rawValue
    if attempts > 0 {
      let count = attempts == 1 ? "1 failed try" : "\(attempts) failed tries"
      words.append(
        isDone ? "after \(count)" : count + (last.map { ", the last \(times.past($0))" } ?? ""))
    } else if let last, !isDone {
      words.append("last tried \(times.past(last))")
    }
    // What was overcome is no news.
    if let error = delivery["last_error"]?.text, !isDone { words.append(names.shown(error)) }
    return words
  }

  /// Who gets it as a text.
  private func recipients() -> [String] {
    let all = report["recipients"]?.list ?? []
    return all.compactMap { delivery in
      guard let to = delivery["to"]?.text.flatMap({ TextRecipient(name: $0) }) else { return nil }
      let attempts = delivery["text_attempts"]?.integer ?? 0
      let refusals = delivery["text_refusals"]?.integer ?? 0
      // When it is due says little while something keeps all texts back.
      let held = to == .centre ? time("next_text_at") : nil
      var words = [names.state(delivery, times, heldUntil: held)]
      let last = delivery["last_attempt_at"]?.text.flatMap { WallTime(rfc3339: $0) }
      let counts = [
        attempts > 0 ? "\(attempts) left or may have" : nil,
        refusals > 0 ? "\(refusals) refused" : nil,
      ].compactMap { $0 }
      if !counts.isEmpty || last != nil {
        words.append(
          (counts.isEmpty ? "tried" : counts.joined(separator: ", "))
            + (last.map { ", the last \(times.past($0))" } ?? ""))
      }
      if let error = delivery["last_error"]?.text { words.append(names.shown(error)) }
      let who = names.words(for: to)
      return row(to == .centre ? "texts" : "", "\(who): \(words.joined(separator: "; "))")
    }
  }

  /// Every text that was begun for it.
  private func texts() -> [String] {
    (report["texts"]?.list ?? []).map { text in
      let begun = text["begun_at"]?.text.flatMap { WallTime(rfc3339: $0) }
      let outcome = text["outcome"]?.text ?? ""
      var words = begun.map { "\(times.time($0))  " } ?? ""
      words += outcome == "intent" ? "with the modem" : outcome
      if let recipient = text["to"]?.text.flatMap({ TextRecipient(name: $0) }) {
        words += "  to \(names.words(for: recipient))"
      }
      if let modem = text["modem"]?.text, modem != NodeModem().name { words += "  by \(modem)" }
      let references = (text["message_references"]?.list ?? []).compactMap(\.integer)
      if !references.isEmpty {
        words += "  reference \(references.map(String.init).joined(separator: ", "))"
      }
      if let delivery = text["delivery"]?.text, delivery != "unknown" { words += "  \(delivery)" }
      if let error = text["error"]?.text { words += "  \(error)" }
      if let rule = text["settled_by"]?.text.flatMap({ SettlingRule(rawValue: $0) }) {
        words += "  settled by \(rule.words)"
      }
      return row("text \(text["text_id"]?.integer ?? 0)", words)
    }
  }
}

/// Where passages stand, in words for people.
enum QueueWords {
  /// Characters of an identity that name a passage among those of one post.
  private static let shortLength = 8

  /// The beginning of an identity, which names a passage as well.
  static func shortID(_ client: String) -> String { String(client.prefix(shortLength)) }

  private static func reason(_ report: PassageReport) -> PassageReason? {
    report["state_reason"]?.text.flatMap { PassageReason(rawValue: $0) }
  }

  /// Whether a passage goes nowhere before its time is known.
  private static func isUndated(_ report: PassageReport) -> Bool {
    report["undated"]?.flag == true
  }

  /// What a table adds to the state.
  static func note(_ report: PassageReport, _ times: TimeWords) -> String {
    switch reason(report) {
    case .waitsForText:
      if let refusals = report["text_refusals"]?.integer, refusals > 0 {
        return "text refused \(refusals)x"
      }
      // What keeps all texts may have no end that is known, or one later than its own time.
      if let obstacle = report["next_text_waits_for"]?.text, report["next_text_at"] == nil,
        obstacle != PassageOutlook.unknown
      {
        return obstacle == TextObstacle.online.name ? "for the server" : "text waits"
      }
      let moments = ["text_due_at", "next_text_at"].compactMap { key in
        report[key]?.text.flatMap { WallTime(rfc3339: $0) }
      }
      guard let due = moments.max(), due > times.now else { return "text due" }
      return "text \(times.time(due))"
    case .waitsForServer: return isUndated(report) ? "no time" : "for the server"
    case .beingTexted, .textedBeforeServer, .texted: return "as a text"
    case .beingUploaded: return "to the server"
    case .reportToCome: return "no report yet"
    case .onServer: return "uploaded"
    case .handedOn: return "handed on"
    case .parked: return "on hold"
    case .undelivered: return "undelivered"
    case .textUnknown: return "text unknown"
    case .undated: return "no time"
    case .outdated: return "too old"
    case .notTexted: return "not texted"
    case .refused: return "refused"
    case .conflict: return "conflict"
    case .photoRefused: return "photo refused"
    case .correctionRefused: return "correction refused"
    case .withdrawn: return "withdrawn"
    case .withdrawalWaits: return "withdrawn"
    case .withdrawalRefused: return "withdrawal refused"
    case nil: return ""
    }
  }

  /// The state, why, and what comes next and when.
  static func standing(_ report: PassageReport, hasServer: Bool, _ times: TimeWords) -> String {
    guard let reason = reason(report) else { return report["state"]?.text ?? "" }
    return "\(reason.state.rawValue): " + why(report, reason, hasServer: hasServer, times)
  }

  private static func why(
    _ report: PassageReport, _ reason: PassageReason, hasServer: Bool, _ times: TimeWords
  ) -> String {
    func time(_ text: String?) -> WallTime? { text.flatMap { WallTime(rfc3339: $0) } }
    let texts = (report["texts"]?.list ?? []).filter { $0["to"]?.text == TextRecipient.centre.name }
    switch reason {
    case .waitsForText: return next(report, hasServer: hasServer, times)
    case .beingTexted:
      let begun = time(texts.last { $0["outcome"]?.text == "intent" }?["begun_at"]?.text)
      if let begun { return "its text is with the modem since \(times.time(begun))" }
    case .texted:
      let told = texts.last { $0["outcome"]?.text == "accepted" }?["delivery"]?.text
      switch told.flatMap({ Delivery(rawValue: $0) }) {
      case .delivered: return "its text was delivered"
      case .expired: return "the network took its text; no report of its delivery came"
      default: break
      }
    case .handedOn:
      if let at = time(report["handed_on_at"]?.text) {
        return "marked as handed on at \(times.time(at))"
      }
    case .parked:
      return report["on_hold_reason"]?.text == nil
        ? "its text is on hold: \(report["parked_reason"]?.text ?? "")"
        : "on hold; nothing of it goes until it is tried again"
    case .undelivered, .textUnknown:
      return "\(reason.words); queue retry sends another, queue park leaves it"
    case .refused:
      let text = report["texted"]?.flag == true ? "; its text was taken" : ""
      return reason.words + text
    case .undated: return "\(reason.words); queue date says when it was"
    case .waitsForServer where isUndated(report):
      return "\(PassageReason.undated.words); queue date says when it was"
    case .outdated, .notTexted: return "\(reason.words); queue retry texts it"
    default: break
    }
    return reason.words
  }

  /// When the next text goes, and why not sooner.
  private static func next(
    _ report: PassageReport, hasServer: Bool, _ times: TimeWords
  ) -> String {
    guard let obstacle = report["next_text_waits_for"]?.text else { return "its text goes next" }
    let at = report["next_text_at"]?.text.flatMap { WallTime(rfc3339: $0) }
    switch (at, report["next_text_reason"]?.text) {
    case (let at?, nil):
      return "texted \(times.next(at))" + (hasServer ? ", unless the server answers by then" : "")
    case (let at?, let reason?): return "next text \(times.next(at)): \(reason)"
    case (nil, let reason?) where obstacle == PassageOutlook.unknown: return reason
    case (nil, let reason): return "no text goes: \(reason ?? obstacle)"
    }
  }
}
