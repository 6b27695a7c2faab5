import Control
public import EventLoop
import Events
import GSM
import JSON
import Log
import ModemDiscovery
import ModemDriver
import ModemSession
public import NodeCore
public import NodeSQLite
public import NodeService
import Passages
import PhotoFiles
import SQLiteFile
import ServerHTTP
public import Settings
import Storage
import Synchronization
import Time

/// The role of a node in the running service: its store, its decisions, its modems and its line to
/// the server, joined.
public final class NodeRole: Sendable {
  /// Its decisions, at work.
  public let service: NodeService
  /// Its modems in the order of the configuration.
  let modems: [ModemRole]
  private let line: ServerLine
  private let secrets: SecretWatch
  /// Its store.
  public let store: SQLiteNodeStore
  /// Its photographs.
  let photos: PhotoDesk
  /// What members of the group put down while it did not run.
  let spool: SpoolDesk
  private let lock: ServiceLock
  private let waiting = WaitingTexts()
  private let states: PassageStates
  private let alertCommand: AlertCommand
  private let capacity: Int64
  private let log: ServiceLog
  let clocks: any Clocks

  /// Opens the store and joins the parts; nothing runs yet.
  ///
  /// - Throws: What is wrong with the store, or with the settings.
  public init(_ loaded: LoadedSettings, _ context: RoleContext) throws {
    let log = context.log
    self.log = log
    clocks = context.clocks
    let settings = loaded.settings
    lock = try ServiceLock(forStoreAt: settings.node.database)
    store = try SQLiteNodeStore(
      path: settings.node.database, bootID: SystemClocks.bootIdentity(),
      ballastBytes: Int64(settings.storage.ballast), salvages: true)
    NodeRole.tell(of: store, log, context.clocks)
    photos = PhotoDesk(PhotoDirectory(settings), of: store, clocks: context.clocks)
    states = PassageStates(settings)
    capacity = Int64(settings.storage.capacity)
    let node = LateBound<NodeService>()
    var modems: [ModemRole] = []
    for (index, named) in settings.nodeModems.enumerated() {
      guard let selector = PortSelector(named.modem) else { continue }
      let name = settings.modems.isEmpty ? nil : named.name
      let pin = try loaded.pin(of: named)
      modems.append(
        try ModemRole(
          role: "node", name: name,
          configuration: ModemConfiguration(named.modem, at: selector, pin: pin),
          selector: selector,
          hooks: ModemHooks(
            named.modem, name: name.map { "node-\($0)" } ?? "node", pin: pin,
            directory: ModemHooks.directory(ofStoreAt: settings.node.database),
            clocks: context.modemClocks,
            log: log),
          clocks: context.modemClocks, log: log,
          onEvent: { event in node.object?.post(.modem(ModemID(index), event)) }))
    }
    self.modems = modems
    secrets = try SecretWatch(loaded, node: node, log: log, clocks: context.clocks)
    line = secrets.serverLine
    alertCommand = AlertCommand(
      settings.node.alertCommand, clocks: context.clocks, log: { log.record($0) })
    var random = SystemRandomNumberGenerator()
    service = try NodeService(
      store: store, settings: secrets.nodeSettings, seed: random.next(),
      clocks: context.clocks, localClock: .ofThisMachine,
      ports: NodePorts(
        modem: { [modems] id, request in
          if modems.indices.contains(id.index) { modems[id.index].post(request) }
        },
        call: { [line, secrets] id, call, token in
          secrets.look()
          line.call(call, token: token) { reply in node.object?.post(.answered(id, reply)) }
        },
        link: { [line, secrets] in
          secrets.look()
          return line.link()
        }, linkNews: NodeRole.linkNews(log, context.clocks),
        removePhotos: { [photos] in photos.remove($0) },
        alert: { [alertCommand] in alertCommand.run($0) },
        log: { log.record($0) }))
    node.object = service
    let post = settings.node.checkpost
    spool = SpoolDesk(
      Spool(settings.spoolDirectory), into: service, nodeClock: store.clock,
      checkpost: { post }, log: log, clocks: context.clocks)
    sweepPhotos()
  }

  /// Tells what it took to open the store.
  private static func tell(of store: SQLiteNodeStore, _ log: ServiceLog, _ clocks: any Clocks) {
    if let salvage = store.salvage {
      log.record(
        Event(
          "store_salvaged", .error, at: clocks.wall(),
          words: "\(salvage.words): \(StoreSalvage.remedy)",
          fields: [
            EventField("passages", .integer(Int64(salvage.passages)))
          ]))
    }
    if store.neededBallast {
      log.record(
        Event(
          "ballast_dropped", .error, at: clocks.wall(),
          words:
            "the disk of the node's database is full: the service started with the space held back"
            + " for that; make room on that disk"))
    }
  }

