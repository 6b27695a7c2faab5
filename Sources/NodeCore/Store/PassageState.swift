import Passages

/// How a passage stands, in the words of people: of its way to the server and as a text together.
public enum PassageState: String, CaseIterable, Hashable, Sendable {
  /// It waits for its turn.
  case waiting
  /// It is with a modem, or on its way to the server.
  case sending
  /// The network took its text; the report of its delivery, or the server, is still to come.
  case sent
  /// Nothing more is to be done for it.
  case done
  /// Nothing more is done for it until somebody decides.
  case stuck
}

/// What the configuration says of when a passage is done.
public struct PassageStates: Hashable, Sendable {
  /// Whether there is a server that every passage is to reach.
  public var hasServer: Bool
  /// Whether the network is asked what became of each text.
  public var awaitsReports: Bool

  /// States under a configuration.
  public init(hasServer: Bool, awaitsReports: Bool) {
    self.hasServer = hasServer
    self.awaitsReports = awaitsReports
  }

  /// How a passage stands, and for what reason.
  public func reason(of item: QueueItem) -> PassageReason { reason(of: PassageFacts(item)) }

  /// How a passage stands, by all that is known of it.
  public func reason(of facts: PassageFacts) -> PassageReason {
    if facts.isWithdrawn { return withdrawn(facts) }
    if hasServer {
      if facts.status == .synced, !facts.isOnHold {
        if facts.isCorrectionRefused { return .correctionRefused }
        if facts.isPhotoRefused { return .photoRefused }
      }
      if facts.isRefused, facts.status == .failed, !facts.isHandedOn, !facts.hasOpenText,
        !facts.isOnHold
      {
        return facts.hasOpenConflict ? .conflict : .refused
      }
    }
    if facts.isOnHold, facts.isOpen, !facts.isHandedOn, !facts.hasOpenText { return .parked }
    return ordinaryReason(of: facts)
  }

  private func withdrawn(_ facts: PassageFacts) -> PassageReason {
    guard hasServer, let withdrawal = facts.withdrawal, withdrawal != .synced else {
      return .withdrawn
    }
    // What the server refused it does not have, unless a text brought it there.
    if facts.isRefused, facts.status == .failed {
      return facts.isTexted ? .withdrawalRefused : .withdrawn
    }
    return withdrawal == .refused ? .withdrawalRefused : .withdrawalWaits
  }

  /// How a passage stands that nobody decided anything of and the server refused nothing of: what the tallies
  /// of the store count.
  func ordinaryReason(of item: PassageFacts) -> PassageReason {
    if item.status == .synced { return .onServer }
    if item.status == .inFlight { return .beingUploaded }
    if item.isHandedOn { return .handedOn }
    if item.hasOpenText { return .beingTexted }
    if item.isTexted, !item.isUndelivered {
      if hasServer { return .textedBeforeServer }
      return awaitsReports && item.isReportOpen ? .reportToCome : .texted
    }
    if item.isParked { return .parked }
    if item.isUndelivered { return .undelivered }
    if item.isTextDue { return .waitsForText }
    if item.hasTextAttempts { return .textUnknown }
    if hasServer { return .waitsForServer }
    if item.isUndated { return .undated }
    return item.isOutdated ? .outdated : .notTexted
  }

  /// The part of the queue that holds every passage of a state; nil where that is all of it. It may hold
  /// others too.
  public func subset(holding state: PassageState) -> QueueSubset? {
    switch state {
    case .waiting: hasServer ? .open : .textDue
    case .sending: .sending
    case .sent: .unsynced
    case .stuck: .open
    case .done: nil
    }
  }

  /// How many passages of a store stand so.
  public func counts(_ overview: StoreOverview) -> [PassageState: Int] {
    let reports = hasServer || !awaitsReports ? 0 : overview.reportsToCome
    let sent = hasServer ? overview.textedLive : reports
    let done =
      overview.synced + overview.handedOn + (hasServer ? 0 : overview.textedLive - reports)
    let sending = overview.passagesSending + overview.inFlight
    let all = overview.pending + overview.inFlight + overview.synced + overview.failed
    let rest = max(0, all - sent - done - sending)
    // With a server, what is not stuck waits for it at least.
    let waiting =
      hasServer
      ? max(0, rest - overview.parkedLive - overview.undelivered - overview.unknownTexts)
      : min(rest, overview.waitingForText)
    var counts: [PassageState: Int] = [
      .waiting: waiting, .sending: sending, .sent: sent, .done: done, .stuck: rest - waiting,
    ]
    // The tallies know nothing of what a person decided and of what the server refused.
    for (facts, count) in overview.decided {
      var counted = facts
      if facts.isWithdrawn, !facts.isTexted || facts.isUndelivered {
        // Nobody has to see to its texts any more.
        (counted.isTexted, counted.isUndelivered, counted.hasTextAttempts) = (false, false, false)
      }
      counts[ordinaryReason(of: counted).state, default: 0] -= count
      counts[reason(of: facts).state, default: 0] += count
    }
    return counts.mapValues { max(0, $0) }
  }
}

