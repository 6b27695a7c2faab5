public import Events
import Storage
import Text
import Time

/// What somebody has to know of a node: the rules of its alarms, as functions of facts.
public struct NodeProblems: Sendable {
  let facts: NodeFacts
  let moment: Moment

  /// The problems of a node of which `facts` were known at `moment`.
  public init(_ facts: NodeFacts, at moment: Moment) {
    self.facts = facts
    self.moment = moment
  }

  /// All that is known to be wrong, and what is overdue without a reason that stands beside it.
  ///
  /// - Parameter others: Problems that are known of beside these, of the same node.
  public func all(beside others: [Problem] = []) -> [Problem] {
    let found = ofTheService + others + ofTheQueue
    return found + overdue(beside: found)
  }

  /// What keeps the node from working: its store, its modems.
  public var ofTheService: [Problem] {
    var problems = [store].compactMap { $0 }
    if let node = facts.node {
      problems += node.modems.flatMap { modem in
        ofModem(modem, named: node.modems.count > 1 ? "modem \(modem.name)" : "the modem")
      }
      problems += ofTheServer(node)
      problems += ofTexts(node)
      if facts.unstored > 0 {
        problems.append(
          Problem(
            "events_unstored", .warning, "\(facts.unstored) events wait for the database",
            remedy: "see `checkpost log`", since: facts.failure.map { wall($0.since) }))
      }
    }
    return problems
  }

  /// What is wrong with the queue and where it lies, known from the store alone.
  public var ofTheQueue: [Problem] {
    guard let overview = facts.overview else { return [] }
    return ofUploads(overview)
      + [
        texts(
          "text_undelivered", overview.undelivered, since: overview.undeliveredSince,
          "undelivered", "text was, as the network reports, not delivered"),
        texts(
          "text_unknown", overview.unknownTexts, since: overview.unknownSince, "unknown",
          "text may have left or not"),
        refusedTexts(overview), stuck(overview), undated(overview), room(overview), ballast(),
        capacity(overview), leftOut(overview),
        overview.salvage.map { salvage in
          Problem("store_salvaged", .critical, salvage.words, remedy: StoreSalvage.remedy)
        },
      ].compactMap { $0 }
  }

  func wall(_ instant: BootInstant) -> WallTime { moment.wall(at: instant) }

  private var store: Problem? {
    let failure = facts.failure
    guard let error = failure?.error ?? facts.unreadable else { return nil }
    let isUnreadable = facts.unreadable != nil
    var remedy = "\(error.remedy)."
    if let copy = failure?.savedCopy { remedy += " \(NodeFacts.words(forCopy: copy))" }
    return Problem(
      isUnreadable ? "store_unreadable" : "store_failing", .critical,
      (isUnreadable ? "the node's database cannot be used: " : "nothing is stored or texted: ")
        + "\(error.problem).", remedy: remedy, since: failure.map { wall($0.since) })
  }

  private func ofModem(_ modem: NodeSnapshot.Modem, named name: String) -> [Problem] {
    var problems: [Problem] = []
    if let until = modem.holdUntil, until > moment.boot, let reason = modem.holdReason {
      problems.append(
        Problem(
          "modem_held", modem.needsOperator ? .critical : .warning, of: modem.name,
          "\(name): sending paused for \((until - moment.boot).wholeSeconds) s: \(reason)",
          remedy: modem.needsOperator
            ? "look at the modem, its card or its account" : "it goes on by itself",
          since: modem.holdSince.map(wall), until: wall(until)))
    }
    if modem.isCreditSuspected {
      problems.append(
        Problem(
          "no_credit_suspected", .critical, of: modem.name, "\(name) may have no credit",
          remedy: "ask with `checkpost modem ussd`, and top it up",
          since: modem.creditSuspectedSince.map(wall)))
    }
    return problems
  }

  private func texts(
    _ name: String, _ count: Int, since: BootInstant?, _ status: String, _ words: String
  ) -> Problem? {
    guard count > 0 else { return nil }
    return Problem(
      name, .critical,
      "\(count) passage\(count == 1 ? "" : "s") whose \(words): nothing more is sent by itself",
      count: count,
      remedy:
        "see `checkpost queue list --status \(status)`, and queue retry or queue park each",
      since: since.map(wall))
  }

  /// Passages that were recorded by a clock that was late or had not been set, or whose time lies ahead of it.
  private func undated(_ overview: StoreOverview) -> Problem? {
    let count = overview.undated
    guard count > 0 else { return nil }
    return Problem(
      "passages_undated", .warning,
      "\(count) passage\(count == 1 ? "" : "s") without a time, recorded by a clock that was late or had not"
        + " been set, or typed with a time that is still to come: kept, and sent once the time is known",
      count: count,
      remedy:
        "set the clock (timedatectl) if it is late; say by `checkpost queue date` when those were that"
        + " were typed wrongly or are of before a power cut",
      since: overview.undatedSince.map(wall))
  }

  /// That there is nothing to fall back on when the disk is full.
  private func ballast() -> Problem? {
    guard facts.hasBallast == false else { return nil }
    return Problem(
      "ballast_missing", .warning,
      "no space is held back for the time that the disk of the node's database is full: it was used, or"
        + " there is too little", remedy: "make room on that disk")
  }

  /// That the file system takes no other passage.
  func room(_ overview: StoreOverview) -> Problem? {
    if overview.isReadOnly {
      return Problem(
        "disk_read_only", .critical,
        "the disk of the node's database is read-only, so no passage is recorded",
        remedy: "look at the kernel's log, and mount it read-write again")
    }
    guard let free = overview.freeBytes, free < facts.reserveBytes else { return nil }
    return Problem(
      "disk_full", .critical,
      "\(ByteCountText.format(free)) are free where the node's database lies, so passages may be refused",
      remedy: "make room on that disk")
  }
}

extension NodeFacts {
  /// Where what the store held is, and how it is handed on.
  static func words(forCopy copy: String) -> String {
    "All that it held is in \(copy): `checkpost queue export` with CHECKPOST_NODE_DATABASE set to that"
      + " hands it on."
  }
}

extension NodeFacts.StoreFailure {
  /// What is wrong with the store, what to do, and where what it held is.
  public var words: String {
    guard let savedCopy else { return error.message }
    return "\(error.message) \(NodeFacts.words(forCopy: savedCopy))"
  }
}