  /// Removes photographs that belong to no passage, now and then.
  private func sweepPhotos() {
    photos.sweepNowAndThen(store) { [log, clocks] removed in
      log.record(
        Event(
          "photos_swept", .info, at: clocks.wall(),
          words:
            "\(removed) photograph\(removed == 1 ? "" : "s") removed that belong to no passage",
          fields: [EventField("photos", .integer(Int64(removed)))]))
    }
  }

  /// What tells that the link may have changed; nil, and told of, where the system does not allow it.
  private static func linkNews(_ log: ServiceLog, _ clocks: any Clocks) -> NetlinkSocket? {
    do {
      return try NetlinkSocket()
    } catch {
      log.record(
        Event(
          "link_polled", .info, at: clocks.wall(),
          words: "the network link is read every few seconds: \(error.problem)",
          fields: [EventField("error", .text(error.problem))]))
      return nil
    }
  }

  /// The parts of the role, in the order in which they start; they end in the other one.
  public var parts: [any ServicePart] {
    modems + [service]
  }

  /// Gives back what was opened, after the services have ended.
  public func close() {
    line.end()
    alertCommand.end()
    photos.finish()
    spool.finish()
    try? store.close()
    lock.release()
  }

  /// Whether its database is the one that is known by this.
  func keeps(_ database: String) -> Bool {
    RecordMessage.isKnown(database, as: store.path)
  }

  /// Sends an operator's own text: outside the queue, and within the budget.
  ///
  /// - Parameter name: What whoever asks calls it, to withdraw it by.
  func send(
    _ body: String, to number: String, by modem: ModemRole, named name: String?,
    _ reply: ControlReply
  ) {
    guard let parts = modem.parts(of: body, to: number, reply) else { return }
    let index = modems.firstIndex { $0 === modem }
    let id = service.sendText(
      to: number, body: body, parts: parts, modem: index.map { ModemID($0) },
      whenDone: { [waiting] answer in
        if let name { waiting.ended(name) }
        ModemFields.answer(answer, reply)
      })
    if let name, let id { waiting.began(name, id) }
  }

  /// Withdraws a text that waits under this name; false when none does.
  func withdraw(_ name: String) -> Bool {
    guard let id = waiting.id(of: name) else { return false }
    service.withdrawText(id)
    return true
  }

  /// What rangers have to be warned of about these passages, as it stands now.
  func alerts(of clients: [ClientID]) -> [TravelAlert] {
    guard let alerts = service.report?.alerts?.alerts, !alerts.isEmpty else { return [] }
    let asked = Set(clients)
    return alerts.filter { alert in alert.exit.map { asked.contains($0.clientID) } ?? false }
  }

  /// What rangers are warned of, with the plates: for the group.
  func warnings(onlyOpen: Bool) -> Operations.Warnings.Answer {
    let alerts = service.report?.alerts?.alerts ?? []
    return Operations.Warnings.Answer(
      warnings: alerts.filter { $0.isOpen || !onlyOpen }.map { AlertReport($0) })
  }

  /// Vehicles that came in at the other post and were not seen here, as far back as a vehicle is waited for.
  func expected(ending: String?) throws(StorageError) -> Operations.Expected.Answer {
    guard let place = service.report?.place else { return Operations.Expected.Answer(vehicles: []) }
    let oldest = clocks.wall() - .seconds(place.waits)
    let known = try store.expected(ending: ending, limit: NodeCore.Limits.remotePassages)
    return Operations.Expected.Answer(
      vehicles: known.filter {
        $0.recordedAt >= oldest && ($0.checkpost == nil || $0.checkpost != place.ownPost)
      }
      .prefix(Operations.Passages.most).map { ExpectedReport($0, at: place) })
  }

  /// Passages with what happens to them next, newest first.
  ///
  /// - Parameters:
  ///   - status: How the service stands.
  ///   - now: Now, by the machine's clocks.
  func passages(
    _ asked: Operations.Passages, _ status: ServiceStatus, at now: Moment
  ) throws(StorageError) -> Operations.Passages.Answer {
    var items: [QueueItem] = []
    if let numbers = asked.queueIDs {
      for number in numbers.prefix(Operations.Passages.most) {
        if let item = try store.item(number) { items.append(item) }
      }
    } else {
      var query = QueueQuery()
      query.beforeID = .max
      query.limit = min(max(asked.last ?? 10, 1), Operations.Passages.most)
      items = try store.list(query)
    }
    let report = service.report
    let hasServer = report?.node.hasServer ?? states.hasServer
    let moment = Moment(boot: store.clock.time(at: now.boot), wall: now.wall)
    var reports: [RecentPassage] = []
    for item in items.sorted(by: { $0.queueID > $1.queueID }) {
      reports.append(
        RecentPassage(
          try store.corrected(item), try store.texts(of: item.queueID), status,
          hasServer: hasServer, at: moment))
    }
    let posts =
      [report?.place?.ownPost].compactMap { $0?.code }
      + (report?.place?.oppositePosts ?? []).map(\.code)
    return Operations.Passages.Answer(passages: reports, posts: posts.isEmpty ? nil : posts)
  }

