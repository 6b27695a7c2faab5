import GSM
public import Storage
import Time

extension NodeTransaction {
  /// Keeps something received, before the modem is told to delete it, and notes what a status report
  /// says at the text it is about. What the network hands over twice is kept once, and counted.
  public func keep(_ entry: InboxEntry, at moment: Moment) throws(StorageError) -> KeepOutcome {
    var entry = entry
    // Two modems may well get the same: their texts to one number, sent in one second, have reports
    // that differ in nothing.
    if let modem = entry.modem { entry.identity += "@" + modem }
    if try countAgain(entry.identity, since: moment.boot - Limits.duplicatesWithin) {
      return .known
    }
    var matched: MatchedReport?
    if case .statusReport(let report) = entry.content {
      matched = try match(report, from: entry.modem, received: moment, at: moment)
    }
    try insert(entry, about: matched?.textID, at: moment)
    if let matched, matched.resolved {
      // What is known of one text may tell which one an earlier report was about.
      _ = try matchWaitingReports(from: entry.modem, at: moment)
    }
    return .kept(textID: matched?.textID, resolved: matched?.resolved ?? false)
  }

  /// Hands reports that came before the outcome of a text to it, now that the outcome is there.
  ///
  /// - Returns: each report with what it is about.
  public func matchReports(
    ofTextBy modem: String, at moment: Moment
  ) throws(StorageError) -> [MatchedReport] {
    try matchWaitingReports(from: modem, at: moment)
  }

  private func matchWaitingReports(
    from modem: String?, at moment: Moment
  ) throws(StorageError) -> [MatchedReport] {
    var matched: [MatchedReport] = []
    var isDone = false
    while !isDone {
      isDone = true
      let waiting = try waitingReports(
        by: modem, since: moment.boot - Limits.reportsWait, limit: Limits.openReports)
      for one in waiting.reversed() {
        guard let found = try match(one.report, from: modem, received: one.received, at: moment)
        else { continue }
        try apply(.matched(one.id, found.textID), at: moment)
        matched.append(found)
        if found.resolved { isDone = false }
      }
    }
    return matched
  }

  /// Finds the text of a report, and notes what the report says unless something final is known.
  private func match(
    _ report: StatusReport, from modem: String?, received: Moment, at moment: Moment
  ) throws(StorageError) -> MatchedReport? {
    guard let newest = try newestText() else { return nil }
    // Without a time of its own nothing is compared.
    let readings =
      report.takenAt == nil
      ? []
      : try centreReadings(
        by: modem, without: report.reference, receivedAt: received.boot,
        reach: Limits.centreReach, limit: Limits.centreReports)
    let received = ReceivedReport(report, from: modem, at: received, readings: readings)
    var search = TextSearch(
      modem: modem, recipientTail: report.recipientTail, after: newest - Limits.reportReach,
      limit: Limits.sameReference)
    let parts = try sentParts(report.reference, of: search, onlyOpen: true)
    if let own = received.own(among: parts) {
      try apply(.reported(report, own.textID, part: own.part), at: moment)
      return MatchedReport(textID: own.textID, report: report, resolved: false)
    }
    // One that is repeated about a text of which the end is known tells nothing about any other.
    search.after = newest - Limits.references
    let known = try sentParts(report.reference, of: search, onlyOpen: false)
    search.after = newest - Limits.unknownReach
    search.limit = Limits.openReports
    guard received.own(among: known) == nil, let (id, rule) = try settled(by: received, search)
    else { return nil }
    try apply(.outcome(id, .accepted(references: [report.reference]), .texted), at: moment)
    try apply(.settled(id, rule), at: moment)
    try apply(.reported(report, id, part: 1), at: moment)
    return MatchedReport(textID: id, report: report, resolved: true, rule: rule)
  }

  /// The text without a reference that a report is about, and by what that was found out; nil when it
  /// is about none, or when it might be about several.
  private func settled(
    by received: ReceivedReport, _ search: TextSearch
  ) throws(StorageError) -> (TextID, SettlingRule)? {
    var texts: [UnsettledText] = []
    for text in try unsettledTexts(search) {
      texts.append(
        UnsettledText(
          text, tail: search.recipientTail,
          around: try references(around: text.id, by: search.modem)))
    }
    switch received.settlement(among: texts) {
    case .text(let id, let rule): return (id, rule)
    case .none: return nil
    case .askNewest: break
    }
    guard let last = try newestText(by: search.modem, after: search.after),
      UnsettledText.State(last, tail: search.recipientTail) == .doubtful,
      received.proves(
        UnsettledText(
          last, tail: search.recipientTail,
          around: try references(around: last.id, by: search.modem)))
    else { return nil }
    return (last.id, .doubtfulRefusal)
  }
}

extension UnsettledText {
  init(_ text: SentText, tail: String, around: ReferencesAround) {
    self.init(
      id: text.id, state: State(text, tail: tail), begun: text.begun, around: around)
  }
}

extension UnsettledText.State {
  /// Why nobody knows the reference of a text, for a report about the number that ends so.
  init(_ text: SentText, tail: String) {
    self =
      switch (text.state, text.refusal) {
      case (.intent, _): .open
      case (.unknown, _): .unknown
      case (.refused, .soon), (.refused, .later): text.recipientTail == tail ? .doubtful : .settled
      default: .settled
      }
  }
}
