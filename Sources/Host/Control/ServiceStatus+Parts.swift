import AT
public import CentralCore
public import Control
import Events
import ModemSession
public import NodeCore
import NodeService
import Passages
import Text
import Time

extension QueueReport {
  /// The store in numbers.
  ///
  /// - Parameter states: what the configuration says of when a passage is done.
  public init(_ overview: StoreOverview, _ states: PassageStates) {
    self.init()
    let counts = states.counts(overview)
    waiting = counts[.waiting]
    sending = counts[.sending]
    sent = counts[.sent]
    done = counts[.done]
    stuck = counts[.stuck]
    oldestWaitingSeconds = overview.oldestWaitingAge?.wholeSeconds
    pending = overview.pending
    inFlight = overview.inFlight
    synced = overview.synced
    failed = overview.failed
    waitingForText = overview.waitingForText
    texted = overview.texted
    undelivered = overview.undelivered
    unknownTexts = overview.unknownTexts
    parked = overview.parked
    undated = overview.undated
    textsLastDay = overview.textsLastDay
    oldestPendingSeconds = overview.oldestPendingAge?.wholeSeconds
    lastTextAt = overview.lastTextAt?.rfc3339
    databaseBytes = overview.databaseBytes
    freeBytes = overview.freeBytes
    isReadOnly = overview.isReadOnly
    textsSending = overview.textsSending
    sendingSince = overview.sendingSince?.rfc3339
  }

  /// Says what the next text waits for, and until when.
  mutating func tellNextText(_ overview: StoreOverview, _ node: NodeSnapshot, at moment: Moment) {
    guard overview.waitingForText > 0, let due = overview.firstTextDue else { return }
    let outlook = node.nextText(due: due, at: moment.boot)
    nextTextWaitsFor = outlook.obstacle?.name
    nextTextReason = outlook.obstacle?.words
    nextTextAt = outlook.until.map { moment.wall(at: $0).rfc3339 }
  }
}

extension BudgetReport {
  /// The budgets of all modems together, and of each.
  init(_ report: NodeReport) {
    self.init()
    let node = report.node
    (minuteUsed, perMinute) = (node.budget(.minute).used, node.budget(.minute).limit)
    (hourUsed, perHour) = (node.budget(.hour).used, node.budget(.hour).limit)
    (dayUsed, perDay) = (node.budget(.day).used, node.budget(.day).limit)
    (monthUsed, perMonth) = (node.budget(.month).used, node.budget(.month).limit)
    worstDay = node.worstDay
    opensInSeconds = node.budgetOpens.flatMap { opens in
      opens.nanoseconds == .max ? nil : (opens - report.time).wholeSeconds
    }
    modems = node.modems.map { modem in
      func remaining(_ window: BudgetWindow) -> Int {
        modem.budget.first { $0.window == window }?.remaining ?? 0
      }
      var left = Modem(name: modem.name)
      left.minuteRemaining = remaining(.minute)
      left.hourRemaining = remaining(.hour)
      left.dayRemaining = remaining(.day)
      left.monthRemaining = remaining(.month)
      return left
    }
  }
}

extension ConnectivityReport {
  /// What the node knows of the server.
  init(_ node: NodeSnapshot, at moment: Moment) {
    func since(_ start: BootInstant?) -> String {
      start.map { " for \(DurationText.format(.seconds((moment.boot - $0).wholeSeconds)))" } ?? ""
    }
    switch node.connectivity {
    case .unknown: self.init(state: "unknown", words: "not known yet")
    case .online: self.init(state: "online", words: "online: the server answers")
    case .impaired(let impairment):
      let words = "there, and takes nothing\(since(node.serverDownSince)): \(impairment.words)"
      self.init(state: "impaired", words: words)
      reason = impairment.name
      self.since = node.serverDownSince.map { moment.wall(at: $0).rfc3339 }
    case .offline(let reason):
      self.init(
        state: "offline", words: "offline\(since(node.offlineSince)): \(reason.words)")
      self.reason = reason.name
      self.since = node.offlineSince.map { moment.wall(at: $0).rfc3339 }
    }
    if case .opens(let at) = node.textGate, at > moment.boot, !node.gateways.isEmpty {
      textsFrom = moment.wall(at: at).rfc3339
    }
  }
}