  /// Withdraws a text by its number, and answers whether it still waited.
  func withdraw(_ id: TextID, _ reply: ControlReply) {
    service.withdrawText(id: id) { waited in
      reply.done(Operations.ModemSendWithdraw.Answer(waits: waited))
    }
  }

  /// Looks at settings that were read again; what it returns takes them up.
  ///
  /// - Throws: What is wrong with the new ones; the old ones stay.
  func reload(_ loaded: LoadedSettings) throws -> Reload.Step {
    let take = try secrets.reload(loaded)
    let command = loaded.settings.node.alertCommand
    return { [alertCommand] in
      alertCommand.change(to: command)
      take()
    }
  }

  /// What its way to the server is doing.
  func syncReport(at clocks: any Clocks) -> SyncReport {
    guard let report = service.report else { return SyncReport(state: "off") }
    let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
    return SyncReport(report.node, try? store.overview(at: moment.boot), at: moment)
  }

  /// Writes the role's part of a status, and returns what is wrong.
  func report(_ status: inout ServiceStatus, at now: BootInstant, wall: WallTime) -> [Problem] {
    let time = store.clock.time(at: now)
    var facts = NodeFacts(reserveBytes: NodeSQLite.Limits.reserveBytes)
    do {
      facts.overview = try store.overview(at: time)
    } catch {
      facts.unreadable = error
    }
    sweepPhotos()
    spool.look()
    facts.photoBytes = photos.usedBytes
    facts.capacityBytes = capacity
    facts.hasBallast = store.hasBallast
    let report = service.report
    var states = states
    // The settings may have been read again since the start.
    states.hasServer = report?.node.hasServer ?? states.hasServer
    status.queue = facts.overview.map { QueueReport($0, states) }
    if let report {
      facts.node = report.node
      let moment = Moment(boot: time, wall: wall)
      if let overview = facts.overview {
        status.queue?.tellNextText(overview, report.node, at: moment)
      }
      facts.unstored = report.unstored
      facts.failure = report.storageFailure
      status.connectivity = ConnectivityReport(report.node, at: moment)
      if report.node.sync != .off {
        status.sync = SyncReport(report.node, facts.overview, at: moment)
      }
      status.budget = BudgetReport(report)
      status.warnings = WarningsReport(report)
    }
    facts.states = states
    let problems = NodeProblems(facts, at: Moment(boot: time, wall: wall))
    return problems.all(
      beside: [secrets.problem, spool.problem].compactMap { $0 }
        + modems.flatMap { $0.problems($0.words, at: wall) })
  }
}

extension PassageStates {
  /// What the settings say of when a passage is done.
  public init(_ settings: Settings) {
    self.init(
      hasServer: settings.server.url != nil,
      awaitsReports: settings.nodeModems.contains { $0.modem.statusReports })
  }
}

extension NodeMachine.Settings {
  /// What the settings say to the node.
  init(_ settings: Settings) {
    var rules = NodeRules()
    rules.fallbackAfter = settings.node.fallbackAfter
    rules.offlineFor = settings.node.offlineFor
    rules.textsWhenServerDown = settings.node.textWhenServerDown
    rules.serverDownAfter = settings.node.serverDownAfter
    rules.gateways = settings.node.gateways
    rules.oppositeNumber = settings.node.oppositePostNumber
    rules.recipients = settings.node.recipients
    rules.heartbeatAfter = settings.node.heartbeatAfter
    rules.hasServer = settings.server.url != nil
    rules.sync = SyncRules(settings)
    rules.matching = MatchingRules(settings)
    rules.onlineFor = settings.node.probe.onlineFor
    rules.probeEvery = settings.node.probe.every
    rules.probeRetryFirst = settings.node.probe.retryFirst
    rules.probeRetryMost = settings.node.probe.retryMost
    rules.probeAnswerWithin = settings.server.timeout
    rules.checkpost = settings.node.checkpost.flatMap { try? CheckpostCode($0) }
    rules.textsPerMinute = settings.node.sms.perMinute
    rules.textsPerHour = settings.node.sms.perHour
    rules.textsPerDay = settings.node.sms.perDay
    rules.textsPerMonth = settings.node.sms.perMonth
    rules.worthFor = settings.node.sms.worthFor
    rules.quietHours = settings.node.sms.quietHours.flatMap { DayPart($0) }
    rules.textsPerPassage = settings.node.sms.perPassage
    rules.unknownSpacing = settings.node.sms.unknownSpacing
    let modems = settings.nodeModems
    if !modems.isEmpty {
      rules.modems = modems.map { NodeModem(name: $0.name, prefixes: $0.prefixes) }
    }
    self.init(rules: rules)
    validity = settings.node.sms.validity
    capacity = settings.server.url == nil ? nil : Int64(settings.storage.capacity)
    keep = settings.server.url == nil ? nil : settings.storage.keep
    requestStatusReports = modems.contains { $0.modem.statusReports }
  }
}