/// Why a passage stands as it does.
public enum PassageReason: String, CaseIterable, Hashable, Sendable {
  /// It is or will be due for a text.
  case waitsForText = "waits_for_text"
  /// It is not to be texted, and waits for the server.
  case waitsForServer = "waits_for_server"
  /// A text for it is with a modem.
  case beingTexted = "being_texted"
  /// It is being sent to the server.
  case beingUploaded = "being_uploaded"
  /// The network took its text, and what became of that is still to be reported.
  case reportToCome = "report_to_come"
  /// The network took its text; the server does not have it yet.
  case textedBeforeServer = "texted_before_server"
  /// The network took its text, and nothing more is waited for.
  case texted
  /// The server has it.
  case onServer = "on_server"
  /// Somebody marked it as handed on.
  case handedOn = "handed_on"
  /// It is set aside.
  case parked
  /// The network has reported of every text that it was not delivered.
  case undelivered
  /// Nobody knows whether its text left.
  case textUnknown = "text_unknown"
  /// Nobody knows when it was.
  case undated
  /// It has grown too old for a text.
  case outdated
  /// No text is due for it, for a reason of before.
  case notTexted = "not_texted"
  /// The server refuses it for good, or the rules try no more.
  case refused
  /// The server has something else under its identity.
  case conflict
  /// The server has it, and refuses its photograph for good.
  case photoRefused = "photo_refused"
  /// The server has it, and refuses its correction for good.
  case correctionRefused = "correction_refused"
  /// It was withdrawn, and nobody has to be told any more.
  case withdrawn
  /// It was withdrawn, and the server is still to be told.
  case withdrawalWaits = "withdrawal_waits"
  /// It was withdrawn, and the server refuses to take that.
  case withdrawalRefused = "withdrawal_refused"

  /// How a passage stands for that reason.
  public var state: PassageState {
    switch self {
    case .waitsForText, .waitsForServer, .withdrawalWaits: .waiting
    case .beingTexted, .beingUploaded: .sending
    case .reportToCome, .textedBeforeServer: .sent
    case .texted, .onServer, .handedOn, .withdrawn: .done
    case .parked, .undelivered, .textUnknown, .undated, .outdated, .notTexted, .refused, .conflict,
      .photoRefused, .correctionRefused, .withdrawalRefused:
      .stuck
    }
  }

  /// The reason in words.
  public var words: String {
    switch self {
    case .waitsForText: "waits to be texted"
    case .waitsForServer: "waits for the server"
    case .beingTexted: "its text is with a modem"
    case .beingUploaded: "on its way to the server"
    case .reportToCome: "the network took its text; a report of its delivery is still to come"
    case .textedBeforeServer: "the network took its text; the server does not have it yet"
    case .texted: "the network took its text"
    case .onServer: "the server has it"
    case .handedOn: "marked as handed on"
    case .parked: "on hold"
    case .undelivered: "the network reports that its text was not delivered"
    case .textUnknown: "nobody knows whether its text left"
    case .undated: "its time is not known yet; it is sent once it is"
    case .outdated: "too old to be texted by itself"
    case .notTexted: "not to be texted"
    case .refused: "its upload was given up for good"
    case .conflict: "the server has something else under its identity"
    case .photoRefused: "the server has it, and its photograph was given up for good"
    case .correctionRefused: "the server has it as it was, and its correction was given up for good"
    case .withdrawn: "withdrawn: it never was"
    case .withdrawalWaits: "withdrawn; the server is still to be told"
    case .withdrawalRefused: "withdrawn, and the server does not take that"
    }
  }
}

/// What decides how a passage stands.
public struct PassageFacts: Hashable, Sendable {
  /// Where it stands on its way to the server.
  public var status: QueueStatus
  /// Whether somebody handed it on by another way.
  public var isHandedOn = false
  /// Whether a text for it is with a modem.
  public var hasOpenText = false
  /// Whether a text for it was accepted.
  public var isTexted = false
  /// Whether none of the accepted texts arrived.
  public var isUndelivered = false
  /// Whether its text to central is on hold.
  public var isParked = false
  /// Whether it is or will be due for a text.
  public var isTextDue = false
  /// Whether a text of it is or may be on air.
  public var hasTextAttempts = false
  /// Whether nobody knows when it was.
  public var isUndated = false
  /// Whether it has grown too old for a text.
  public var isOutdated = false
  /// Whether a report of its text may still come.
  public var isReportOpen = false
  /// Whether its upload was given up for good.
  public var isRefused = false
  /// Whether the server has something else under its identity.
  public var hasOpenConflict = false
  /// Whether its photograph was given up for good.
  public var isPhotoRefused = false
  /// Whether its last correction was given up for good.
  public var isCorrectionRefused = false
  /// Whether somebody put all of it on hold.
  public var isOnHold = false
  /// Whether it was withdrawn.
  public var isWithdrawn = false
  /// How far the server knows that.
  public var withdrawal: WithdrawalStanding?

  /// What is known of a passage that was just recorded.
  public init(_ status: QueueStatus) {
    self.status = status
  }

  /// What is known of a passage.
  public init(_ item: QueueItem) {
    status = item.status
    isHandedOn = item.handedOnAt != nil
    hasOpenText = item.hasOpenText
    isTexted = item.isTexted
    isUndelivered = item.isUndelivered
    isParked = item.parkedReason != nil
    isTextDue = item.textDue != nil
    hasTextAttempts = item.textAttempts > 0
    isUndated = item.passage.isUndated
    isOutdated = item.isOutdated
    isReportOpen = item.isReportOpen
    isRefused = item.isRefused
    hasOpenConflict = item.hasOpenConflict
    isPhotoRefused = item.isPhotoRefused
    isCorrectionRefused = item.isCorrectionRefused
    isOnHold = item.onHoldReason != nil
    isWithdrawn = item.withdrawnAt != nil
    withdrawal = item.withdrawal
  }

  /// Whether it has not come to the server and is not on its way there.
  var isOpen: Bool { status == .pending || status == .failed }
}
