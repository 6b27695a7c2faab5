import ArgumentParser
import Control
import EventLoop
import Glibc
import Host
import JSON
import ModemSession
import NodeCore
import NodeSQLite
import Passages
import Settings
import Text
import Time

/// `queue show`.
struct QueueShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one passage with every text sent for it, and what it waits for.")

  @Argument(help: "The passage: its number in the queue, or its client_id or the beginning of it.")
  var passage: String

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let loaded = try settings.load()
    let clocks = SystemClocks()
    let states = PassageStates(loaded.settings)
    let store = try SQLiteNodeStore(readingFrom: loaded.settings.node.database)
    defer { try? store.close() }
    let item = try QueueFields.find(passage, in: store)
    let texts = try store.texts(of: item.queueID)
    let deliveries = try store.textDeliveries(of: item.queueID)
    let alerts = try store.alerts(of: item.passage.clientID)
    let now = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
    // Only for one that waits does it matter what the service is doing.
    let outlook =
      try item.textDue.flatMap { _ in
        PassageOutlook(
          item, texts.toCentre, try ServiceStatus.read(loaded, clocks: clocks), at: now)
      }
    let out = StandardOutput()
    if output.isJSON {
      var object = QueueFields.object(item, states)
      object["alerts"] = .list(
        alerts.map { alert in
          .object([
            "kind": .text(alert.kind.rawValue), "words": .text(alert.words),
            "raised_at": .text(alert.raisedAt.rfc3339),
          ])
        })
      object["texts"] = .list(texts.map { .object(QueueFields.object($0)) })
      object["recipients"] = .list(deliveries.map { .object(QueueFields.object($0, at: now)) })
      // What dates a passage later: how long the machine had been up, in which of its starts.
      let moment = try item.passage.isUndated ? store.bootMoment(of: item.since) : nil
      object["boot_id"] = moment.map { .text($0.bootID) }
      object["boot_seconds"] = moment.map { .integer(($0.time - .zero).wholeSeconds) }
      object["next_text_waits_for"] = outlook?.waitsFor.map { .text($0) }
      object["next_text_reason"] = outlook?.reason.map { .text($0) }
      object["next_text_at"] = outlook?.at.map { .text($0.rfc3339) }
      try out.json(JSONValue.object(object))
    } else {
      let standing = QueueWords.standing(item, texts.toCentre, states, outlook, at: now.wall)
      let names = RecipientNames(loaded.settings)
      var lines = lines(item, texts, alerts, standing, names, at: now.wall)
      for delivery in deliveries where delivery.recipient != .centre {
        lines.append(
          QueueShow.row(
            "", "\(names.words(for: delivery.recipient)): \(names.state(delivery, at: now))"))
      }
      for line in lines {
        for part in QueueShow.wrapped(line) { try out.line(part) }
      }
    }
    try out.flush()
  }

  /// Columns of the names on the left.
  private static let indent = 14

  /// A line as a terminal holds it, what does not fit below the values; as it is for everybody else.
  private static func wrapped(_ line: String) -> [String] {
    guard Terminal.isTerminal(STDOUT_FILENO) else { return [line] }
    let shown = ForeignText.shown(line)
    let name = shown.prefix(indent)
    let parts = LineWrap.lines(
      String(shown.dropFirst(indent)), columns: Terminal.columns(STDOUT_FILENO) - indent)
    return parts.enumerated().map { index, part in
      (index == 0 ? String(name) : String(repeating: " ", count: indent)) + part
    }
  }

  /// A value behind its name.
  private static func row(_ name: String, _ value: String) -> String {
    name + String(repeating: " ", count: max(1, indent - name.count)) + value
  }

  private func lines(
    _ item: QueueItem, _ texts: [TextRecord], _ alerts: [TravelAlert], _ standing: String,
    _ names: RecipientNames, at now: WallTime
  ) -> [String] {
    let clock = LocalClock.ofThisMachine
    let row = QueueShow.row
    var lines = [
      row("number", "\(item.queueID)"), row("client_id", "\(item.passage.clientID)"),
      row("recorded", clock.whole(item.passage.recordedAt)),
      row("post", item.passage.checkpost.code),
      row("plate", "\(item.passage.plate.display)  (as read: \(item.passage.plate.raw))"),
      row("type", item.passage.vehicleType.rawValue), row("text body", item.passage.v1Body),
      row("status", standing), row("uploads", QueueWords.uploads(item)),
      row("texts", QueueWords.texts(item)),
    ]
    if let skew = item.clockSkewSeconds {
      lines.append(
        row(
          "clock",
          "this machine's was \(ClockComparison.span(.seconds(abs(skew))))"
            + " \(skew > 0 ? "ahead of" : "behind") the server's when it was recorded"))
    }
    for alert in alerts {
      lines.append(row("warning", "\(clock.text(alert.raisedAt, seenFrom: now))  \(alert.words)"))
    }
    if let reason = item.parkedReason { lines.append(row("set aside", reason)) }
    if item.priority != RecordRequest.standardPriority {
      lines.append(row("priority", "\(item.priority)"))
    }
    for text in texts {
      var words = "\(clock.text(text.begunAt, seenFrom: now))  "
      words += text.outcome == "intent" ? "with the modem" : text.outcome
      if let recipient = text.to { words += "  to \(names.words(for: recipient))" }
      if let modem = text.modemName, modem != NodeModem().name { words += "  by \(modem)" }
      if !text.references.isEmpty {
        words += "  reference \(text.references.map(String.init).joined(separator: ", "))"
      }
      if let delivery = text.delivery { words += "  \(delivery.rawValue)" }
      if let error = text.error { words += "  \(error)" }
      if let rule = text.settledBy { words += "  settled by \(rule.words)" }
      lines.append(row("text \(text.id)", words))
    }
    return lines
  }
}

