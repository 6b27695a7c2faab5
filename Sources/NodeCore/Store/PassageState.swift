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
  public func reason(of item: QueueItem) -> PassageReason {
    if item.status == .synced { return .onServer }
    if item.status == .inFlight { return .beingUploaded }
    if item.handedOnAt != nil { return .handedOn }
    if item.hasOpenText { return .beingTexted }
    if item.isTexted, !item.isUndelivered {
      if hasServer { return .textedBeforeServer }
      return awaitsReports && item.isReportOpen ? .reportToCome : .texted
    }
    if item.parkedReason != nil { return .parked }
    if item.isUndelivered { return .undelivered }
    if item.textDue != nil { return .waitsForText }
    if item.textAttempts > 0 { return .textUnknown }
    if hasServer { return .waitsForServer }
    if item.passage.isUndated { return .undated }
    return item.isOutdated ? .outdated : .notTexted
  }

  /// The part of the queue that holds every passage of a state; nil where that is all of it. It may hold
  /// others too.
  public func subset(holding state: PassageState) -> QueueSubset? {
    switch state {
    case .waiting: hasServer ? .unsynced : .textDue
    case .sending: .sending
    case .sent, .stuck: .unsynced
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
    return [
      .waiting: waiting, .sending: sending, .sent: sent, .done: done, .stuck: rest - waiting,
    ]
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

  /// How a passage stands for that reason.
  public var state: PassageState {
    switch self {
    case .waitsForText, .waitsForServer: .waiting
    case .beingTexted, .beingUploaded: .sending
    case .reportToCome, .textedBeforeServer: .sent
    case .texted, .onServer, .handedOn: .done
    case .parked, .undelivered, .textUnknown, .undated, .outdated, .notTexted: .stuck
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
    case .parked: "set aside"
    case .undelivered: "the network reports that its text was not delivered"
    case .textUnknown: "nobody knows whether its text left"
    case .undated: "its time is not known yet; it is sent once it is"
    case .outdated: "too old to be texted by itself"
    case .notTexted: "not to be texted"
    }
  }
}