extension WarningsReport {
  /// What was warned of lately; nil where vehicles are not matched.
  init?(_ report: NodeReport) {
    guard let alerts = report.alerts else { return nil }
    self.init()
    let open = alerts.overdue
    overdue = open.count
    vehicles = open.sorted { $0.entry.recordedAt < $1.entry.recordedAt }.prefix(3).map {
      AlertReport($0)
    }
    overdueSince = open.map(\.entry.recordedAt).min()?.rfc3339
    lastKind = alerts.alerts.last?.kind.rawValue
    lastAt = alerts.alerts.last?.raisedAt.rfc3339
  }
}

extension CentralReport {
  /// The store in numbers.
  public init(_ overview: CentralOverview) {
    self.init()
    posts = overview.posts
    segments = overview.segments
    rangers = overview.rangers
    passages = overview.passages
    inbox = overview.received
    undecodable = overview.undecodable
    duplicates = overview.duplicates
    violations = overview.violations
    alerts = overview.alerts
    judgesAgain = overview.judgesAgain
    heard = overview.heard.map { PostReport($0) }
    databaseBytes = overview.databaseBytes
    freeBytes = overview.freeBytes
  }
}

extension PostReport {
  /// A post as central has heard of it.
  init(_ post: PostHeard) {
    self.init(code: post.code, name: post.name, lastAt: post.lastAt?.rfc3339)
    heardAt = post.heardAt?.rfc3339
    signedInAt = post.signedInAt?.rfc3339
    deviceAt = post.deviceAt?.rfc3339
    deviceWaiting = post.deviceWaiting
    guard let heartbeat = post.heartbeat else { return }
    heartbeatAt = heartbeat.at.rfc3339
    lastNumber = heartbeat.message.lastNumber
    syncedThrough = heartbeat.message.syncedThrough.map { WallTime(epochSeconds: $0).rfc3339 }
    waiting = heartbeat.message.waiting
    missing = post.missing
  }
}

extension ModemReport {
  /// A modem as its driver knows it.
  init(_ status: ModemStatus, role: String) {
    self.init(role: role)
    state = status.state.name
    stateWords = status.state.words
    port = status.port
    registration = status.registration
    canSend = status.canSend
    manufacturer = status.manufacturer
    model = status.model
    revision = status.revision
    profile = status.profile
    imei = status.imei
    imsi = status.imsi
    smsc = status.smsc
    operatorName = status.operatorName
    access = status.access?.rawValue
    accessWords = status.access.map { access in
      access.words + (access.warning.map { ": \($0)" } ?? "")
    }
    supply = status.supply
    signalDBm = status.signalDBm
    storageUsed = status.storageUsed
    storageSize = status.storageSize
    storageLeftovers = status.storageLeftovers
    storages = status.storages.isEmpty ? nil : status.storages.map { StorageReport($0) }
    isDeaf = status.isDeaf ? true : nil
    lastError = status.lastError
  }
}

extension StorageReport {
  /// A storage as the modem's driver knows it.
  init(_ level: StorageLevel) {
    self.init(storage: level.storage)
    used = level.used
    size = level.size
    leftovers = level.leftovers
    undeletable = level.undeletable
  }
}

extension ClockReport {
  /// A comparison, with what the clock showed then.
  init(_ comparison: ClockComparison, clock: WallTime) {
    self.init()
    networkTime = comparison.time.rfc3339
    source = comparison.source.rawValue
    uncertaintySeconds = comparison.uncertainty.wholeSeconds
    aheadSeconds = (clock - comparison.time).wholeSeconds
    verdict = comparison.verdict.name
    words = comparison.problem?.what
  }
}