/// Where passages stand, in words for people.
enum QueueWords {
  /// Characters of an identity that name a passage among those of one post.
  private static let shortLength = 8

  /// The beginning of an identity, which names a passage as well.
  static func shortID(_ client: ClientID) -> String {
    String(client.description.prefix(shortLength))
  }

  /// What a table adds to the state.
  static func note(_ item: QueueItem, _ reason: PassageReason, at now: Moment) -> String {
    switch reason {
    case .waitsForText:
      if item.refusals > 0 { return "refused \(item.refusals)x" }
      guard let due = item.textDue, due > now.boot else { return "due" }
      return "from \(LocalClock.ofThisMachine.text(now.wall(at: due), seenFrom: now.wall))"
    case .waitsForServer: return "for the server"
    case .beingTexted, .textedBeforeServer, .texted: return "as a text"
    case .beingUploaded: return "to the server"
    case .reportToCome: return "no report yet"
    case .onServer: return "uploaded"
    case .handedOn: return "handed on"
    case .parked: return "set aside"
    case .undelivered: return "undelivered"
    case .textUnknown: return "text unknown"
    case .undated: return "no time"
    case .outdated: return "too old"
    case .notTexted: return "not texted"
    }
  }

  /// The state, why, and what comes next and when.
  static func standing(
    _ item: QueueItem, _ texts: [TextRecord], _ states: PassageStates, _ outlook: PassageOutlook?,
    at now: WallTime
  ) -> String {
    let reason = states.reason(of: item)
    return "\(reason.state.rawValue): " + why(item, texts, reason, states, outlook, at: now)
  }

  private static func why(
    _ item: QueueItem, _ texts: [TextRecord], _ reason: PassageReason, _ states: PassageStates,
    _ outlook: PassageOutlook?, at now: WallTime
  ) -> String {
    func time(_ moment: WallTime) -> String {
      LocalClock.ofThisMachine.text(moment, seenFrom: now)
    }
    switch reason {
    case .waitsForText: return next(outlook, states, time)
    case .beingTexted:
      guard let begun = texts.last(where: { $0.outcome == "intent" })?.begunAt else { break }
      return "its text is with the modem since \(time(begun))"
    case .texted:
      switch texts.last(where: { $0.outcome == "accepted" })?.delivery {
      case .delivered: return "its text was delivered"
      case .expired: return "the network took its text; no report of its delivery came"
      default: break
      }
    case .handedOn:
      guard let at = item.handedOnAt else { break }
      return "marked as handed on at \(time(at))"
    case .parked: return "set aside; queue retry takes it up again"
    case .undelivered, .textUnknown:
      return "\(reason.words); queue retry sends another, queue park leaves it"
    case .undated, .outdated, .notTexted:
      let help = reason == .undated ? "queue date says when it was" : "queue retry texts it"
      return "\(reason.words); \(help)"
    default: break
    }
    return reason.words
  }

  /// When the next text goes, and why not sooner.
  private static func next(
    _ outlook: PassageOutlook?, _ states: PassageStates, _ time: (WallTime) -> String
  ) -> String {
    guard let outlook, let obstacle = outlook.waitsFor else { return "its text goes next" }
    switch (outlook.at, outlook.reason) {
    case (let at?, nil):
      return "texted from \(time(at))"
        + (states.hasServer ? ", unless the server answers by then" : "")
    case (let at?, let reason?): return "next text \(time(at)): \(reason)"
    case (nil, let reason?) where obstacle == PassageOutlook.unknown: return reason
    case (nil, let reason): return "no text goes: \(reason ?? obstacle)"
    }
  }

  /// What came of uploads.
  static func uploads(_ item: QueueItem) -> String {
    let words = item.attempts == 0 ? "none" : "\(item.attempts) failed"
    guard let error = item.lastError else { return words }
    return item.status == .synced ? words : "\(words), the last: \(error)"
  }

  /// What came of texts.
  static func texts(_ item: QueueItem) -> String {
    let counts = [
      item.textAttempts > 0 ? "\(item.textAttempts) left or may have" : nil,
      item.refusals > 0 ? "\(item.refusals) refused" : nil,
    ].compactMap { $0 }
    return counts.isEmpty ? "none" : counts.joined(separator: ", ")
  }
}
